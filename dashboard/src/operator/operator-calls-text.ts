export const operatorCallsText = {
  title: "Calls",
  about: "Calls of all organisations that have ended, newest first. Includes calls that matched no number.",
  organisation: "Organisation",
  noNumber: "No number",
  unmatched: "Number",
  onlyUnmatched: "matched none",
  results: { not_served: "Not served" },
  assertedCaller: "Asserted caller",
  trunk: "Trunk",
  gateway: "Gateway",
  environment: "Environment",
  openOrganisation: "Open organisation",
} as const;
