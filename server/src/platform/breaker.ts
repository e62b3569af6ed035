import type { Clock } from "./clock.ts";

/** Keeps callers from somebody who does not answer: they would wait without effect, and hold up others while they do. */
export interface Breaker {
  /** Nothing while it is open. Every pass that was given must be told how the call ended. */
  enter(): Pass | undefined;
  isOpen(): boolean;
}

export interface Pass {
  succeeded(): void;
  /** Counts once for each pass. One that has failed can succeed still: late is better than never. */
  failed(): void;
  /**
   * No answer yet. Counts each time, so that few who wait long weigh as much as many; not once somebody was answered
   * who came later or waited too: then it is the call that is lost.
   */
  waits(): void;
}

/** It opens after so many failures in a row, and lets one call through to try after each pause. */
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
    // What was in progress before it opened must not keep it open.
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
