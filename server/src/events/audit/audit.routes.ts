import { type App, operation } from "../../app.ts";
import type { Answer } from "../../platform/http/operation.ts";
import { jsonPageOf, type List } from "../../platform/http/page.ts";
import { type AuditEntry, AuditPage, AuditQuery, CommittedAuditQuery } from "./audit.schema.ts";
import { type AuditRecord, type AuditScope, listCommittedAudit, searchAudit } from "./audit.search.ts";

const OF_ORGANISATION = {
  tag: "Audit",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: ["audit"] },
  idempotency: "none",
} as const;
const OF_OPERATOR = { tag: "Audit", access: { callers: "operator" }, idempotency: "none" } as const;
const BOUNDED =
  "All filters must match. Each page scans 4,000 entries at most, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`.";
const IN_ORDER =
  "To continue, set `after` to the ID of the last entry you have. No entry ever appears before one that was listed. If `after` is older than the stored entries, and entries behind it may be deleted, the error is `invalid_cursor` with the code `expired`. An entry is listed when all transactions that started before it have ended, usually within a second.";

const listAuditOperation = operation({
  ...OF_ORGANISATION,
  id: "listAudit",
  method: "GET",
  path: "/v1/audit",
  summary: "List audit entries",
  description: `Newest first. ${BOUNDED}`,
  query: AuditQuery,
  answers: { 200: AuditPage },
  async run(app, { actor, query }) {
    return searched(app, { path: "/v1/audit", of: actor }, actor, query);
  },
});

const listCommittedAuditOperation = operation({
  ...OF_ORGANISATION,
  id: "listCommittedAudit",
  method: "GET",
  path: "/v1/audit/committed",
  summary: "List audit entries in commit order",
  description: IN_ORDER,
  query: CommittedAuditQuery,
  answers: { 200: AuditPage },
  errors: ["invalid_cursor"],
  async run(app, { actor, query }) {
    return committed(app, "/v1/audit/committed", actor, query);
  },
});

const listInstallationAuditOperation = operation({
  ...OF_OPERATOR,
  id: "listInstallationAudit",
  method: "GET",
  path: "/operator/v1/audit",
  summary: "List audit entries without organisation",
  description: `Sign-ins, changes of accounts and actions of operators that concern no organisation. Newest first. ${BOUNDED}`,
  query: AuditQuery,
  answers: { 200: AuditPage },
  async run(app, { query }) {
    return searched(app, { path: "/operator/v1/audit", of: "installation" }, null, query);
  },
});

const listCommittedInstallationAuditOperation = operation({
  ...OF_OPERATOR,
  id: "listCommittedInstallationAudit",
  method: "GET",
  path: "/operator/v1/audit/committed",
  summary: "List installation audit in commit order",
  description: `The entries without an organisation. ${IN_ORDER}`,
  query: CommittedAuditQuery,
  answers: { 200: AuditPage },
  errors: ["invalid_cursor"],
  async run(app, { query }) {
    return committed(app, "/operator/v1/audit/committed", null, query);
  },
});

function searched(app: App, list: List, scope: AuditScope, query: AuditQuery): Promise<Answer> {
  const { limit: _limit, cursor: _cursor, ...filters } = query;
  return jsonPageOf(app, { ...list, filters }, query, async (page) => {
    const { entries, last } = await searchAudit(app, scope, query, page);
    return { data: JSON.stringify(entries.map(auditEntryOf)), last };
  });
}

const DEFAULT_LIMIT = 200;

async function committed(
  app: App,
  path: string,
  scope: AuditScope,
  { after, limit = DEFAULT_LIMIT }: CommittedAuditQuery,
): Promise<Answer> {
  const { entries, last } = await listCommittedAudit(app, scope, { after, limit });
  const body = { data: entries.map(auditEntryOf), next_cursor: last };
  if (last === null) return { status: 200, body };
  const link = `<${app.config.baseUrl}${path}?after=${last}&limit=${limit}>; rel="next"`;
  return { status: 200, body, headers: { link } };
}

function auditEntryOf(row: AuditRecord): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    outcome: row.outcome,
    subject: row.subject,
    subject_ref: row.subject_ref,
    actor: { kind: row.actor_kind as AuditEntry["actor"]["kind"], id: row.actor_id, name: row.actor_name },
    detail: row.detail,
    before: row.before,
    after: row.after,
    request_id: row.request_id,
    address: row.address,
    at: row.at.toISOString(),
  };
}

export const auditOperations = [
  listAuditOperation,
  listCommittedAuditOperation,
  listInstallationAuditOperation,
  listCommittedInstallationAuditOperation,
];
