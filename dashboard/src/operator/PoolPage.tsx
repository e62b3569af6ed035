import type { Pool } from "@dialplane/sdk/operator";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Database } from "lucide-react";
import { EmptyState } from "../components/EmptyState.tsx";
import { Section } from "../components/Section.tsx";
import { wordFor } from "../components/shared-text.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { HeldNumberSection } from "./HeldNumberSection.tsx";
import { OperatorPage } from "./OperatorPage.tsx";
import { PoolImportForm } from "./PoolImportForm.tsx";
import { operatorText } from "./operator-text.ts";

const poolQuery = queryOptions({
  queryKey: ["operator", "pool"],
  queryFn: ({ signal }) => withSession(() => operator.pool.count({ signal })),
});

/** The operator's own numbers: their count, and the upload of more. */
export function PoolPage() {
  const { data: pool, error } = useQuery(poolQuery);
  return (
    <OperatorPage title={operatorText.pool.title} says={operatorText.pool.about} error={error}>
      {pool && <Counts pool={pool} />}
      <PoolImportForm poolKey={poolQuery.queryKey} />
      <HeldNumberSection />
    </OperatorPage>
  );
}

function Counts({ pool: { total, free, kinds } }: { pool: Pool }) {
  if (total === 0)
    return (
      <EmptyState icon={Database} title={operatorText.pool.none}>
        {operatorText.pool.noneHint}
      </EmptyState>
    );
  return (
    <Section
      title={operatorText.pool.inventory}
      aside={<p className="text-sm text-ink-2 tabular-nums">{operatorText.pool.available(free, total)}</p>}
    >
      <div className="overflow-x-auto rounded-lg border border-line bg-surface">
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-ink-2">
            <tr>
              {[
                operatorText.pool.columns.country,
                operatorText.pool.columns.type,
                operatorText.pool.columns.total,
                operatorText.pool.columns.free,
                operatorText.pool.columns.held,
              ].map((name, at) => (
                <th key={name} scope="col" className={`px-4 py-2 font-medium ${at > 1 ? "text-right" : ""}`}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {kinds.map((kind) => (
              <tr key={`${kind.country} ${kind.type}`}>
                <th scope="row" className="px-4 py-2 text-left font-medium">
                  {kind.country ?? operatorText.pool.noCountry}
                </th>
                <td className="px-4 py-2">{wordFor(kind.type)}</td>
                {[kind.total, kind.free, kind.held].map((count, at) => (
                  <td key={at} className="px-4 py-2 text-right tabular-nums">
                    {count.toLocaleString()}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
