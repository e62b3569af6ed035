import type { Environment, Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import type { Author } from "../../events/audit/audit.ts";
import { type AddedHolding, insertHoldings } from "./numbers.stock.store.ts";

export interface NewNumber {
  e164: string;
  country: string | null;
  type: string;
  label?: string;
  tags?: readonly string[];
}

export interface NewHoldings {
  organisationId: string;
  environment: Environment;
  /** Name of the switch group that new numbers go to; the side's default where left out. */
  group?: string;
  source: "order" | "import";
  orderId?: string;
  /** Who is told when they are given up. */
  carrier?: string;
  numbers: readonly NewNumber[];
}

/**
 * The numbers become the organisation's, each with a routing that begins unrouted, an event and an audit entry.
 * Locks the organisation's events and the numbers' shards until the commit, so it comes last. What cannot be
 * added is told in its row and leaves no trace.
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
      id: newId(),
      number_id: newId(),
      event_id: newId(),
      audit_id: newId(),
    })),
    at,
  });
}
