import { Refusal } from "../../platform/refusal.ts";
import type { Outcome } from "./routing.store.ts";

export function refuseUnlessDone(
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
): Refusal {
  switch (outcome) {
    case "number_not_found":
      return noSuchNumber();
    case "generation_mismatch":
      return new Refusal("generation_mismatch", `The routing is at generation ${generation} now.`, {
        members: { generation: Number(generation) },
        headers: { etag: `"${generation}"` },
      });
    case "number_not_active":
      return new Refusal("number_not_active", "The routing of a number can be set only while it is active.");
    case "destination_not_allowed":
      return new Refusal("destination_not_allowed", fault ?? "Calls may not be sent there.");
    case "connection_not_found":
      return new Refusal("connection_unknown", "There is no such connection here.", {
        errors: [{ pointer: "#/connection_id", code: "unknown", detail: "Not a connection of yours." }],
      });
    case "forward_loop":
      return new Refusal("forward_loop", "Calls forwarded there would come back to this number.");
  }
}

export function noSuchNumber(): Refusal {
  return new Refusal("number_not_found", "There is no such thing here.");
}
