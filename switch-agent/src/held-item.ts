import { hash } from "node:crypto";
import type { ConnectionValue, FeedItem, ItemKind, RouteStep, RouteValue } from "./control-plane.ts";

export type ItemValue = RouteValue | ConnectionValue;

export interface ItemName {
  kind: ItemKind;
  id: string;
}

/** An item as the switch holds it. The generation identifies the change that is in effect. */
export interface HeldItem extends ItemName {
  shard: number;
  generation: number;
  value: ItemValue;
  /** Organisation whose forwarding limits apply. Only on routes with a step that can forward. */
  payer?: string;
}

/** The payer of a feed item, if a step of its value can forward. */
export function payerOf({ organisation_id: payer, value }: Pick<FeedItem, "organisation_id" | "value">): {
  payer?: string;
} {
  if (payer === undefined || value === null || "targets" in value) return {};
  return stepsOf(value).some(({ mode }) => mode === "forward" || mode === "webhook") ? { payer } : {};
}

/** An item as the switch should hold it, with its place in the feed. */
export interface DesiredItem extends HeldItem {
  version: number;
  /** Organisation of the item, for a restore of the database. Absent if the service did not send it. */
  holder?: string;
}

/** The organisation of a feed item, as an item stores it. */
export function holderOf({ organisation_id: holder }: Pick<FeedItem, "organisation_id">): {
  holder?: string;
} {
  return holder === undefined ? {} : { holder };
}

export const keyOf = ({ kind, id }: ItemName): string => `${kind}/${id}`;

/** One text per meaning: the order in which a value's fields were sent does not count. */
export function canonicalText(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join(",")}}`;
}

export function isSameItem(one: HeldItem | null, other: HeldItem | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.generation === other.generation &&
    one.shard === other.shard &&
    one.payer === other.payer &&
    canonicalText(one.value) === canonicalText(other.value)
  );
}

/** A hash to be summed up: equal sums mean equal sets, in whatever order they are read. */
export function hashOfItem({ kind, id, shard, generation, value, payer }: HeldItem): bigint {
  const paidBy = payer === undefined ? "" : ` ${payer}`;
  const text = `${kind} ${id} ${shard} ${generation} ${canonicalText(value)}${paidBy}`;
  return hash("md5", text, "buffer").readBigUInt64LE();
}

/** Digests live in 64 bits, as a switch written in C keeps them. */
export const sumOf = (sum: bigint, added: bigint): bigint => BigInt.asUintN(64, sum + added);

/** For people: where its calls go, and which change of its owner that is. */
export function describeItem(item: HeldItem | null): string {
  return item === null ? "nothing" : `${shorten(destinationOf(item.value))} (generation ${item.generation})`;
}

function destinationOf(value: ItemValue): string {
  if ("targets" in value)
    return (
      value.targets.map(({ host, port, transport }) => `${host}:${port};${transport}`).join(", ") ||
      "no target"
    );
  return stepsOf(value).map(nameOf).join(", then ");
}

/** The step and its fallbacks, in the order in which they get the call. */
export function stepsOf(step: RouteStep): RouteStep[] {
  return [step, ...(step.fallback ? stepsOf(step.fallback) : [])];
}

function nameOf(step: RouteStep): string {
  switch (step.mode) {
    case "sip_uri":
      return step.sip_uri ?? "";
    case "connection":
      return `connection ${step.connection_id}`;
    case "forward":
      return `forward to ${step.forward_to}`;
    case "webhook":
      return `webhook ${step.webhook_url}`;
    default:
      return "unrouted";
  }
}

/** Two of them have to fit into what the service takes. */
function shorten(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
