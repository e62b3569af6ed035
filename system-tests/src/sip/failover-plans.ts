/** Failover as docs/kamailio-internals.md describes it, for comparison with a real switch. */

type StepMode = "u" | "c" | "f" | "w";

/** A destination, its behaviour, and the failures of the step before that lead to it. */
export interface PlanStep {
  mode: StepMode;
  end: StepEnd;
  /** How a webhook's server names the destination that then behaves in this way. */
  via?: "dial" | "forward";
  ring?: number;
  /** Letters of `unbr`. */
  on?: string;
}

interface End {
  /** Letter of the failure. `w`: undecided. Null if no other step may follow. */
  failure: "u" | "n" | "b" | "r" | "w" | null;
  /** Final response to the caller if the call ends with this step. */
  status: number;
  /** Responses of the destination. Undefined if no request is sent to one. */
  replies?: string[];
  modes?: StepMode[];
}

export const ENDS = {
  answers: { failure: null, status: 200, replies: ["180 Ringing", "200 OK"] },
  silent: { failure: "u", status: 480, replies: [] },
  failing: { failure: "u", status: 480, replies: ["503 Service Unavailable"] },
  away: { failure: "u", status: 480, replies: ["480 Temporarily Unavailable"] },
  redirecting: { failure: "u", status: 480, replies: ["302 Moved Temporarily"] },
  challenging: { failure: "u", status: 480, replies: ["401 Unauthorized"] },
  dead: { failure: "u", status: 480, modes: ["u", "c"] },
  ringing: { failure: "n", status: 480, replies: ["180 Ringing"] },
  late: { failure: "n", status: 480, replies: ["408 Request Timeout"] },
  busy: { failure: "b", status: 486, replies: ["486 Busy Here"] },
  "busy everywhere": { failure: "b", status: 600, replies: ["600 Busy Everywhere"] },
  full: { failure: "b", status: 486, modes: ["c"] },
  declining: { failure: "r", status: 603, replies: ["603 Decline"] },
  forbidding: { failure: "r", status: 403, replies: ["403 Forbidden"] },
  unknowing: { failure: "r", status: 404, replies: ["404 Not Found"] },
  barred: { failure: "r", status: 403, modes: ["f"] },
  undecided: { failure: "w", status: 480, modes: ["w"] },
  rejecting: { failure: null, status: 403, modes: ["w"] },
} satisfies Record<string, End>;
export type StepEnd = keyof typeof ENDS;

export const endOf = (end: StepEnd): End => ENDS[end];

/** The steps that send a request to a destination, the step that ends the call, and the response to the caller. */
export interface Course {
  tried: number[];
  last: number;
  status: number;
}

export function courseOf(plan: readonly PlanStep[]): Course {
  const tried: number[] = [];
  for (const [index, step] of plan.entries()) {
    const { failure, status, replies } = endOf(step.end);
    if (replies) tried.push(index + 1);
    const next = plan[index + 1];
    const isNext = failure !== null && next && `w${next.on ?? ""}`.includes(failure);
    if (!isNext) return { tried, last: index + 1, status };
  }
  throw new Error("A plan has at least one step.");
}

/** `pick` returns one of the given values. */
export function randomPlan(pick: <Value>(values: readonly Value[]) => Value): PlanStep[] {
  const length = pick([1, 2, 2, 3, 3, 3]);
  return Array.from({ length }, (_, index): PlanStep => {
    const mode = pick(["u", "c", "f", "w"] as const);
    const fitting = (Object.keys(ENDS) as StepEnd[]).filter((end) => {
      const { modes } = endOf(end);
      return modes ? modes.includes(mode) : true;
    });
    const end = pick(fitting);
    const on = ["u", "n", "b", "r"].filter(() => pick([true, true, false])).join("");
    const needsRing = end === "ringing" || pick([true, false]);
    return {
      mode,
      end,
      ...(mode === "w" && { via: pick(["dial", "forward"] as const) }),
      ...(needsRing && { ring: 2 }),
      ...(index > 0 && { on }),
    };
  });
}
