export type StoredStatus = "active" | "ordered" | "cancelled";
export type Status = StoredStatus | "expired";

/** Nobody has to come by and end a reservation: it has ended when its time is. */
export function statusAt(
  { status, expires_at }: { status: StoredStatus; expires_at: Date },
  now: Date,
): Status {
  return status === "active" && expires_at.getTime() <= now.getTime() ? "expired" : status;
}
