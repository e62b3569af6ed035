import type { Environment, Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import type { Author } from "../../events/audit/audit.ts";
import { type AddedHolding, insertHoldings } from "./numbers.stock.store.ts";

export interface NewNumber {
  /** ID that the number had before a restore of the database. Default: a new one. */
  id?: string;
  e164: string;
  country: string | null;
  type: string;
  label?: string;
  tags?: readonly string[];
}

export interface NewHoldings {
  organisationId: string;
  environment: Environment;
  /** Name of the switch group for new numbers (default: the environment's default group). */
  group?: string;
  source: "order" | "import";
  orderId?: string;
  /** Carrier to notify when they are released. */
  carrier?: string;
  numbers: readonly NewNumber[];
}

/**
 * Adds numbers to the organisation, each with an unrouted routing, an event and an audit entry. It locks the
 * organisation's event head and the numbers' shards until the commit, so call it last. A number that cannot be added
 * gets another outcome and changes nothing.
 */
export async function addHoldings(
  tx: Tx,
  author: Author,
  at: Date,
  { organisationId, environment, group, source, orderId, carrier, numbers }: NewHoldings,
): Promise<AddedHolding[]> {
  return insertHoldings(tx, {
    organisationId,
    environment,
    group: group ?? null,
    source,
    orderId: orderId ?? null,
    carrier: carrier ?? null,
    author: {
      kind: author.actor_kind,
      id: author.actor_id,
      name: author.actor_name,
      request_id: author.request_id,
      address: author.address,
    },
    rows: numbers.map((number) => ({
      ...number,
      id: number.id ?? newId(),
      number_id: newId(),
      event_id: newId(),
      audit_id: newId(),
    })),
    at,
  });
}
