import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { CarrierFault, type CarrierTrunk } from "../carriers/carrier.ts";
import { followTrunks } from "../deliveries/deliveries.ts";
import { invalid } from "./connected-carriers.faults.ts";
import type { ChangeCarrier } from "./connected-carriers.schema.ts";
import { type CarrierRow, listLiveGroups, setTrunks } from "./connected-carriers.store.ts";

type Needs = Pick<App, "clock" | "carriers">;

/** Changes the desired trunks, and nothing at the carrier: numbers delivered elsewhere become `drifting`. */
export async function changeTrunks(
  tx: Tx,
  app: Needs,
  { id, name }: CarrierRow,
  deliveries: NonNullable<ChangeCarrier["deliveries"]>,
): Promise<void> {
  const groups = deliveries.map(({ switch_group_id }) => switch_group_id.toLowerCase());
  const known = new Set(await listLiveGroups(tx, groups));
  const unknown = groups.findIndex((group, at) => !known.has(group) || groups.indexOf(group) !== at);
  if (unknown !== -1)
    throw invalid(
      `#/deliveries/${unknown}/switch_group_id`,
      "unknown",
      "Each switch group must be one of the live environment, and listed once.",
    );
  if (deliveries.length > 0 && !app.carriers.named(name)?.delivery)
    throw invalid("#/deliveries", "not_allowed", `${name} cannot deliver numbers to trunks, or is closed.`);
  await setTrunks(tx, id, deliveries);
  await followTrunks(tx, name, app.clock.now());
}

/** The trunks of the account, from the carrier. Empty if it cannot deliver numbers to trunks. */
export async function trunksOf(app: Needs, { name }: CarrierRow): Promise<CarrierTrunk[]> {
  const carrier = app.carriers.named(name);
  if (!carrier) throw new ApiError("carrier_not_found", `${name} is closed or not connected.`);
  try {
    return (await carrier.delivery?.trunks()) ?? [];
  } catch (error) {
    if (!(error instanceof CarrierFault)) throw error;
    if (error.kind === "refused") throw new ApiError("carrier_refused", error.message);
    throw new ApiError("unavailable", `${name} did not respond. Retry.`, { retryAfterSeconds: 10 });
  }
}
