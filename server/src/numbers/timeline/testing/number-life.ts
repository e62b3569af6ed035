/** Steps in the life of a number that other features take. */
export { sweepDrift } from "../../../switching/switches/switches.drift.ts";
export { suspendHeld } from "../../numbers/numbers.suspension.ts";
export { advanceReleaseJob } from "../../releases/releases.jobs.ts";
