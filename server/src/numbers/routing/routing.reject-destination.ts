import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/api-error.ts";
import { destinationFault } from "./routing.destination-fault.ts";
import { connectionsOf, type Destination, stepsOf } from "./routing.rules.ts";
import { listUnknownConnections } from "./routing.store.ts";

/** For a routing that is set later: rejects faults that are known now. `pointer` names the routing in the request. */
export async function rejectDestination(
  tx: OrganisationTx,
  app: Pick<App, "config" | "names">,
  desired: Destination,
  pointer: string,
): Promise<void> {
  const fault = await destinationFault(app, desired);
  if (fault)
    throw new ApiError("destination_not_allowed", fault, {
      errors: [{ pointer, code: "not_allowed", detail: fault }],
    });
  const [unknown] = await listUnknownConnections(tx, connectionsOf(desired));
  if (unknown === undefined) return;
  const at = stepsOf(desired).findIndex(({ connection_id: id }) => id === unknown);
  const field = `${"fallback/".repeat(at)}connection_id`;
  throw new ApiError(
    "connection_unknown",
    "No connection with this ID in this organisation and environment.",
    {
      errors: [{ pointer: `${pointer}/${field}`, code: "unknown", detail: "No connection with this ID." }],
    },
  );
}
