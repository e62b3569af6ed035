import { ApiError, notFound } from "../../platform/api-error.ts";
import type { Outcome } from "./routing.store.ts";

export function rejectUnlessDone(
  outcome: Outcome,
  generation: string | null,
  fault: string | undefined,
): "set" | "unchanged" {
  if (outcome === "set" || outcome === "unchanged") return outcome;
  throw errorOf(outcome, generation, fault);
}

/** The error of an outcome that changes nothing because a check failed. */
export function errorOf(
  outcome: Exclude<Outcome, "set" | "unchanged">,
  generation: string | null,
  fault: string | undefined,
): ApiError {
  switch (outcome) {
    case "number_not_found":
      return noSuchNumber();
    case "generation_mismatch":
      return new ApiError(
        "generation_mismatch",
        `The routing is now at generation ${generation}. Read it again, then repeat your change.`,
        {
          members: { generation: Number(generation) },
          headers: { etag: `"${generation}"` },
        },
      );
    case "number_not_active":
      return new ApiError(
        "number_not_active",
        "The number is not active. Only active numbers can be routed.",
      );
    case "destination_not_allowed":
      return new ApiError("destination_not_allowed", fault ?? "Calls to this destination are not allowed.");
    case "connection_not_found":
      return new ApiError(
        "connection_unknown",
        "No connection with this ID in this organisation and environment.",
        {
          errors: [{ pointer: "#/connection_id", code: "unknown", detail: "No connection with this ID." }],
        },
      );
    case "forward_loop":
      return new ApiError("forward_loop", "Calls forwarded to this number would return to it.");
    case "switches_outdated":
      return new ApiError(
        "switches_outdated",
        "A switch of this number does not support failover yet. Ask your operator to upgrade it, then try again.",
      );
  }
}

export function noSuchNumber(): ApiError {
  return notFound("number_not_found");
}
