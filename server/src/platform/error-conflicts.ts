import { type ErrorEntry, entry } from "./error-entry.ts";

/** Conflicts of valid requests with the current state. */
export const CONFLICTS = {
  idempotency_in_progress: entry(
    409,
    "The first request with this key is still running",
    "Wait as Retry-After says and send the same request again; it will get the first one's answer.",
    "retry",
  ),
  number_not_active: entry(
    409,
    "The number is not active",
    "Its status says why: suspended numbers wait for the operator, released ones are gone.",
  ),
  release_blocked: entry(
    409,
    "The number is locked against release",
    "An owner or admin can take the lock off: PATCH the number with release_lock false.",
  ),
  release_in_progress: entry(409, "The number is being released already", "Follow the job named in job_id."),
  number_not_quarantined: entry(
    409,
    "The number does not rest after a release",
    "Only a number that was released a while ago can be taken back; its status says where it stands.",
  ),
  number_not_restorable: entry(
    409,
    "The number cannot be taken back any more",
    "Its carrier does not give numbers back, or restore_until is over. Order it again, if it is to be had.",
  ),
  restore_in_progress: entry(
    409,
    "The number is being taken back already",
    "Follow the job named in job_id.",
  ),
  carrier_refused: entry(
    409,
    "The carrier refused",
    "Nothing has changed at the carrier. Ask the operator, then try again.",
  ),
  webhook_endpoint_limit_reached: entry(
    409,
    "Too many webhook endpoints",
    "Delete endpoints that are no longer used; one endpoint can hear of every type of event.",
  ),
  finding_repaired: entry(409, "The finding has been repaired", "Reconcile again to see what is left."),
  bought_after_rollback: entry(
    409,
    "Bought after the database was rolled back",
    "The number may be a customer's: the database lost the changes of that time. Find out who ordered it, and adopt it for that organisation with POST /operator/v1/findings/{id}/adopt. If it is nobody's, return it in the carrier's portal.",
  ),
  finding_outdated: entry(
    409,
    "The finding is no longer true",
    "The number has been ordered since. Reconcile again to see what is left.",
  ),
  connection_in_use: entry(
    409,
    "Numbers still use this connection",
    "Point them elsewhere first; the list of numbers can be filtered by mode.",
  ),
  connection_name_taken: entry(409, "There is a connection of that name", "Choose another name."),
  switch_name_taken: entry(409, "That name is taken", "Choose another name."),
  bulk_change_not_planned: entry(
    409,
    "The bulk change has been started or has expired",
    "Read it to see how far it is; plan again to change more.",
  ),
  number_not_available: entry(
    409,
    "At least one number is not available",
    "Search the inventory again; it may have been taken meanwhile.",
  ),
  reservation_not_active: entry(
    409,
    "The reservation does not hold its numbers any more",
    "It has expired, or was cancelled or ordered; reserve again, or order by numbers.",
  ),
  order_incomplete: entry(
    409,
    "Not all of the ordered numbers could be had",
    "The order was for all or nothing, so nothing was kept. Its items say which numbers were not to be had; order the others again.",
  ),
  epoch_ended: entry(
    409,
    "The report belongs to an epoch that has ended",
    "Open the stream again; the agent starts over with a snapshot.",
  ),
  last_owner: entry(409, "An organisation needs an owner", "Make somebody else an owner first."),
  already_member: entry(409, "Already a member", "Change the member's role instead of inviting again."),
  already_invited: entry(
    409,
    "Already invited",
    "Withdraw the open invitation first if the role should be another.",
  ),
  account_exists: entry(
    409,
    "There is an account with this address",
    "Sign in with it, then accept the invitation again.",
  ),
  api_key_limit_reached: entry(409, "Too many API keys", "Revoke keys that are no longer used."),
  api_key_not_active: entry(
    409,
    "The key is revoked or expired",
    "Create a new key; what has ended cannot be rotated.",
  ),
  saved_state_not_uploaded: entry(
    409,
    "Saved state not uploaded",
    "Request it with POST /operator/v1/saved-states/{id}/request and wait until its status is `uploaded`.",
  ),
  saved_state_incomplete: entry(
    409,
    "Saved state incomplete",
    "Announce the saved states again and upload all parts of this one.",
  ),
} as const satisfies Record<string, ErrorEntry>;
