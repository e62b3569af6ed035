import type { Finding } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleCheck, Scale } from "lucide-react";
import { useState } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { tellDone } from "../components/Toaster.tsx";
import { wordFor } from "../components/shared-text.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { operatorList } from "./operator-list.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { operatorText } from "./operator-text.ts";

const route = getRouteApi("/signed-in/operator/carriers/$reconciliation");

const KINDS: Record<string, { says: string; repair: string; asks: string }> = operatorText.carriers.kinds;

/** Mismatches with a carrier, by number. */
export function FindingsPage() {
  const { reconciliation } = route.useParams();
  const list = operatorList(`findings of ${reconciliation}`, (query) =>
    operator.reconciliations.findings(reconciliation, query),
  );
  const findings = useInfiniteQuery(list);
  const [opened, setOpened] = useState<Finding>();
  const all = rowsOf(findings.data);
  return (
    <>
      <OperatorPage
        back={<Link to="/operator/carriers">{operatorText.carriers.title}</Link>}
        title={operatorText.carriers.findings}
        says={operatorText.carriers.findingsAbout}
        error={findings.error}
      >
        {findings.data && all.length === 0 && (
          <EmptyState icon={Scale} title={operatorText.carriers.noMismatches}>
            {operatorText.carriers.noMismatchesHint}
          </EmptyState>
        )}
        {all.length > 0 && (
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {all.map((finding) => (
              <Row key={finding.id} finding={finding} onRepair={() => setOpened(finding)} />
            ))}
          </ul>
        )}
        <MoreRows list={findings} />
        {opened && (
          <RepairDialog finding={opened} queryKey={list.queryKey} onClose={() => setOpened(undefined)} />
        )}
      </OperatorPage>
    </>
  );
}

function Row({ finding, onRepair }: { finding: Finding; onRepair(): void }) {
  const { kind, e164, repaired_at, found_trunk, expected_trunk } = finding;
  const { says, repair } = KINDS[kind] ?? { says: wordFor(kind), repair: operatorText.carriers.repair };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="w-36 font-medium tabular-nums">
        <PhoneNumber e164={e164} />
      </span>
      <span className="grid min-w-0 grow basis-48 text-sm text-ink-2">
        {says}
        {expected_trunk && (
          <span className="text-xs break-all">
            {operatorText.carriers.foundTrunk(found_trunk, expected_trunk)}
          </span>
        )}
      </span>
      {repaired_at ? (
        <span className="inline-flex items-center gap-1.5 text-xs font-medium">
          <CircleCheck aria-hidden className="size-3.5 text-good" />
          {operatorText.carriers.repaired}
        </span>
      ) : (
        <Button size="small" aria-label={`${repair}: ${e164}`} onClick={onRepair}>
          {repair}
        </Button>
      )}
    </li>
  );
}

interface RepairDialogProps {
  finding: Finding;
  queryKey: readonly unknown[];
  onClose(): void;
}

function RepairDialog({ finding, queryKey, onClose }: RepairDialogProps) {
  const queries = useQueryClient();
  const { repair, asks } = KINDS[finding.kind] ?? {
    repair: operatorText.carriers.repair,
    asks: operatorText.carriers.repairHint,
  };
  const act = useMutation({
    mutationFn: () => withSession(() => operator.reconciliations.repair(finding.id)),
    meta: { isShownInPlace: true },
    onSuccess: async () => {
      tellDone(operatorText.carriers.repairDone(finding.e164));
      onClose();
      await queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={`${finding.e164}: ${repair.toLowerCase()}?`}
      action={repair}
      mutation={act}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      <p>{asks}</p>
    </ConfirmDialog>
  );
}
