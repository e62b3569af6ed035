import { Rejection } from "./memory-rejection.ts";

/** Evidence that a number needs before it is sold. */
export interface Requirement {
  id: string;
  type: "address" | "document" | "end_user";
  description: string;
  country: string | null;
  document_kinds: string[];
}

/** One of them is set. */
export interface Evidence {
  address: { city: string } | null;
  document: { file_name: string } | null;
  end_user: { name: string } | null;
}

export interface Submitted {
  order: string;
  number: string;
  requirement: string;
  evidence: Evidence;
}

export interface SubmissionState {
  status: "pending" | "accepted" | "rejected";
  reason: string | null;
}

interface Recorded extends Submitted {
  at: number;
}

/** Requirements of numbers, and what was submitted for them. */
export class MemoryRequirements {
  readonly #needs = new Map<string, Requirement[]>();
  /** By reference, oldest first. */
  readonly #submissions = new Map<string, Recorded>();
  /** Time that a review takes. */
  reviewMs = 0;

  regulate(numbers: readonly string[], requirements: Requirement[]): void {
    for (const number of numbers) this.#needs.set(number, requirements);
  }

  needsEvidence(number: string): boolean {
    return this.#needs.has(number);
  }

  isMet(order: string, number: string, now: number): boolean {
    return this.list(order, [number], now).every(({ status }) => status === "accepted");
  }

  list(order: string, numbers: readonly string[], now: number) {
    return numbers.flatMap((number) =>
      (this.#needs.get(number) ?? []).map((needed) => {
        const last = [...this.#submissions].findLast(
          ([, one]) => one.order === order && one.number === number && one.requirement === needed.id,
        );
        const state = last ? this.#stateOf(last[1], now) : { status: "missing" as const, reason: null };
        return { number, ...needed, ...state, submission: last?.[0] ?? null };
      }),
    );
  }

  submit(reference: string, wanted: Submitted, now: number): SubmissionState {
    const earlier = this.#submissions.get(reference);
    if (earlier) {
      if (earlier.number !== wanted.number || earlier.requirement !== wanted.requirement)
        throw new Rejection(409, "reference_used", "The reference names another submission.");
      return this.#stateOf(earlier, now);
    }
    const needed = this.#needs.get(wanted.number)?.find(({ id }) => id === wanted.requirement);
    if (!needed || wanted.evidence[needed.type] === null)
      throw new Rejection(422, "not_required", "The order does not need this evidence.");
    const recorded = { ...wanted, at: now };
    this.#submissions.set(reference, recorded);
    return this.#stateOf(recorded, now);
  }

  /** A real carrier has people who review it. This one rejects what says so. */
  #stateOf({ at, evidence: { address, document, end_user } }: Recorded, now: number): SubmissionState {
    if (now < at + this.reviewMs) return { status: "pending", reason: null };
    const isRejected =
      address?.city === "Rejected" ||
      document?.file_name.startsWith("rejected") === true ||
      end_user?.name === "Rejected";
    return isRejected
      ? { status: "rejected", reason: "The evidence says that it is rejected." }
      : { status: "accepted", reason: null };
  }
}
