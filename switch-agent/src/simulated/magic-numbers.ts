/** Numbers that simulate every response of a switch. */
export const MAGIC_NUMBERS = {
  plain: { e164: "+12025550100", what: "Works at once, as any other number does." },
  slow: {
    e164: "+12025550101",
    what: "Each change takes 3 seconds: it is pending first, then applied.",
  },
  refusing: {
    e164: "+12025550102",
    what: "The switch refuses every change to anything but mode `unrouted`; calls go on as before.",
  },
  drifting: {
    e164: "+12025550103",
    what: "2 seconds after each change the switch holds `unrouted` by itself: the next audit finds and repairs it, and 2 seconds later it drifts again.",
  },
  silent: {
    e164: "+12025550104",
    what: "The switch never answers a change to anything but mode `unrouted`: it fails after 5 seconds and is tried again.",
  },
  called: {
    e164: "+12025550105",
    what: "While it leads anywhere, a call comes every 15 seconds: answered for 20 seconds, then busy, unanswered, cancelled, rejected, failed, and so on.",
  },
} as const;

export const SLOW_MS = 3_000;
export const DRIFT_MS = 2_000;
export const CALLED_MS = 15_000;
