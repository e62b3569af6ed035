export const FINDING_KINDS = [
  "newer_on_switch",
  "only_on_switch",
  "only_here",
  "not_at_carrier",
  "not_here",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];
export const FINDING_STATES = ["open", "adopted", "dropped", "outdated"] as const;
export type FindingState = (typeof FINDING_STATES)[number];
