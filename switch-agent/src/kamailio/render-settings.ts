import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TrunkList } from "../trunk-list.ts";
import { gatewayLines, storeGatewayLines } from "./gateway-sets.ts";
import { ownPasswords, ownTrunks } from "./own-trunks.ts";
import { readSecret, type SwitchSettings, SwitchSettingsError } from "./switch-settings.ts";
import { addressFile } from "./trunk-addresses.ts";
import { loginsOf, openTrunkFile } from "./trunk-file.ts";
import { settableTrunks, trunkRows } from "./trunk-rows.ts";

export interface SwitchSecrets {
  tokenKey: string;
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
  const trunks = trunksFor(settings);
  storeGatewayLines(settings.data_dir, gatewayLines(trunks));
  writeFileSync(join(settings.run_dir, "address.list"), addressFile(trunks.trunks), { mode: 0o600 });
  // Kamailio takes the size of its memory from its command line alone; the unit reads it from here.
  writeFileSync(
    join(settings.run_dir, "switch.environment"),
    `SHARED_MEMORY_MB=${settings.shared_memory_mb}\n`,
  );
  const file = join(settings.run_dir, "settings.cfg");
  writeFileSync(file, renderSettings(settings, secrets, trunks), { mode: 0o600 });
  // The mode above counts only for a file that was not there.
  chmodSync(file, 0o600);
  return file;
}

function readSecrets(settings: SwitchSettings): SwitchSecrets {
  const tokenKey = readSecret(settings.secrets_file);
  if (!/^([0-9a-f]{2}){32,64}$/i.test(tokenKey))
    throw new SwitchSettingsError(`${settings.secrets_file} must hold 64 to 128 hexadecimal characters`);
  return { tokenKey };
}

/** The list that the service sent last, or else that of the settings. */
function trunksFor(settings: SwitchSettings): TrunkList {
  const file = openTrunkFile(settings.data_dir);
  try {
    const saved = file.saved();
    if (saved) return settableTrunks(saved, settings.tls !== null).list;
    const own = ownTrunks(settings);
    file.setLogins(loginsOf(own, ownPasswords(settings)));
    return own;
  } finally {
    file.close();
  }
}

export function renderSettings(settings: SwitchSettings, secrets: SwitchSecrets, trunks: TrunkList): string {
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
    ...renderTls(settings),
    ...settings.listen.map((one) => listener(one, settings.advertise)),
    // Own workers: an audit that reads a million rows must not hold up a call that comes by TCP.
    "socket_workers=2",
    `listen=tcp:127.0.0.1:${settings.rpc_port}`,
    `include_file "${ROUTES}"`,
    ...renderTrunks(trunks),
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

/** A route that fills the table of trunks when the switch starts. */
function renderTrunks(list: TrunkList): string[] {
  const rows = [...trunkRows(list)].map(([key, text]) => `\t$sht(trunk=>${key}) = "${text}";`);
  return ["route[OWN_TRUNKS] {", ...rows, "\treturn;", "}"];
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
