import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

export const AuditEntry = shape("AuditEntry", {
  id: described(Id, "ID of the entry."),
  action: Type.String({
    maxLength: 100,
    examples: ["invitation.created"],
    description: "Action, as `noun.past_participle`.",
  }),
  outcome: described(
    openEnum(["done", "refused"]),
    "`done`: the action was performed. `refused`: the request was denied. New values may be added.",
  ),
  subject: nullable(
    Type.String({
      maxLength: 200,
      description: "Resource that the action affects, usually its ID. `null` if there is none.",
    }),
  ),
  actor: described(
    shape("AuditActor", {
      kind: described(
        openEnum(["session", "api_key", "operator", "system", "nobody"]),
        "`session`: a user. `api_key`: an API key. `operator`: an operator of the installation. `system`: the service. `nobody`: a caller without a valid credential. New values may be added.",
      ),
      id: described(nullable(Id), "ID of the user or API key. `null` if there is none."),
      name: nullable(
        Type.String({ maxLength: 200, description: "Name of the user or API key. `null` if there is none." }),
      ),
    }),
    "Caller who performed the action.",
  ),
  detail: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    maxProperties: 50,
    description: "Details of the action. Its fields depend on `action`.",
  }),
  request_id: nullable(
    Type.String({ maxLength: 100, description: "ID of the request. `null` if there is none." }),
  ),
  address: nullable(
    Type.String({ maxLength: 64, description: "IP address of the caller. `null` if unknown." }),
  ),
  at: described(DateTime, "Time of the action."),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = pageShape("AuditPage", AuditEntry);
