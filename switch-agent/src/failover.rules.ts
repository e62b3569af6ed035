import type { FailureCause, RouteStep } from "./control-plane.ts";

/** undecided: a webhook's server names no destination. */
export type StepFailure = FailureCause | "undecided";

/** The step that takes the call. Undefined if the call ends with the failed step. */
export function nextStep({ fallback }: RouteStep, failure: StepFailure): RouteStep | undefined {
  if (!fallback || failure === "undecided") return fallback;
  return fallback.on?.includes(failure) ? fallback : undefined;
}

/** Failure that a target's final response means. Undefined if it answers. */
export function failureOf(code: number): FailureCause | undefined {
  if (code < 300) return undefined;
  if (code === 408) return "no_answer";
  if (code === 486 || code === 600) return "busy";
  const isElsewhere = code < 400 || code === 401 || code === 407 || code === 480;
  return isElsewhere || (code >= 500 && code < 600) ? "unreachable" : "refused";
}
