import type { AuditEntry } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, ScrollText } from "lucide-react";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Page } from "../components/Page.tsx";
import { paging, rowsOf } from "../components/paging.ts";
import { RequestId } from "../components/RequestId.tsx";
import { momentOf } from "../components/dates.ts";
import { withSession } from "../session/session.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { auditText } from "./audit-text.ts";

/** Audit log, newest first, including rejected requests. */
export function AuditPage() {
  useTitle(auditText.title);
  const { organisation, environment, client, name } = useOpenPlace();
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "audit"],
    queryFn: ({ signal, pageParam }) =>
      withSession(() => client.audit.list({ limit: 100, cursor: pageParam }, { signal })),
    ...paging,
  });
  const entries = rowsOf(list.data);
  return (
    <Page
      title={auditText.title}
      says={auditText.about(name)}
      asCode={() => ({ operation: "listAudit", query: { limit: 100 } })}
    >
      {list.data && entries.length === 0 && (
        <EmptyState icon={ScrollText} title={auditText.none}>
          {auditText.noneHint}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {entries.map((entry) => (
            <Row key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Page>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const isDone = entry.outcome === "done";
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover">
          {isDone ? (
            <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          ) : (
            <Ban aria-hidden className="size-4 shrink-0 text-bad" />
          )}
          <span className="min-w-0 grow basis-48">
            <code className="font-mono text-sm break-all">{entry.action}</code>
            <span className="ml-2 text-xs text-muted">{Object.keys(entry.detail).join(", ")}</span>
            {!isDone && <span className="ml-2 text-xs font-medium text-bad">{entry.outcome}</span>}
          </span>
          <span className="text-sm">{entry.actor.name ?? entry.actor.kind}</span>
          <time dateTime={entry.at} className="text-xs text-muted tabular-nums">
            {momentOf(entry.at)}
          </time>
        </summary>
        <div className="grid grid-cols-1 gap-2 px-4 pb-3">
          <p className="text-xs text-muted">
            {[
              entry.subject && auditText.subject(entry.subject),
              entry.address && auditText.address(entry.address),
            ]
              .filter(Boolean)
              .join(", ")}
          </p>
          <pre className="overflow-x-auto rounded-md bg-canvas p-3 font-mono text-xs" tabIndex={0}>
            {JSON.stringify(entry.detail, null, 2)}
          </pre>
          {entry.request_id && <RequestId id={entry.request_id} />}
        </div>
      </details>
    </li>
  );
}
