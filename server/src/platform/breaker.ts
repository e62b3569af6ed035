import type { Clock } from "./clock.ts";

/** Keeps callers from somebody who does not answer: they would wait in vain, and hold up others while they do. */
export interface Breaker {
  /** Nothing while it is open. Every pass that was given must be told how the call ended. */
  enter(): Pass | undefined;
  isOpen(): boolean;
}

export interface Pass {
  succeeded(): void;
  /** Counts once for each pass. One that has failed can succeed still: late is better than never. */
  failed(): void;
}

/** It opens after so many failures in a row, and lets one call through to try after each pause. */
export function openBreaker(
  clock: Clock,
  { failures, pauseMs }: { failures: number; pauseMs: number },
): Breaker {
  let inARow = 0;
  let shutUntil: number | undefined;
  let isTrying = false;

  const open = (): void => {
    shutUntil = clock.now().getTime() + pauseMs;
    isTrying = false;
  };
  const passOf = (isTrial: boolean): Pass => {
    let hasFailed = false;
    return {
      succeeded() {
        inARow = 0;
        shutUntil = undefined;
        isTrying = false;
      },
      failed() {
        if (hasFailed) return;
        hasFailed = true;
        inARow++;
        // What was under way before it opened must not keep it open.
        if (isTrial || (shutUntil === undefined && inARow >= failures)) open();
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
