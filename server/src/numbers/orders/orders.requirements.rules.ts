import type { CarrierRequirement } from "../carriers/carrier.ts";

export type { EndUser, RequirementType } from "../carriers/carrier.ts";

/** Statuses that callers see. */
export const REQUIREMENT_STATUSES = ["missing", "pending", "accepted", "rejected"] as const;
export type RequirementStatus = (typeof REQUIREMENT_STATUSES)[number];

/** `submitting`: stored here, and not confirmed by the carrier. */
export type StoredStatus = RequirementStatus | "submitting";

export function shownStatus(status: StoredStatus): RequirementStatus {
  return status === "submitting" ? "pending" : status;
}

/** Part of an item that shows whether it waits for evidence. */
export interface HeldUp {
  step: string;
  /** Default: none. */
  requirements?: readonly { status: StoredStatus }[];
}

/** Whether the carrier sells the number only after it has accepted more evidence. */
export function isHeldUp({ step, requirements = [] }: HeldUp): boolean {
  return step === "submitted" && requirements.some(({ status }) => status !== "accepted");
}

/** Whether the customer has to submit something. */
export function needsAction({ step, requirements = [] }: HeldUp): boolean {
  return step === "submitted" && requirements.some(({ status }) => isOpen(status));
}

/** Whether the carrier has to decide about evidence. */
export function isReviewing(items: readonly HeldUp[]): boolean {
  return items.some(
    ({ step, requirements = [] }) =>
      step === "submitted" &&
      requirements.some(({ status }) => status === "submitting" || status === "pending"),
  );
}

/** Whether evidence can be submitted. */
export function isOpen(status: StoredStatus): boolean {
  return status === "missing" || status === "rejected";
}

interface Dated {
  status: StoredStatus;
  updated_at: string;
}

/** Last change of the requirements of an item that waits for the customer. Undefined if it does not. */
export function waitsSince(
  item: Omit<HeldUp, "requirements"> & { requirements: readonly Dated[] },
): Date | undefined {
  if (!needsAction(item)) return undefined;
  return new Date(Math.max(...item.requirements.map(({ updated_at }) => Date.parse(updated_at))));
}

const DAY_MS = 86_400_000;

/** Until then the customer can submit evidence. Afterwards the item ends. */
export function endOfWaiting(since: Date, days: number): Date {
  return new Date(since.getTime() + days * DAY_MS);
}

export interface KnownRequirement {
  status: StoredStatus;
  reference: string | null;
}

/** Status after the carrier has listed a requirement. Older submissions than the last one decide nothing. */
export function statusAfter(
  known: KnownRequirement | undefined,
  { status, submission }: Pick<CarrierRequirement, "status" | "submission">,
): StoredStatus {
  if (!known || known.reference === null) return status;
  if (status === "accepted") return status;
  return status !== "missing" && submission === known.reference ? status : known.status;
}
