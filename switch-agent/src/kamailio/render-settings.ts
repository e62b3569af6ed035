import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gatewayLines, gatewaysOf, gatewayUri, storeGatewayLines } from "./gateway-sets.ts";
import type { SwitchSettings, Trunk } from "./switch-settings.ts";
import { SwitchSettingsError } from "./switch-settings.ts";

export interface SwitchSecrets {
  tokenKey: string;
  /** By trunk. */
  gatewayPasswords: ReadonlyMap<string, string>;
}

const ROUTES = fileURLToPath(new URL("../../../kamailio/kamailio.cfg", import.meta.url));

/** Calls of strangers that leave a record; a flood of them must not fill the disk. */
const STRANGERS_PER_MINUTE = 600;
/** Size of a shard's page. The last row and the rest of the response must also fit the switch's buffer. */
const SHARD_PAGE_BYTES = 400_000;

/** Writes what Kamailio is started with, and makes what it expects to find. */
export function writeSettings(settings: SwitchSettings): string {
  const secrets = readSecrets(settings);
  for (const folder of [settings.run_dir, settings.data_dir, join(settings.data_dir, "records")])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  storeGatewayLines(settings.data_dir, gatewayLines(settings));
  writeFileSync(join(settings.run_dir, "address.list"), renderAddresses(settings), { mode: 0o600 });
  // Kamailio takes the size of its memory from its command line alone; the unit reads it from here.
  writeFileSync(
    join(settings.run_dir, "switch.environment"),
    `SHARED_MEMORY_MB=${settings.shared_memory_mb}\n`,
  );
  const file = join(settings.run_dir, "settings.cfg");
  writeFileSync(file, renderSettings(settings, secrets), { mode: 0o600 });
  // The mode above counts only for a file that was not there.
  chmodSync(file, 0o600);
  return file;
}

function readSecrets(settings: SwitchSettings): SwitchSecrets {
  const tokenKey = readSecret(settings.secrets_file);
  if (!/^([0-9a-f]{2}){32,64}$/i.test(tokenKey))
    throw new SwitchSettingsError(`${settings.secrets_file} must hold 64 to 128 hexadecimal characters`);
  const passwords = gatewaysOf(settings).flatMap(({ trunk: { name }, gateway: { password_file: file } }) =>
    file === null ? [] : [[name, readSecret(file)] as const],
  );
  return { tokenKey, gatewayPasswords: new Map(passwords) };
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trimEnd();
  } catch (error) {
    throw new SwitchSettingsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export function renderSettings(settings: SwitchSettings, secrets: SwitchSecrets): string {
  const lines = [
    "#!KAMAILIO",
    "# Rendered from the switch's settings; changes here are lost. Holds secrets.",
    define("DEBUG_LEVEL", 0),
    define("SIP_WORKERS", settings.workers),
    define("PING_SECONDS", settings.ping_seconds),
    define("SHARD_PAGE_BYTES", SHARD_PAGE_BYTES),
    define("STRANGERS_PER_MINUTE", STRANGERS_PER_MINUTE),
    substitute("SWITCH_NAME", settings.name),
    substitute("INSTALLATION", settings.installation),
    substitute("RESTORE_KEY", restoreKeyOf(settings.name, secrets.tokenKey)),
    define("TOKEN_INNER_HEX", padded(settings.name, secrets.tokenKey, 0x36)),
    define("TOKEN_OUTER_HEX", padded(settings.name, secrets.tokenKey, 0x5c)),
    define("RPC_PORT", settings.rpc_port),
    substitute("DATA_DIR", settings.data_dir),
    substitute("RUN_DIR", settings.run_dir),
    substitute("CONTROL_PORT", settings.control_port),
    substitute("WEBHOOK_PORT", settings.webhook_port),
    substitute("MAX_CALL_SECONDS", settings.max_call_seconds),
    ...(settings.trunks.some(({ nat }) => nat) ? ["#!define WITH_NAT"] : []),
    ...renderTls(settings),
    ...renderForward(settings),
    ...settings.listen.map((one) => listener(one, settings.advertise)),
    // Own workers: an audit that reads a million rows must not hold up a call that comes by TCP.
    "socket_workers=2",
    `listen=tcp:127.0.0.1:${settings.rpc_port}`,
    `include_file "${ROUTES}"`,
    ...renderGateways(settings, secrets),
  ];
  return `${lines.join("\n")}\n`;
}

function renderTls({ tls, advertise }: SwitchSettings): string[] {
  if (tls === null) return [];
  return [
    "#!define WITH_TLS",
    "enable_tls=yes",
    substitute("TLS_CERTIFICATE", tls.certificate),
    substitute("TLS_KEY", tls.key),
    listener(tls.listen, advertise),
  ];
}

function renderForward(settings: SwitchSettings): string[] {
  if (settings.forward === null) return [];
  const { prefixes, calls_per_minute, calls_at_once } = settings.forward;
  const gateways = gatewaysOf(settings);
  const entries = gateways.map((one) =>
    [one.trunk.name, one.priority, one.weight, one.set ?? "", gatewayUri(one)].join(","),
  );
  return [
    "#!define WITH_FORWARD",
    define("FORWARD_PREFIXES", `^\\+(${prefixes.map((prefix) => prefix.slice(1)).join("|") || "x"})`),
    define("FORWARDS_PER_MINUTE", calls_per_minute),
    define("FORWARDS_AT_ONCE", calls_at_once),
    define("GATEWAYS", entries.join("|")),
    ...(gateways.some(({ gateway }) => gateway.in_trust_domain) ? ["#!define WITH_GATEWAY_IDENTITY"] : []),
    ...(gateways.some(({ gateway }) => gateway.history_info) ? ["#!define WITH_GATEWAY_HISTORY"] : []),
    ...(gateways.some(({ gateway }) => gateway.username) ? ["#!define WITH_GATEWAY_PASSWORD"] : []),
  ];
}

/** A route that sets the values of the trunk in $avp(gateway). Not a table, because anyone on the host can read tables. */
function renderGateways(settings: SwitchSettings, { gatewayPasswords }: SwitchSecrets): string[] {
  // In hexadecimal, because Kamailio would read $ and \ in a text as its own.
  const hex = (secret: string): string => Buffer.from(secret).toString("hex");
  const cases = gatewaysOf(settings).flatMap(({ trunk, gateway }) => [
    `\tcase "${trunk.name}":`,
    `\t\t$var(gateway_leg) = "${gateway.host}~${gateway.port}~${trunk.transport}";`,
    `\t\t$var(most) = ${trunk.max_calls};`,
    `\t\t$var(is_trusted) = ${gateway.in_trust_domain ? 1 : 0};`,
    `\t\t$var(wants_history) = ${gateway.history_info ? 1 : 0};`,
    `\t\t$var(username) = "${hex(gateway.username ?? "")}";`,
    `\t\t$var(password) = "${hex(gatewayPasswords.get(trunk.name) ?? "")}";`,
    "\t\tbreak;",
  ]);
  if (cases.length === 0) return [];
  return ["route[KNOW_GATEWAY] {", "\tswitch ($avp(gateway)) {", ...cases, "\t}", "}"];
}

/**
 * Source addresses. Group 1 may send calls. Group 2 may send only requests within calls that went there.
 * Group 3 gets no customer's calls: its gateways accept calls from this switch's address.
 */
export function renderAddresses({ trunks }: SwitchSettings): string {
  const lineOf = (group: number, network: string, trunk: Trunk): string => {
    const [address, bits = "32"] = network.split("/");
    return `${group} ${address} ${bits} 0 ${dialectOf(trunk)}`;
  };
  const lines = trunks.flatMap((trunk) => {
    const { direction, sources, gateway } = trunk;
    return [
      ...sources.map((source) => lineOf(direction === "out" ? 2 : 1, source, trunk)),
      ...(gateway
        ? [...new Set([gateway.host, ...sources])].map((network) => lineOf(3, network, trunk))
        : []),
    ];
  });
  return `${lines.join("\n")}\n`;
}

/** Trunk settings for the Kamailio script, in the order in which it parses them. */
function dialectOf({
  name,
  number_format: format,
  max_calls,
  trusts_identity,
  transport,
  nat,
}: Trunk): string {
  return [
    name,
    format.international_prefix,
    format.national_prefix,
    format.country_code,
    // A # starts a comment in the file.
    format.technical_prefix.replaceAll("#", "%23"),
    max_calls,
    trusts_identity ? 1 : 0,
    transport,
    nat ? 1 : 0,
  ].join("|");
}

/** The key as HMAC-SHA256 uses it, a block long and combined with a pad (RFC 2104); the routes do the rest. */
const padded = (name: string, secret: string, pad: number): string =>
  Buffer.from(tokenKeyOf(name, secret).map((byte) => byte ^ pad)).toString("hex");

/**
 * Key that signs tokens: an HMAC of the operator's secret and the switch's name. Two switches with one file
 * therefore reject each other's tokens. Every byte has its highest bit set, because a Kamailio shared
 * variable ends at a zero byte. Neither HMAC pad then produces a zero.
 */
const tokenKeyOf = (name: string, secret: string): Uint8Array =>
  createHmac("sha512", Buffer.from(secret, "hex"))
    .update(name)
    .digest()
    .map((byte) => byte | 0x80);

/** Hides the original caller in the Record-Route of a call whose caller ID is changed. */
const restoreKeyOf = (name: string, secret: string): string =>
  createHmac("sha256", Buffer.from(secret, "hex")).update(`${name} caller`).digest("hex");

const listener = (socket: string, advertise: string | null): string =>
  advertise === null
    ? `listen=${socket}`
    : `listen=${socket} advertise ${advertise}:${socket.slice(socket.lastIndexOf(":") + 1)}`;

const define = (name: string, value: string | number): string =>
  `#!define ${name} ${typeof value === "number" ? value : `"${value}"`}`;

/** Unlike a definition, this is also found within texts. */
const substitute = (name: string, value: string | number): string => `#!substdef "!${name}!${value}!g"`;
