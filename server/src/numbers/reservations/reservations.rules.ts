export type StoredStatus = "active" | "ordered" | "cancelled";
export type Status = StoredStatus | "expired";

/** Expiry follows from the time, so no worker has to end reservations. */
export function statusAt(
  { status, expires_at }: { status: StoredStatus; expires_at: Date },
  now: Date,
): Status {
  return status === "active" && expires_at.getTime() <= now.getTime() ? "expired" : status;
}
