import { hash } from "node:crypto";
import { isIP } from "node:net";
import type { ConnectionValue, RouteValue } from "../control-plane.ts";
import type { HeldItem } from "../held-item.ts";

/** The tables of a switch's memory: routes by number, connections by id, addresses by name. */
export type SwitchTable = "rt" | "cn" | "host";

/** A key of a table, and its text. */
export interface Row {
  key: string;
  text: string;
}

/** The switch cannot store the value in a form that reads back unchanged. */
export class UnsupportedItemError extends Error {}

const MODES = { u: "sip_uri", c: "connection", n: "unrouted", f: "forward", w: "webhook" } as const;
type Letter = keyof typeof MODES;
type Mode = (typeof MODES)[Letter];
const LETTERS = Object.fromEntries(Object.entries(MODES).map(([letter, mode]) => [mode, letter])) as Record<
  Mode,
  Letter
>;
/** In place of an argument, on a number whose calls are the operator's. */
const QUARANTINED = "resting";
const E164 = /^\+[1-9]\d{1,14}$/;
/** Positions of mode, argument and host in a route's text. */
const [OWN, FALLBACK] = [
  [0, 4, 5],
  [6, 7, 8],
] as const;

/** mode|generation|shard|number id|argument|host|fallback mode|fallback argument|fallback host */
export function routeRow({ id, shard, generation, value }: HeldItem): Row {
  if (!("mode" in value) || !E164.test(value.e164))
    throw new UnsupportedItemError("Not a route of a number.");
  const own = value.is_resting ? QUARANTINED : argumentOf(value);
  const fields = [LETTERS[value.mode], String(generation), String(shard), id, own, hostKeyOf(value, own)];
  if (value.fallback) {
    const other = argumentOf(value.fallback);
    fields.push(LETTERS[value.fallback.mode], other, hostKeyOf(value.fallback, other));
  } else fields.push("", "", "");
  return { key: value.e164, text: joined(fields) };
}

/** Undefined for what no agent of this project would have written. */
export function readRouteRow({ key, text }: Row): HeldItem | undefined {
  const fields = text.split("|");
  const [letter = "", generation = "", shard = "", id = "", own = "", , other = "", otherArgument = ""] =
    fields;
  if (fields.length !== 9 || !E164.test(key) || id === "") return undefined;
  if (!isWhole(generation) || !isWhole(shard) || !(letter in MODES)) return undefined;
  const mode = MODES[letter as Letter];
  const value: RouteValue = { e164: key, mode, ...argumentFields(mode, own) };
  if (mode === "unrouted" && own === QUARANTINED) value.is_resting = true;
  if (other !== "") {
    const fallback = other === "u" || other === "c" || other === "n" ? MODES[other] : undefined;
    if (fallback === undefined) return undefined;
    value.fallback = { ...argumentFields(fallback, otherArgument), mode: fallback };
  }
  return { kind: "route", id, shard: Number(shard), generation: Number(generation), value };
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

/** A webhook's URL from a row's argument. */
export function readWebhookUrl(text: string): string {
  return text.replaceAll("%20", " ").replaceAll("%7C", "|").replaceAll("%25", "%");
}

/** The names that a row's calls need resolved, as keys of table `host`. */
export function hostsIn(table: SwitchTable, text: string): string[] {
  if (table === "rt") {
    const fields = text.split("|");
    return [fields[5], fields[8]].filter((host) => host !== undefined && host !== "") as string[];
  }
  const read = table === "cn" ? readConnectionText({ key: "", text }) : undefined;
  if (!read || !("targets" in read.item.value)) return [];
  return read.item.value.targets.flatMap((target) => (isIP(target.host) ? [] : targetKey(target)));
}

/** Returns the text with barred URIs replaced by no destination. Returns the same text if none is barred. */
export function withoutBarred(text: string, isBarred: (uri: string) => boolean): string {
  const fields = text.split("|");
  const barred = [OWN, FALLBACK].filter(
    ([mode, argument, host]) => fields[mode] === "u" && fields[host] === "" && isBarred(fields[argument]!),
  );
  if (barred.length === 0) return text;
  for (const [mode, argument] of barred) [fields[mode], fields[argument]] = ["n", ""];
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

type Destination = Pick<RouteValue, "sip_uri" | "connection_id" | "forward_to" | "webhook_url"> & {
  mode: Mode;
};

function argumentOf(to: Destination): string {
  switch (to.mode) {
    case "sip_uri":
      return to.sip_uri ?? "";
    case "connection":
      return to.connection_id ?? "";
    case "forward":
      return to.forward_to ?? "";
    case "webhook":
      return (to.webhook_url ?? "").replaceAll("%", "%25").replaceAll("|", "%7C").replaceAll(" ", "%20");
    default:
      return "";
  }
}

function argumentFields(mode: Mode, text: string): Omit<Destination, "mode"> {
  switch (mode) {
    case "sip_uri":
      return { sip_uri: text };
    case "connection":
      return { connection_id: text };
    case "forward":
      return { forward_to: text };
    case "webhook":
      return { webhook_url: readWebhookUrl(text) };
    default:
      return {};
  }
}

/** Empty where the URI's host is an address: then nothing has to be resolved. */
function hostKeyOf({ mode }: Destination, uri: string): string {
  if (mode !== "sip_uri") return "";
  const parts = /^(sips?):(?:[^@]*@)?([^;?@:[\]]+)(?::(\d+))?((?:;[^;?@]*)*)$/i.exec(uri);
  if (!parts) return "";
  const [, scheme = "", host = "", port, parameters = ""] = parts;
  if (isIP(host)) return "";
  const named = /;transport=(\w+)/i.exec(parameters)?.[1]?.toLowerCase();
  const transport = scheme.toLowerCase() === "sips" ? "tls" : named;
  return `${host.toLowerCase()}${port ? `:${port}` : ""}${transport ? `;${transport}` : ""}`;
}

function joined(fields: string[]): string {
  const text = fields.join("|");
  if (!/^[\x21-\x7e]*$/.test(text) || text.split("|").length !== fields.length)
    throw new UnsupportedItemError("A field contains a space, a bar or a character outside ASCII.");
  return text;
}

const isWhole = (text: string): boolean => /^\d{1,16}$/.test(text);
