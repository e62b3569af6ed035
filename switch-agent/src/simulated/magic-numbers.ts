/** Numbers that simulate every response of a switch. */
export const MAGIC_NUMBERS = {
  plain: { e164: "+12025550100", what: "Changes apply at once, as with any other number." },
  slow: {
    e164: "+12025550101",
    what: "Each change is pending for 3 seconds, then applied.",
  },
  refusing: {
    e164: "+12025550102",
    what: "The switch rejects every change except to mode `unrouted`. Calls keep the earlier route.",
  },
  drifting: {
    e164: "+12025550103",
    what: "The switch drifts to `unrouted` 2 seconds after each change. The next audit repairs it, and it drifts again 2 seconds later.",
  },
  silent: {
    e164: "+12025550104",
    what: "The switch never responds to a change except to mode `unrouted`. The change fails after 5 seconds and is retried.",
  },
  called: {
    e164: "+12025550105",
    what: "While it is routed, it receives a call every 15 seconds: answered for 20 seconds, then busy, unanswered, cancelled, rejected, failed, and so on.",
  },
} as const;

export const SLOW_MS = 3_000;
export const DRIFT_MS = 2_000;
export const CALLED_MS = 15_000;
