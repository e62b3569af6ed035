import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { ConnectionValue, RouteValue } from "../control-plane.ts";
import type { HeldItem } from "../held-item.ts";
import { fieldsOf, payerIn, readFields, uriStepsIn } from "./route-steps.ts";

/** The tables of a switch's memory: routes by number, connections by ID, addresses by name, limits by organisation. */
export type SwitchTable = "rt" | "cn" | "host" | "org";

/** A key of a table, and its text. */
export interface Row {
  key: string;
  text: string;
}

/** The switch cannot store the value in a form that reads back unchanged. */
export class UnsupportedItemError extends Error {}

/** In place of an argument, on a number whose calls are the operator's. */
const QUARANTINED = "resting";
const E164 = /^\+[1-9]\d{1,14}$/;

/** The fields are mode|generation|shard|number id, and then those of the steps. */
export function routeRow({ id, shard, generation, value, payer }: HeldItem): Row {
  if (!("mode" in value) || !E164.test(value.e164))
    throw new UnsupportedItemError("Not a route of a number.");
  const fields = fieldsOf(value, payer);
  if (!fields) throw new UnsupportedItemError("The switch cannot hold these steps.");
  [fields[1], fields[2], fields[3]] = [String(generation), String(shard), id];
  if (value.is_resting) fields[4] = QUARANTINED;
  return { key: value.e164, text: joined(fields) };
}

/** Undefined for what no agent of this project would have written. */
export function readRouteRow({ key, text }: Row): HeldItem | undefined {
  const fields = text.split("|");
  const [, generation = "", shard = "", id = "", argument] = fields;
  if (!E164.test(key) || id === "" || !isWhole(generation) || !isWhole(shard)) return undefined;
  const step = readFields(fields);
  const payer = payerIn(fields);
  if (!step || payer === undefined) return undefined;
  const value: RouteValue = { e164: key, ...step };
  if (value.mode === "unrouted" && argument === QUARANTINED) value.is_resting = true;
  const item: HeldItem = { kind: "route", id, shard: Number(shard), generation: Number(generation), value };
  return payer === "" ? item : { ...item, payer };
}

/** ID and shard of a route. Faster than parsing all of it. */
export function ownerOf(text: string): { id: string; shard: number } {
  const [, , shard = "", id = ""] = text.split("|", 4);
  return { id, shard: Number(shard) };
}

/** generation|shard|most calls|ring seconds|sets|targets, and |sources where there are some */
export function connectionText({ shard, generation, value }: HeldItem, sets: string): string {
  if (!("targets" in value)) throw new UnsupportedItemError("Not a connection.");
  const targets = value.targets.map(({ host, port, transport, priority, weight }) =>
    [host.includes(":") ? `[${host}]` : host, port, transport, priority, weight].join(":"),
  );
  const { max_calls: maxCalls = 0, ring_seconds: ringSeconds = 0, sources = [] } = value;
  const fields = [generation, shard, maxCalls, ringSeconds, sets, targets.join(",")].map(String);
  return joined(sources.length > 0 ? [...fields, sources.join(",")] : fields);
}

export function readConnectionText({ key, text }: Row): { item: HeldItem; sets: string } | undefined {
  const fields = text.split("|");
  const [generation = "", shard = "", maxCalls = "", ringSeconds = "", sets = "", list = "", sources] =
    fields;
  if (fields.length < 6 || fields.length > 7 || ![generation, shard, maxCalls, ringSeconds].every(isWhole))
    return undefined;
  const targets: ConnectionValue["targets"] = [];
  for (const target of list === "" ? [] : list.split(",")) {
    const parts = /^(?:\[([^\]]+)\]|([^:]+)):(\d+):(udp|tcp|tls):(\d+):(\d+)$/.exec(target);
    if (!parts) return undefined;
    targets.push({
      host: parts[1] ?? parts[2]!,
      port: Number(parts[3]),
      transport: parts[4] as "udp" | "tcp" | "tls",
      priority: Number(parts[5]),
      weight: Number(parts[6]),
    });
  }
  const value: ConnectionValue = { targets };
  if (maxCalls !== "0") value.max_calls = Number(maxCalls);
  if (ringSeconds !== "0") value.ring_seconds = Number(ringSeconds);
  if (sources) value.sources = sources.split(",");
  return {
    item: { kind: "connection", id: key, shard: Number(shard), generation: Number(generation), value },
    sets,
  };
}

/** The names that a row's calls need resolved, as keys of table `host`. */
export function hostsIn(table: SwitchTable, text: string): string[] {
  if (table === "rt") {
    const fields = text.split("|");
    return uriStepsIn(fields).flatMap(({ host }) => fields[host] || []);
  }
  const read = table === "cn" ? readConnectionText({ key: "", text }) : undefined;
  if (!read || !("targets" in read.item.value)) return [];
  return read.item.value.targets.flatMap((target) => (isIP(target.host) ? [] : targetKey(target)));
}

/** Returns the text with barred URIs replaced by no destination. Returns the same text if none is barred. */
export function withoutBarred(text: string, isBarred: (uri: string) => boolean): string {
  const fields = text.split("|");
  const barred = uriStepsIn(fields).filter(
    ({ argument, host }) => fields[host] === "" && isBarred(fields[argument]!),
  );
  if (barred.length === 0) return text;
  for (const { mode, argument } of barred)
    [fields[mode], fields[argument]] = [fields[mode] === "U" ? "N" : "n", ""];
  return fields.join("|");
}

/** Key in table `host` of a connection's target. */
export function targetKey({ host, port, transport }: ConnectionValue["targets"][number]): string {
  return `${host.toLowerCase()}:${port};${transport}`;
}

/** The part of a digest that one row makes, as the switch computes it: below 2³⁰. */
export function hashOfRow({ key, text }: Row): number {
  // Kamailio's own hash alone would not do: it adds up words, so that two routes that swapped values go unseen.
  return coreHash(hash("md5", `${key} ${text}`)) & 0x3fff_ffff;
}

/** As the agent sums digests up, modulo 2⁶⁴, a sum modulo 2³⁰ has its place in the uppermost bits. */
export const asDigest = (sum: number): bigint => BigInt.asUintN(64, BigInt(sum) << 34n);

export function addHashes(one: number, other: number): number {
  return (one + other) & 0x3fff_ffff;
}

/** core_hash() of Kamailio 5.6 (src/core/hashes.h), for ASCII. */
export function coreHash(text: string): number {
  let sum = 0;
  let place = 0;
  for (; place + 4 <= text.length; place += 4) {
    const word =
      (text.charCodeAt(place) << 24) |
      (text.charCodeAt(place + 1) << 16) |
      (text.charCodeAt(place + 2) << 8) |
      text.charCodeAt(place + 3);
    sum = (sum + (word ^ (word >>> 3))) | 0;
  }
  let rest = 0;
  for (; place < text.length; place++) rest = (rest << 8) | text.charCodeAt(place);
  sum = (sum + (rest ^ (rest >>> 3))) >>> 0;
  return (sum + (sum >>> 11) + (sum >>> 13) + (sum >>> 23)) >>> 0;
}

function joined(fields: string[]): string {
  const text = fields.join("|");
  if (!/^[\x21-\x7e]*$/.test(text) || text.split("|").length !== fields.length)
    throw new UnsupportedItemError("A field contains a space, a bar or a character outside ASCII.");
  return text;
}

const isWhole = (text: string): boolean => /^\d{1,16}$/.test(text);
