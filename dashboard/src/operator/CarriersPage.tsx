import type { Reconciliation } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, LoaderCircle, Scale, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { Section } from "../components/Section.tsx";
import { TextField } from "../components/TextField.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { CarrierDialog } from "./CarrierDialog.tsx";
import { CarrierList } from "./CarrierList.tsx";
import { carriersText } from "./carriers-text.ts";
import { operatorList } from "./operator-list.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { operatorText } from "./operator-text.ts";

const list = operatorList("reconciliations", operator.reconciliations.list);

/** Carriers of the installation, and reconciliations with them. */
export function CarriersPage() {
  const [isConnecting, setConnecting] = useState(false);
  const reconciliations = useInfiniteQuery(list);
  const all = rowsOf(reconciliations.data);
  return (
    <OperatorPage
      title={operatorText.carriers.title}
      says={operatorText.carriers.about}
      error={reconciliations.error}
      aside={
        <Button look="primary" onClick={() => setConnecting(true)}>
          {carriersText.connect}
        </Button>
      }
    >
      {isConnecting && <CarrierDialog onClose={() => setConnecting(false)} />}
      <Section title={carriersText.title}>
        <CarrierList />
      </Section>
      <Section title={operatorText.carriers.reconciliations}>
        <CompareForm />
        {reconciliations.data && all.length === 0 && (
          <EmptyState icon={Scale} title={operatorText.carriers.none}>
            {operatorText.carriers.noneHint}
          </EmptyState>
        )}
        {all.length > 0 && (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {all.map((one) => (
              <Row key={one.id} one={one} />
            ))}
          </ul>
        )}
        <MoreRows list={reconciliations} />
      </Section>
    </OperatorPage>
  );
}

function CompareForm() {
  const queries = useQueryClient();
  const [carrier, setCarrier] = useState("pool");
  const compare = useMutation({
    mutationFn: () => withSession(() => operator.reconciliations.make({ carrier: carrier.trim() })),
    meta: { isShownInPlace: true },
    onSuccess: () => queries.invalidateQueries({ queryKey: list.queryKey }),
  });
  return (
    <form
      className="grid gap-3 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        compare.mutate();
      }}
    >
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="w-56"
          label={operatorText.carriers.carrier}
          maxLength={40}
          value={carrier}
          onChange={({ target }) => setCarrier(target.value)}
        />
        <Button type="submit" look="primary" isPending={compare.isPending} disabled={carrier.trim() === ""}>
          {operatorText.carriers.reconcile}
        </Button>
      </div>
      {compare.error && <FailureNotice error={compare.error} />}
    </form>
  );
}

function Row({ one }: { one: Reconciliation }) {
  const [Icon, look, says] =
    one.status === "failed"
      ? ([CircleX, "text-bad", operatorText.carriers.failed] as const)
      : one.status === "running"
        ? ([LoaderCircle, "text-wait", operatorText.carriers.running] as const)
        : one.open_findings > 0
          ? ([TriangleAlert, "text-warn", operatorText.carriers.mismatches(one.open_findings)] as const)
          : ([CircleCheck, "text-good", operatorText.carriers.noMismatches] as const);
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 hover:bg-hover">
      <div className="grid min-w-0 grow basis-48">
        <Link
          to="/operator/carriers/$reconciliation"
          params={{ reconciliation: one.id }}
          className="rounded font-medium after:absolute after:inset-0"
        >
          {one.carrier}
        </Link>
        <p className="text-xs text-ink-2">
          {one.error ?? operatorText.carriers.counts(one.held ?? 0, one.owned ?? 0)}
        </p>
      </div>
      <span className="text-xs text-ink-2">
        <RelativeTime at={one.started_at} />
      </span>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {says}
      </span>
    </li>
  );
}
