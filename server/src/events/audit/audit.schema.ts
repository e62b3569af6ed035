import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

export const AuditEntry = shape("AuditEntry", {
  id: Id,
  action: Type.String({ maxLength: 100, examples: ["invitation.created"] }),
  outcome: openEnum(["done", "refused"]),
  subject: nullable(Type.String({ maxLength: 200, description: "What it was done to." })),
  actor: shape("AuditActor", {
    kind: openEnum(["session", "api_key", "operator", "system", "nobody"]),
    id: nullable(Id),
    name: nullable(Type.String({ maxLength: 200 })),
  }),
  detail: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50 }),
  request_id: nullable(Type.String({ maxLength: 100 })),
  address: nullable(Type.String({ maxLength: 64, description: "Network address it was done from." })),
  at: DateTime,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = pageShape("AuditPage", AuditEntry);
