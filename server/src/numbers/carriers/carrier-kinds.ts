import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { CarrierAccess, CarrierKind, CarrierKindName, OrderingCarrier } from "./carrier.ts";
import { DIDWW } from "./didww/didww.ts";
import { HTTP } from "./http/http-carrier.ts";
import { POOL } from "./pool/pool.ts";
import { TELNYX } from "./telnyx/telnyx.ts";

export interface OpenedCarrier extends CarrierAccess {
  /** The optional parts that the carrier named when it was connected. */
  features: readonly string[];
  db: Database;
  clock: Clock;
}

interface OpenKind extends CarrierKind {
  open(settings: OpenedCarrier): OrderingCarrier;
}

/** A new kind is a folder, a line here and its name in `CARRIER_KINDS`. */
export const KINDS: Readonly<Record<CarrierKindName, OpenKind>> = {
  pool: POOL,
  telnyx: TELNYX,
  didww: DIDWW,
  http: HTTP,
};
