import type { Clock } from "./clock.ts";

/** Circuit breaker. It keeps callers from waiting for an unresponsive service and blocking others. */
export interface Breaker {
  /** Undefined while the breaker is open. The caller must report the result to the pass. */
  enter(): Pass | undefined;
  isOpen(): boolean;
}

export interface Pass {
  succeeded(): void;
  /** Counts once for each pass. One that has failed can succeed still: late is better than never. */
  failed(): void;
  /**
   * Reports a call without a response yet. Each report counts, so a few long waits weigh as much as many
   * short ones. It does not count after a later success of another call: then only this call is lost.
   */
  waits(): void;
}

/** Opens after `failures` consecutive failures. After each pause it lets one trial call through. */
export function openBreaker(
  clock: Clock,
  { failures, pauseMs }: { failures: number; pauseMs: number },
): Breaker {
  let inARow = 0;
  let successes = 0;
  let shutUntil: number | undefined;
  let isTrying = false;

  const open = (): void => {
    shutUntil = clock.now().getTime() + pauseMs;
    isTrying = false;
  };
  const count = (isTrial: boolean): void => {
    inARow++;
    // Calls that began before it opened must not keep it open.
    if (isTrial || (shutUntil === undefined && inARow >= failures)) open();
  };
  const passOf = (isTrial: boolean): Pass => {
    const successesBefore = successes;
    let hasFailed = false;
    return {
      succeeded() {
        successes++;
        inARow = 0;
        shutUntil = undefined;
        isTrying = false;
      },
      failed() {
        if (!hasFailed) count(isTrial);
        hasFailed = true;
      },
      waits() {
        if (successes > successesBefore || (isTrial && hasFailed)) return;
        hasFailed = true;
        count(isTrial);
      },
    };
  };
  return {
    enter() {
      if (shutUntil === undefined) return passOf(false);
      if (isTrying || clock.now().getTime() < shutUntil) return undefined;
      isTrying = true;
      return passOf(true);
    },
    isOpen: () => shutUntil !== undefined,
  };
}
