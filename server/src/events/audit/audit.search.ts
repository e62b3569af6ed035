import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import { monthsBefore } from "../../platform/clock.ts";
import { madeAtMs } from "../../platform/ids.ts";
import { pageOfScan } from "../../platform/db/bounded-scan.ts";
import type { Page } from "../../platform/http/page.ts";
import { edgesOf } from "../../platform/http/window.ts";
import { referToSubjects, type SubjectRef } from "../subjects/subjects.ts";
import { idsOf, statesOf } from "./audit.rules.ts";
import type { AuditQuery } from "./audit.schema.ts";
import { type AuditScope, findCommit, listCommitted, searchAuditEntries } from "./audit.search.store.ts";
import type { AuditRow } from "./audit.store.ts";

export type { AuditScope };
export type AuditRecord = AuditRow & { subject_ref: SubjectRef | null };

interface Found {
  entries: AuditRecord[];
  /** ID of the entry after which the list continues. */
  last: string | null;
}

/** Entries that match all filters, newest first. */
export async function searchAudit(
  app: Pick<App, "db">,
  scope: AuditScope,
  { from, to, limit: _limit, cursor: _cursor, ...filters }: AuditQuery,
  page: Page,
): Promise<Found> {
  const edges = edgesOf({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
  const search = { ...filters, ...edges, ...idsOf(edges) };
  const found = await searchAuditEntries(app.db, scope, search, { before: page.after, limit: page.limit });
  const { matches, last } = pageOfScan(found, page.limit);
  return { entries: await described(app, scope, matches), last: last?.id ?? null };
}

/** All entries in commit order. No entry ever appears before one that was listed. */
export async function listCommittedAudit(
  app: Pick<App, "db" | "clock" | "config">,
  scope: AuditScope,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Found> {
  const position = after === undefined ? undefined : await findCommit(app.db, scope, after);
  if (after !== undefined && !position) throw expiredEntry(app, after) ?? unknownEntry();
  const rows = await listCommitted(app.db, scope, { after: position, limit });
  const page = rows.slice(0, limit);
  return {
    entries: await described(app, scope, page),
    last: rows.length > limit ? page.at(-1)!.id : null,
  };
}

async function described(
  app: Pick<App, "db">,
  scope: AuditScope,
  rows: readonly AuditRow[],
): Promise<AuditRecord[]> {
  const references = await referToSubjects(
    app,
    scope,
    rows.map(({ action, subject, detail }) => ({ action, subject, data: detail })),
  );
  return rows.map((row, at) => ({ ...row, ...statesOf(row), subject_ref: references[at]! }));
}

/** Entries are never deleted, so the database is an earlier one: it was restored from a backup. */
function expiredEntry({ clock, config }: Pick<App, "clock" | "config">, id: string): ApiError | undefined {
  const months = config.auditMonths;
  if (madeAtMs(id) >= monthsBefore(clock.now(), months).getTime()) return undefined;
  return new ApiError(
    "invalid_cursor",
    `after is older than ${months} months, and audit entries are kept for ${months} months. Entries behind it may be deleted.`,
    {
      errors: [
        { parameter: "after", code: "expired", detail: "Start without after, at the oldest stored entry." },
      ],
    },
  );
}

function unknownEntry(): ApiError {
  return new ApiError("invalid_cursor", "after is not the ID of an entry in this list.", {
    errors: [{ parameter: "after", code: "unknown", detail: "Use the ID of an entry from this list." }],
  });
}
