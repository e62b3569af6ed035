import type { App } from "../../app.ts";
import type { OperatorOverview } from "./operator-overview.schema.ts";
import { findSwitchFacts, listOperatorProblems } from "./operator-overview.store.ts";

const MOST_LISTED = 200;

/** State of the installation at a glance. Its cost does not depend on the count of organisations or numbers. */
export async function getOperatorOverview({
  db,
  clock,
}: Pick<App, "db" | "clock">): Promise<OperatorOverview> {
  const { facts, rows } = await db.forSystem("operator", async (tx) => ({
    facts: await findSwitchFacts(tx),
    rows: await listOperatorProblems(tx, MOST_LISTED),
  }));
  return {
    as_of: clock.now().toISOString(),
    problems: rows.map(({ kind, since, type, id, label, count, error }) => ({
      kind,
      since: since?.toISOString() ?? null,
      subject: { type, id, label },
      count: Number(count),
      error,
    })),
    problems_total: Number(rows[0]?.total ?? 0),
    switches: {
      total: facts.total,
      reporting: facts.reporting,
      lag: Number(facts.lag),
      exceptions: Number(facts.exceptions),
    },
    active_calls: facts.active_calls === null ? null : Number(facts.active_calls),
  };
}
