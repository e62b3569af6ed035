import { operation } from "../../app.ts";
import { jsonPageOf } from "../../platform/http/page.ts";
import { type AuditEntry, AuditPage, AuditQuery } from "./audit.schema.ts";
import { type AuditRecord, searchAudit } from "./audit.ts";

const listAuditOperation = operation({
  id: "listAudit",
  method: "GET",
  path: "/v1/audit",
  tag: "Audit",
  summary: "List audit entries",
  description:
    "Newest first. All filters must match. Each page scans 4,000 entries at most, so it can contain fewer results than `limit`, or none. The list ends when `next_cursor` is `null`.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "none",
  query: AuditQuery,
  answers: { 200: AuditPage },
  async run(app, { actor, query }) {
    const { limit: _limit, cursor: _cursor, ...filters } = query;
    return jsonPageOf(app, { path: "/v1/audit", of: actor, filters }, query, async (page) => {
      const { entries, last } = await searchAudit(app, actor, query, page);
      return { data: JSON.stringify(entries.map(auditEntryOf)), last };
    });
  },
});

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

export const auditOperations = [listAuditOperation];
