import type { Pool } from "@dialplane/sdk/operator";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Database } from "lucide-react";
import { DataTable } from "../components/DataTable.tsx";
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
  const { columns } = operatorText.pool;
  return (
    <Section
      title={operatorText.pool.inventory}
      aside={<p className="text-sm text-ink-2 tabular-nums">{operatorText.pool.available(free, total)}</p>}
    >
      <DataTable
        label={operatorText.pool.inventory}
        columns={[
          {
            title: columns.country,
            isHeader: true,
            cell: ({ country }) => country ?? operatorText.pool.noCountry,
          },
          { title: columns.type, cell: ({ type }) => wordFor(type) },
          { title: columns.total, isRight: true, cell: (kind) => kind.total.toLocaleString() },
          { title: columns.free, isRight: true, cell: (kind) => kind.free.toLocaleString() },
          { title: columns.held, isRight: true, cell: (kind) => kind.held.toLocaleString() },
        ]}
        rows={kinds}
        keyOf={({ country, type }) => `${country} ${type}`}
      />
    </Section>
  );
}
