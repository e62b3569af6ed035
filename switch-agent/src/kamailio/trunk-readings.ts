import { isDeepStrictEqual } from "node:util";
import type { ForwardingValue, TrunkList, TrunkReport, TrunkValue } from "../trunk-list.ts";
import { gatewayLines } from "./gateway-sets.ts";
import { type AddressEntry, addressesOf, entryText, readDialect, trunkOf } from "./trunk-addresses.ts";
import type { Login } from "./trunk-file.ts";
import { FORWARDING_KEYS, readForwarding, readRow, trunkRows } from "./trunk-rows.ts";

/** A list of trunks as the switch holds it, in several places. */
export interface TrunkState {
  addresses: AddressEntry[];
  /** The table `trunk` in memory. */
  rows: ReadonlyMap<string, string>;
  logins: readonly Login[];
  /** Gateways that the switch pings: set and URI. */
  pinged: readonly string[];
}

/** How a switch holds this list. */
export function stateOf(list: TrunkList, logins: readonly Login[]): TrunkState {
  return {
    addresses: addressesOf(list.trunks),
    rows: trunkRows(list),
    logins,
    pinged: gatewayLines(list).map(({ set, uri }) => `${set} ${uri}`),
  };
}

export function isSameState(one: TrunkState, other: TrunkState): boolean {
  return isDeepStrictEqual(textsIn(one), textsIn(other));
}

function textsIn({ addresses, rows, logins, pinged }: TrunkState): string[][] {
  return [
    addresses.map(entryText),
    [...rows].map(([key, text]) => `${key} ${text}`),
    logins.map((login) => JSON.stringify(login)),
    [...pinged],
  ].map((texts) => texts.toSorted());
}

const OTHER_VALUES = "The switch holds values for it that no list of trunks leads to.";

/** Compares trunk by trunk. `faults` are reasons why desired trunks are not set. */
export function compareTrunks(
  desired: TrunkList,
  faults: ReadonlyMap<string, string>,
  { expected, held }: { expected: TrunkState; held: TrunkState },
): Pick<TrunkReport, "trunks" | "forwarding"> {
  const names = new Set([
    ...desired.trunks.map(({ name }) => name),
    ...held.addresses.map(trunkOf),
    ...[...held.rows.keys()].filter((key) => !FORWARDING_KEYS.includes(key)),
  ]);
  const trunks = [...names].map((name) => {
    const wanted = desired.trunks.find((one) => one.name === name);
    const found = trunkIn(held, name, wanted);
    const isAsWanted = isDeepStrictEqual(found ?? null, wanted ?? null);
    const isWhole = isSameState(partOf(expected, name), partOf(held, name));
    const error = faults.get(name) ?? (isAsWanted && !isWhole ? OTHER_VALUES : "");
    return { name, found: found ?? null, error };
  });
  const forwarding = readForwarding(held.rows);
  const isWhole = isSameState(forwardingPart(expected), forwardingPart(held));
  const isAsWanted = isDeepStrictEqual(forwarding ?? null, sorted(desired.forwarding));
  const unset = (desired.forwarding?.gateways ?? []).filter(({ trunk }) => faults.has(trunk));
  const fault = unset.map(({ trunk }) => `The gateway of trunk ${trunk} cannot be set.`).join(" ");
  return {
    trunks,
    forwarding: {
      found: isAsWanted ? desired.forwarding : (forwarding ?? null),
      error: fault || (isAsWanted && !isWhole ? OTHER_VALUES : ""),
    },
  };
}

/** The switch holds gateways in this order. */
const sorted = (value: ForwardingValue | null): ForwardingValue | null =>
  value && { ...value, gateways: value.gateways.toSorted((one, other) => one.priority - other.priority) };

/** A trunk from the places that hold parts of it. Undefined if one of them lacks it. */
function trunkIn(
  { addresses, rows, logins }: TrunkState,
  name: string,
  wanted: TrunkValue | undefined,
): TrunkValue | undefined {
  const row = readRow(name, rows.get(name) ?? "");
  const own = addresses.filter((entry) => trunkOf(entry) === name);
  const group = row?.direction === "out" ? 2 : 1;
  // Entries of one trunk have one dialect. If they differ, the one that the list does not lead to matters.
  const dialects = [...new Set(own.map(({ dialect }) => dialect))].map(readDialect);
  const settings = dialects.find((one) => !isPartOf(one, wanted)) ?? dialects[0];
  if (!row || !settings) return undefined;
  const networks = own
    .filter((one) => one.group === group)
    .map(({ address, bits }) => networkOf(address, bits));
  const login = row.hasLogin ? logins.find(({ trunk }) => trunk === name) : undefined;
  const gateway = row.gateway && {
    ...row.gateway,
    username: login?.username ?? row.gateway.username,
    password_id: login?.password_id ?? null,
  };
  const { name: _, ...dialect } = settings;
  return {
    name,
    direction: row.direction,
    sources: sameNetworks(networks, wanted?.sources ?? []) ? wanted!.sources : networks,
    transport: dialect.transport,
    nat: dialect.nat,
    number_format: dialect.number_format,
    trusts_identity: dialect.trusts_identity,
    max_calls: dialect.max_calls,
    gateway,
  };
}

function isPartOf(settings: object | undefined, wanted: TrunkValue | undefined): boolean {
  return settings !== undefined && isDeepStrictEqual({ ...wanted, ...settings }, { ...wanted });
}

const networkOf = (address: string, bits: number): string => (bits === 32 ? address : `${address}/${bits}`);

function sameNetworks(one: readonly string[], other: readonly string[]): boolean {
  const spelt = (network: string): string => network.replace(/\/32$/, "");
  return isDeepStrictEqual(one.map(spelt).toSorted(), [...new Set(other.map(spelt))].toSorted());
}

function partOf({ addresses, rows, logins }: TrunkState, name: string): TrunkState {
  const row = rows.get(name);
  return {
    addresses: addresses.filter((entry) => trunkOf(entry) === name),
    rows: new Map(row === undefined ? [] : [[name, row]]),
    logins: logins.filter(({ trunk }) => trunk === name),
    pinged: [],
  };
}

function forwardingPart({ rows, pinged }: TrunkState): TrunkState {
  return {
    addresses: [],
    rows: new Map([...rows].filter(([key]) => FORWARDING_KEYS.includes(key))),
    logins: [],
    pinged,
  };
}
