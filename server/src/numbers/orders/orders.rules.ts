import { type HeldUp, isHeldUp, needsAction } from "./orders.requirements.rules.ts";

export const ORDER_STATUSES = [
  "pending",
  "processing",
  "completed",
  "partially_completed",
  "failed",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const ITEM_STATUSES = [
  "pending",
  "submitted",
  "action_required",
  "succeeded",
  "failed",
  "outcome_unknown",
] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/** Status that callers see for each step of an item. */
export const WIRE_STATUS = {
  /** Wanted by criteria, and no number is chosen yet. */
  wanted: "pending",
  chosen: "pending",
  /** The request to the carrier is sent, or about to be. */
  submitted: "submitted",
  /** The request was sent, and no valid response was received. */
  unknown: "outcome_unknown",
  bought: "submitted",
  active: "succeeded",
  refused: "failed",
  /** Bought, and on its way back. */
  returning: "submitted",
  returned: "failed",
  /** Bought, not wanted, and not returned: it has no holder, and reconciliation shows it to the operator. */
  stranded: "failed",
} as const satisfies Record<string, ItemStatus>;
export type Step = keyof typeof WIRE_STATUS;

/** An active number is complete when the carrier delivers its calls as desired. */
export function statusOf(item: Progressing): ItemStatus {
  if (needsAction(item)) return "action_required";
  const { step, is_delivered = true } = item;
  return step === "active" && !is_delivered ? "submitted" : WIRE_STATUS[step];
}

interface Progressing extends HeldUp {
  step: Step;
  is_delivered?: boolean;
}

/** Chosen numbers can be sold to others. After this many choices, the item fails as not available. */
const MOST_ROUNDS = 5;

export function canChooseAgain(round: number): boolean {
  return round < MOST_ROUNDS;
}

/** A carrier that has rejected a return this often, over some minutes, will not accept it. */
const MAX_REJECTIONS = 12;

export function isRejectedForGood(refusals: number): boolean {
  return refusals >= MAX_REJECTIONS;
}

export interface Progress {
  succeeded: number;
  failed: number;
}

export function progressOf(items: readonly Progressing[]): Progress {
  const count = (status: ItemStatus): number => items.filter((item) => statusOf(item) === status).length;
  return { succeeded: count("succeeded"), failed: count("failed") };
}

/** How an order ends whose items ended so. */
export function endOf({ succeeded, failed }: Progress): OrderStatus {
  if (failed === 0) return "completed";
  return succeeded === 0 ? "failed" : "partially_completed";
}

export type Move =
  /** Query the outcome of a purchase. */
  | { kind: "ask"; reference: string }
  /** Not all numbers are available, so none is wanted. */
  | { kind: "abandon" }
  | { kind: "giveBack"; position: number }
  | { kind: "choose" }
  | { kind: "submit" }
  | { kind: "activate" }
  | { kind: "route" }
  | { kind: "deliver" }
  | { kind: "end" };

export interface OrderState {
  all_or_nothing: boolean;
  routing: object | null;
  items: readonly ItemState[];
}

interface ItemState extends HeldUp {
  position: number;
  step: Step;
  reference: string | null;
  is_routed: boolean;
  /** Default: true. */
  is_delivered?: boolean;
}

/**
 * Next move of an order that is not stuck. Undefined if all remaining moves are stuck, so the order waits. Purchases
 * in progress come first, because they decide whether numbers must be returned.
 */
export function nextMove(order: OrderState, stuck: ReadonlySet<string> = new Set()): Move | undefined {
  const { items, all_or_nothing: isWhole } = order;
  const at = (...steps: Step[]): readonly ItemState[] => items.filter(({ step }) => steps.includes(step));
  const isLost = isWhole && at("refused", "returning", "returned", "stranded").length > 0;
  const isBought = isWhole ? items.every(({ step }) => step === "bought") : at("bought").length > 0;
  const isDelivering = at("active").some(({ is_delivered = true }) => !is_delivered);
  const underWay = new Set(at("submitted", "unknown").map(({ reference }) => reference!));
  const due: (Move | false)[] = [
    ...[...underWay].map((reference): Move => ({ kind: "ask", reference })),
    isLost && (at("wanted", "chosen", "bought").length > 0 || items.some(isHeldUp)) && { kind: "abandon" },
    ...at("returning").map(({ position }): Move => ({ kind: "giveBack", position })),
    at("wanted").length > 0 && { kind: "choose" },
    at("chosen").length > 0 && !(isWhole && at("wanted").length > 0) && { kind: "submit" },
    isBought && { kind: "activate" },
    order.routing !== null && at("active").some((item) => !item.is_routed) && { kind: "route" },
    isDelivering && { kind: "deliver" },
    at("active", "refused", "returned", "stranded").length === items.length &&
      !isDelivering && { kind: "end" },
  ];
  return due.find((move): move is Move => move !== false && !stuck.has(nameOf(move)));
}

/** Key of a stuck move. */
export function nameOf(move: Move): string {
  return Object.values(move).join(" ");
}
