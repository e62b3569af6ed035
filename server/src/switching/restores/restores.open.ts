import { ApiError, notFound } from "../../platform/api-error.ts";

export function openOnly<Row extends { ended_at: Date | null }>(restore: Row | undefined): Row {
  if (!restore) return missingRestore();
  if (restore.ended_at) throw new ApiError("restore_ended", "The restore has ended.");
  return restore;
}

export function missingRestore(): never {
  throw notFound("restore_not_found");
}
