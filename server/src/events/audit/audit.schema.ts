import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { windowOf } from "../../platform/http/window.ts";
import { SubjectRef } from "../subjects/subjects.ts";

const State = (description: string) =>
  nullable(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 50, description }));

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
  subject_ref: SubjectRef,
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
  before: State(
    "Changed settings before the action, without secrets. `null` if there were none or they are unknown.",
  ),
  after: State(
    "Changed settings after the action, without secrets. `null` if there are none or they are unknown.",
  ),
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

const Text = (minLength: number, maxLength: number, example: string, description: string) =>
  Type.Optional(
    Type.String({
      minLength,
      maxLength,
      pattern: String.raw`^[^\u0000-\u001f\u007f]*$`,
      examples: [example],
      description,
    }),
  );

const FILTERS = {
  actor_id: Type.Optional(described(Id, "Only entries of this user or API key.")),
  action: Text(3, 100, "member.role_changed", "Only entries with this action."),
  subject_id: Text(1, 200, "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11", "Only entries about this resource."),
  outcome: Type.Optional(described(closedEnum(["done", "refused"]), "Only entries with this outcome.")),
  ...windowOf("entries"),
  q: Text(
    2,
    100,
    "ada",
    "Text in the action, subject, name of the actor, details, request ID or address, in any case.",
  ),
  include_system: Type.Optional(
    Type.Boolean({ default: true, description: "Whether entries of the service itself are included." }),
  ),
};
export const AuditQuery = Type.Object({ ...FILTERS, ...PageQuery }, { additionalProperties: false });
export type AuditQuery = Static<typeof AuditQuery>;

export const CommittedAuditQuery = Type.Object(
  {
    after: Type.Optional(
      described(
        Id,
        "ID of the last entry you have. The list continues after it (default: the oldest entry).",
      ),
    ),
    limit: PageQuery.limit,
  },
  { additionalProperties: false },
);
export type CommittedAuditQuery = Static<typeof CommittedAuditQuery>;
