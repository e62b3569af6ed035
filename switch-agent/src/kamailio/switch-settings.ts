import { readFileSync } from "node:fs";
import { BlockList, isIPv4 } from "node:net";
import { flag, integer, listOf, nullable, oneOf, optional, shape, text } from "./settings-shape.ts";
import type { Check } from "./settings-shape.ts";
import type { ForwardGateway, GatewayValue, NumberFormat, TrunkValue } from "../trunk-list.ts";

export interface Gateway extends Omit<GatewayValue, "password_id"> {
  password_file: string | null;
}

export interface Trunk extends Omit<TrunkValue, "gateway"> {
  gateway: Gateway | null;
}

export interface ForwardPolicy {
  /** Name of the only trunk that takes forwarded calls. Null if `gateways` lists them. */
  gateway: string | null;
  gateways: ForwardGateway[] | null;
  prefixes: string[];
  /** Both for each number. */
  calls_per_minute: number;
  calls_at_once: number;
}

export interface TlsSettings {
  listen: string;
  certificate: string;
  key: string;
}

/** Operator's settings of one switch host. */
export interface SwitchSettings {
  name: string;
  /** The same for all switches of an installation. Marks forwarded calls, so that a loop is found. */
  installation: string;
  listen: string[];
  /** Address that others reach the switch by, where it is not the one it listens on. */
  advertise: string | null;
  data_dir: string;
  run_dir: string;
  control_port: number;
  rpc_port: number;
  webhook_port: number;
  secrets_file: string;
  max_call_seconds: number;
  workers: number;
  shared_memory_mb: number;
  /** Between two questions whether a connection's target is there. */
  ping_seconds: number;
  trunks: Trunk[];
  forward: ForwardPolicy | null;
  tls: TlsSettings | null;
  when_disk_is_full: "refuse" | "continue";
}

export class SwitchSettingsError extends Error {}

/** Each may need several of the 12 branches that a call has: by TCP, by UDP, and with a password. */
const MOST_GATEWAYS = 5;

const name = text(/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/, "a name of small letters, digits and hyphens");
const path = text(/^\/[\w.@/-]*[\w@-]$/, "an absolute path of plain characters");
const port = integer(1, 65_535);
const digits = text(/^\d{0,8}$/, "up to eight digits");

const address: Check<string> = (value, at, faults) => {
  if (typeof value === "string" && isIPv4(value)) return value;
  faults.push(`${at} must be an IPv4 address: the switch looks up no names`);
  return "";
};

const network: Check<string> = (value, at, faults) => {
  const [base = "", bits = "32", ...rest] = String(value).split("/");
  const isSize = /^\d{1,2}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= 32;
  if (isIPv4(base) && isSize && rest.length === 0) return String(value);
  faults.push(`${at} must be an address or a network such as 198.51.100.0/24`);
  return "";
};

const sipListener = text(/^(udp|tcp):[\d.]+:\d{1,5}$/, "such as udp:203.0.113.5:5060");

const trunk = shape<Trunk>({
  name,
  direction: oneOf("in", "out", "both"),
  sources: optional(listOf(network), []),
  transport: oneOf("udp", "tcp", "tls"),
  nat: optional(flag, false),
  number_format: optional(
    shape<NumberFormat>({
      international_prefix: optional(digits, ""),
      national_prefix: optional(digits, ""),
      country_code: optional(text(/^([1-9]\d{0,2})?$/, "a country's code without plus"), ""),
      technical_prefix: optional(text(/^[0-9*#]{0,16}$/, "digits, * and #"), ""),
    }),
    { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" },
  ),
  trusts_identity: optional(flag, false),
  max_calls: optional(integer(0, 1_000_000), 0),
  gateway: optional(
    nullable(
      shape<Gateway>({
        host: address,
        port: optional(port, 5060),
        username: optional(nullable(text(/^[\w.!~*'()&=+$,;?/@-]{1,128}$/, "a SIP user name")), null),
        password_file: optional(nullable(path), null),
        in_trust_domain: optional(flag, false),
        history_info: optional(flag, false),
      }),
    ),
    null,
  ),
});

const settings = shape<SwitchSettings>({
  name,
  installation: optional(name, "dialplane"),
  listen: listOf(sipListener),
  advertise: optional(nullable(address), null),
  data_dir: path,
  run_dir: path,
  control_port: optional(port, 8448),
  rpc_port: optional(port, 8449),
  webhook_port: optional(port, 8450),
  secrets_file: path,
  max_call_seconds: optional(integer(5, 86_400), 14_400),
  workers: optional(integer(1, 64), 4),
  shared_memory_mb: optional(integer(64, 65_536), 1024),
  ping_seconds: optional(integer(1, 60), 5),
  trunks: optional(listOf(trunk), []),
  forward: optional(
    nullable(
      shape<ForwardPolicy>({
        gateway: optional(nullable(name), null),
        gateways: optional(
          nullable(
            listOf(
              shape<ForwardGateway>({
                trunk: name,
                priority: optional(integer(1, 100), 1),
                weight: optional(integer(1, 100), 1),
                ping: optional(flag, true),
              }),
            ),
          ),
          null,
        ),
        prefixes: listOf(text(/^\+[1-9]\d{0,9}$/, "a prefix such as +44")),
        calls_per_minute: optional(integer(1, 100_000), 60),
        calls_at_once: optional(integer(1, 100_000), 10),
      }),
    ),
    null,
  ),
  tls: optional(
    nullable(
      shape<TlsSettings>({
        listen: text(/^tls:[\d.]+:\d{1,5}$/, "such as tls:203.0.113.5:5061"),
        certificate: path,
        key: path,
      }),
    ),
    null,
  ),
  when_disk_is_full: optional(oneOf("refuse", "continue"), "refuse"),
});

export function readSecret(file: string): string {
  try {
    return readFileSync(file, "utf8").trimEnd();
  } catch (error) {
    throw new SwitchSettingsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export function readSwitchSettings(file: string): SwitchSettings {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SwitchSettingsError(`${file} cannot be read: ${(error as Error).message}`);
  }
  return checkSwitchSettings(value);
}

export function checkSwitchSettings(value: unknown): SwitchSettings {
  const faults: string[] = [];
  const checked = settings(value, "", faults);
  // Missing settings cannot be cross-checked.
  if (faults.length === 0) faults.push(...contradictions(checked));
  if (faults.length > 0) throw new SwitchSettingsError(faults.join("\n"));
  return checked;
}

function contradictions(given: SwitchSettings): string[] {
  const faults: string[] = [];
  const { control_port, rpc_port, webhook_port } = given;
  if (new Set([control_port, rpc_port, webhook_port]).size < 3)
    faults.push("control_port, rpc_port and webhook_port must differ");
  for (const transport of ["udp", "tcp"]) {
    if (!given.listen.some((one) => one.startsWith(`${transport}:`)))
      faults.push(`listen must have an entry for ${transport}: targets may want it`);
  }
  given.trunks.forEach((one, index) => {
    const at = `trunks[${index}]`;
    if (given.trunks.findIndex((other) => other.name === one.name) < index)
      faults.push(`${at}.name is another trunk's too`);
    if (one.direction !== "out" && one.sources.length === 0)
      faults.push(`${at}.sources must name the networks that its calls come from`);
    if (one.direction !== "in" && one.gateway === null)
      faults.push(`${at}.gateway must say where its calls go`);
    if (one.transport === "tls" && given.tls === null) faults.push(`${at}.transport is tls, which needs tls`);
    if ((one.gateway?.username ?? null) !== null && one.gateway!.password_file === null)
      faults.push(`${at}.gateway has a username and no password_file`);
    faults.push(...sharedSources(given.trunks.slice(0, index), one, at));
  });
  return [...faults, ...gatewayFaults(given)];
}

function gatewayFaults({ forward, trunks }: SwitchSettings): string[] {
  if (forward === null) return [];
  const { gateway, gateways } = forward;
  if ((gateway === null) === (gateways === null))
    return ["forward must have either gateway or gateways, and not both"];
  const takesCalls = (trunk: string): boolean =>
    trunks.some(({ name: one, direction }) => one === trunk && direction !== "in");
  if (gateways === null)
    return takesCalls(gateway!)
      ? []
      : ["forward.gateway must name a trunk that takes calls (direction out or both)"];
  if (gateways.length < 1 || gateways.length > MOST_GATEWAYS)
    return [`forward.gateways must have 1 to ${MOST_GATEWAYS} entries`];
  return gateways.flatMap(({ trunk }, index) => {
    const at = `forward.gateways[${index}].trunk`;
    if (!takesCalls(trunk)) return [`${at} must name a trunk that takes calls (direction out or both)`];
    const isFirst = gateways.findIndex((other) => other.trunk === trunk) === index;
    return isFirst ? [] : [`${at} is in the list already`];
  });
}

/** A source of two trunks would be billed to whichever comes first. */
function sharedSources(earlier: Trunk[], one: Trunk, at: string): string[] {
  const taken = new BlockList();
  for (const source of earlier.flatMap(({ sources }) => sources)) {
    const [base = "", bits = "32"] = source.split("/");
    taken.addSubnet(base, Number(bits));
  }
  return one.sources
    .filter((source) => taken.check(source.split("/")[0]!))
    .map((source) => `${at}.sources: ${source} is another trunk's too`);
}

/** Sockets under which peers reach the switch, as `address:port`. */
export function socketsOf({ listen, tls, advertise }: SwitchSettings): string[] {
  const own = [...listen, ...(tls ? [tls.listen] : [])].map((socket) =>
    socket.slice(socket.indexOf(":") + 1),
  );
  const advertised = own.flatMap((socket) =>
    advertise ? [advertise + socket.slice(socket.lastIndexOf(":"))] : [],
  );
  return [...new Set([...own, ...advertised])];
}
