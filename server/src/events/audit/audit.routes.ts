import { Type } from "typebox";
import { operation } from "../../app.ts";
import { pageOf } from "../../platform/http/page.ts";
import { PageQuery } from "../../platform/http/shapes.ts";
import { type AuditEntry, AuditPage } from "./audit.schema.ts";
import { type AuditRow, listAudit } from "./audit.ts";

const listAuditOperation = operation({
  id: "listAudit",
  method: "GET",
  path: "/v1/audit",
  tag: "Audit",
  summary: "List audit entries",
  description: "Newest first.",
  access: { callers: "organisation", sessions: { roles: ["owner", "admin"] }, keys: "none" },
  idempotency: "none",
  query: Type.Object(PageQuery, { additionalProperties: false }),
  answers: { 200: AuditPage },
  async run(app, { actor, query }) {
    return pageOf(app, { path: "/v1/audit", of: actor }, query, {
      rows: (page) => listAudit(app, actor, page),
      item: auditEntryOf,
      position: (row) => row.id,
    });
  },
});

function auditEntryOf(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    action: row.action,
    outcome: row.outcome,
    subject: row.subject,
    actor: { kind: row.actor_kind as AuditEntry["actor"]["kind"], id: row.actor_id, name: row.actor_name },
    detail: row.detail,
    request_id: row.request_id,
    address: row.address,
    at: row.at.toISOString(),
  };
}

export const auditOperations = [listAuditOperation];
