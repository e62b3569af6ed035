import { ApiError } from "../../platform/api-error.ts";
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
      return new ApiError("generation_mismatch", `The routing is at generation ${generation} now.`, {
        members: { generation: Number(generation) },
        headers: { etag: `"${generation}"` },
      });
    case "number_not_active":
      return new ApiError("number_not_active", "The routing of a number can be set only while it is active.");
    case "destination_not_allowed":
      return new ApiError("destination_not_allowed", fault ?? "Calls may not be sent there.");
    case "connection_not_found":
      return new ApiError("connection_unknown", "There is no such connection here.", {
        errors: [{ pointer: "#/connection_id", code: "unknown", detail: "Not a connection of yours." }],
      });
    case "forward_loop":
      return new ApiError("forward_loop", "Calls forwarded there would come back to this number.");
  }
}

export function noSuchNumber(): ApiError {
  return new ApiError("number_not_found", "There is no such thing here.");
}
