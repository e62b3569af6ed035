import type { ForwardGateway, ForwardingValue, GatewayValue, TrunkList, TrunkValue } from "../trunk-list.ts";

/** A gateway for forwarded calls, with its trunk. `set` is its dispatcher set, and null if it is not pinged. */
export interface ForwardTrunk extends Omit<ForwardGateway, "trunk"> {
  trunk: TrunkValue;
  gateway: GatewayValue;
  set: number | null;
}

/** IDs of connections' sets count from 1 and stay far below. A priority is at most 100. */
const FIRST_GATEWAY_SET = 1_000_000_001;

/** Whether gateways own a set, rather than a connection. */
export const isGatewaySet = (set: number): boolean => set >= FIRST_GATEWAY_SET;

/** Other keys of the table `trunk`: the name of a trunk never begins with a hyphen. */
const [PREFIXES, GATEWAYS, LIMITS] = ["-prefixes", "-gateways", "-limits"];
export const FORWARDING_KEYS: readonly string[] = [PREFIXES, GATEWAYS, LIMITS];

/** Gateways by priority. */
export function gatewaysOf({ forwarding, trunks }: TrunkList): ForwardTrunk[] {
  return (forwarding?.gateways ?? [])
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ trunk: name, ...how }) => {
      const trunk = trunks.find((one) => one.name === name)!;
      const set = how.ping ? FIRST_GATEWAY_SET + how.priority - 1 : null;
      return { ...how, trunk, gateway: trunk.gateway!, set };
    });
}

/** URI of a gateway in the dispatcher. */
export const gatewayUri = ({ trunk, gateway }: Pick<ForwardTrunk, "trunk" | "gateway">): string =>
  `sip:${gateway.host}:${gateway.port};transport=${trunk.transport}`;

/** Rows of the table `trunk` in the switch's memory, by key. */
export function trunkRows(list: TrunkList): Map<string, string> {
  const rows = new Map(list.trunks.map((trunk) => [trunk.name, rowOf(trunk)]));
  if (list.forwarding === null) return rows;
  const { prefixes, calls_per_minute, calls_at_once } = list.forwarding;
  rows.set(PREFIXES, `^[+](${prefixes.map((prefix) => prefix.slice(1)).join("|") || "x"})`);
  rows.set(LIMITS, `${calls_per_minute}|${calls_at_once}`);
  const entries = gatewaysOf(list).map((one) =>
    [one.trunk.name, one.priority, one.weight, one.set ?? "", gatewayUri(one)].join(","),
  );
  return rows.set(GATEWAYS, entries.join("|"));
}

/** direction|leg|most calls|in the trust domain|wants history|has a login. The last five are of the gateway. */
function rowOf({ direction, gateway, transport, max_calls: most }: TrunkValue): string {
  if (gateway === null) return `${direction}|||||`;
  const { host, port, in_trust_domain, history_info, username } = gateway;
  const flags = [in_trust_domain, history_info, username !== null].map(Number);
  return [direction, `${host}~${port}~${transport}`, most, ...flags].join("|");
}

/** The trunk in a row, as far as it has it. Undefined for text that `trunkRows` does not return. */
export function readRow(
  name: string,
  text: string,
): (Pick<TrunkValue, "direction" | "gateway"> & { hasLogin: boolean }) | undefined {
  const [direction = "", leg = "", most = "", isTrusted, hasHistory, hasLogin] = text.split("|");
  const [host = "", port = "", transport = ""] = leg.split("~");
  const gateway = {
    host,
    port: Number(port),
    username: hasLogin === "1" ? "" : null,
    password_id: null,
    in_trust_domain: isTrusted === "1",
    history_info: hasHistory === "1",
  };
  const read = {
    direction: direction as TrunkValue["direction"],
    gateway: leg === "" ? null : gateway,
  };
  const like = { name, ...read, transport, max_calls: Number(most) } as TrunkValue;
  const isWhole = ["in", "out", "both"].includes(direction) && rowOf(like) === text;
  return isWhole ? { ...read, hasLogin: hasLogin === "1" } : undefined;
}

/** Forwarding in the rows. Null if they have none, undefined for texts that `trunkRows` does not return. */
export function readForwarding(texts: ReadonlyMap<string, string>): ForwardingValue | null | undefined {
  const [prefixes, entries, limits] = FORWARDING_KEYS.map((key) => texts.get(key));
  if (prefixes === undefined && entries === undefined && limits === undefined) return null;
  const [perMinute, atOnce] = (limits ?? "").split("|").map(Number);
  const named = /^\^\[\+\]\((.*)\)$/.exec(prefixes ?? "")?.[1];
  if (named === undefined || entries === undefined || atOnce === undefined) return undefined;
  const gateways = entries.split("|").map((entry) => {
    const [trunk = "", priority, weight, set] = entry.split(",");
    return { trunk, priority: Number(priority), weight: Number(weight), ping: set !== "" };
  });
  const numbers = gateways.flatMap(({ priority, weight }) => [priority, weight]);
  if (![...numbers, perMinute, atOnce].every((one) => Number.isSafeInteger(one) && one! > 0))
    return undefined;
  if (!/^(x|\d+(\|\d+)*)$/.test(named)) return undefined;
  return {
    gateways,
    prefixes: named === "x" ? [] : named.split("|").map((prefix) => `+${prefix}`),
    calls_per_minute: perMinute!,
    calls_at_once: atOnce,
  };
}

/** The part of a list that this switch can take, and why it cannot take the rest. */
export function settableTrunks(
  { trunks, forwarding }: TrunkList,
  hasTls: boolean,
): { list: TrunkList; faults: Map<string, string> } {
  const needTls = trunks.filter(({ transport }) => transport === "tls" && !hasTls);
  const faults = new Map(
    needTls.map(({ name }) => [name, "This switch has no TLS. Set `tls` in its switch.json and restart it."]),
  );
  const gateways = (forwarding?.gateways ?? []).filter(({ trunk }) => !faults.has(trunk));
  return {
    list: {
      trunks: trunks.filter(({ name }) => !faults.has(name)),
      forwarding: forwarding && gateways.length > 0 ? { ...forwarding, gateways } : null,
    },
    faults,
  };
}
