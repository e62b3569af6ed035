/**
 * Settings for the row policies, until the end of the transaction. Returns no rows, because set_config is
 * never null.
 */
export const SETTINGS = {
  organisation:
    "select where set_config('app.organisation_id', $1, true) is null or set_config('app.environment', $2, true) is null",
  caller:
    "select where set_config('app.user_id', $1, true) is null or set_config('app.api_key_id', $2, true) is null",
  switch:
    "select where set_config('app.switch_id', $1, true) is null or set_config('app.switch_group_id', $2, true) is null",
  system: "select where set_config('app.task', $1, true) is null",
} as const;
export const forReading = (settings: string): string =>
  `${settings} or set_config('transaction_read_only', 'on', true) is null`;
/**
 * Also chooses a generic plan of index scans only. A generic plan expects an average organisation: for a large one, a
 * bitmap scan, a sequential scan or a sort would read all of its rows before the limit applies.
 */
export const forPlanned = (settings: string): string =>
  `${forReading(settings)} or ${PLANNED.map(([name, value]) => `set_config('${name}', '${value}', true) is null`).join(" or ")}`;

export const PLANNED = [
  ["plan_cache_mode", "force_generic_plan"],
  ["enable_bitmapscan", "off"],
  ["enable_seqscan", "off"],
  ["enable_sort", "off"],
] as const;
