import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Destination } from "./routing.rules.ts";
import type { Outcome, RoutingChange } from "./routing.store.ts";

interface DecidedRow {
  number_id: string;
  outcome: Outcome | "publish_again";
  generation: string | null;
}

export async function decideRoutingRows(
  tx: OrganisationTx,
  items: readonly { numberId: string; generation: number }[],
  desired: Destination,
  isForbidden: boolean,
): Promise<DecidedRow[]> {
  const numberIds = items.map(({ numberId }) => numberId);
  const generations = items.map(({ generation }) => generation);
  return tx.query<DecidedRow>("select * from decide_routings($1, $2, $3, $4)", [
    numberIds,
    generations,
    desired,
    isForbidden,
  ]);
}

export async function setRoutingRows(
  tx: OrganisationTx,
  change: {
    numberIds: readonly string[];
    again: readonly string[];
    desired: Destination;
    author: RoutingChange["author"];
    eventIds: readonly string[];
    auditIds: readonly string[];
    at: Date;
  },
): Promise<{ waitedMs: number }> {
  const { numberIds, again, desired, author, eventIds, auditIds, at } = change;
  const [row] = await tx.query<{ waitedMs: number }>(
    'select set_routings($1, $2, $3, $4, $5, $6, $7) as "waitedMs"',
    [numberIds, again, desired, author, eventIds, auditIds, at],
  );
  return row!;
}
