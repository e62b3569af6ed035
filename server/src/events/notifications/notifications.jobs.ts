import { sweepProblems } from "./notifications.sweep.ts";

/** More often than rules are due, so that a problem is notified soon after its minute. */
export const sweepProblemsChore = { name: "notifications.sweep", everyMs: 5_000, run: sweepProblems };
