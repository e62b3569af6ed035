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
import { FINDING_KINDS, FINDING_STATES } from "./restores.rules.ts";

const Name = (description: string) => Type.String({ maxLength: 200, description });
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const KINDS =
  "`newer_on_switch`: the switches have a later route or connection. `only_on_switch`: the database does not have the item. `only_here`: the switches do not have it. `not_at_carrier`: the carrier does not have a held number. `not_here`: the carrier has a number that no organisation holds.";

export const Restore = shape("Restore", {
  id: described(Id, "ID of the restore."),
  cause: described(
    openEnum(["operator", "rollback"]),
    "`operator`: begun by an operator. `rollback`: the service noticed that the database lost changes. New values may be added.",
  ),
  restored_to: described(nullable(DateTime), "Time to which the database was restored. `null` if unknown."),
  began_at: described(DateTime, "Time when the restore began."),
  began_by: Name("Operator who began the restore."),
  compared_at: described(
    nullable(DateTime),
    "Time of the last comparison with switches and carriers. `null` before the first.",
  ),
  ended_at: described(nullable(DateTime), "Time when the restore was finished. `null` while it is open."),
  ended_by: nullable(Name("Operator who finished the restore. `null` while it is open.")),
  switches: Type.Array(
    shape("RestoreSwitch", {
      name: Name("Name of the switch."),
      state: described(
        openEnum(["missing", "announced", "compared"]),
        "`missing`: the agent has not connected since the restore began. `announced`: the agent is uploading its state. `compared`: done. New values may be added.",
      ),
      items: described(nullable(Count), "Count of routes and connections of the switch. `null` if unknown."),
    }),
    { maxItems: 10_000, description: "Switches of the live environment that are not retired." },
  ),
  carriers: Type.Array(
    shape("RestoreCarrier", {
      name: Name("Name of the carrier."),
      state: described(
        openEnum(["running", "finished", "failed"]),
        "State of its last reconciliation since the restore began. New values may be added.",
      ),
      error: nullable(Type.String({ maxLength: 500, description: "Why it failed. `null` if it did not." })),
    }),
    { maxItems: 1_000, description: "Carriers whose numbers were compared." },
  ),
  findings: Type.Array(
    shape("RestoreFindingCount", {
      kind: described(openEnum(FINDING_KINDS), `${KINDS} New values may be added.`),
      state: described(openEnum(FINDING_STATES), "State of the findings. New values may be added."),
      count: described(Count, "Count of findings."),
    }),
    { maxItems: 100, description: "Counts of findings by kind and state." },
  ),
});
export type Restore = Static<typeof Restore>;
export const RestorePage = pageShape("RestorePage", Restore);

const Value = (description: string) =>
  nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description,
      examples: [{ e164: "+493012345678", mode: "sip_uri", sip_uri: "sip:reception@pbx.example.com" }],
    }),
  );

export const RestoreFinding = shape("RestoreFinding", {
  id: described(Id, "ID of the finding."),
  kind: described(openEnum(FINDING_KINDS), `${KINDS} New values may be added.`),
  item: described(openEnum(["route", "connection"]), "Type of the item. New values may be added."),
  item_id: described(nullable(Id), "ID of the number or connection. `null` for `not_here`."),
  e164: nullable(
    Type.String({
      maxLength: 16,
      examples: ["+493012345678"],
      description: "Phone number in E.164 format. `null` for connections.",
    }),
  ),
  organisation_id: described(nullable(Id), "Organisation of the item. `null` if unknown."),
  here: Value("Value in the database. `null` if it does not have the item."),
  there: Value("Value on the switches. `null` if they do not have the item."),
  switches: Type.Array(Name("Name of a switch."), {
    maxItems: 10_000,
    description: "Switches with this difference.",
  }),
  carrier: nullable(Name("Carrier that has the number, or that is missing it. `null` if none was compared.")),
  state: described(
    openEnum(FINDING_STATES),
    "`open`: decide. `adopted`: the database took the value of switches or carrier. `dropped`: the database keeps its value. `outdated`: the item was changed here since the restore began. New values may be added.",
  ),
  decided_at: described(nullable(DateTime), "Time of the decision. `null` while the finding is open."),
  decided_by: nullable(Name("Operator who decided. `null` while the finding is open.")),
});
export type RestoreFinding = Static<typeof RestoreFinding>;
export const RestoreFindingPage = pageShape("RestoreFindingPage", RestoreFinding);

export const RestoresQuery = Type.Object(PageQuery, { additionalProperties: false });
export const RestoreFindingsQuery = Type.Object(
  {
    ...PageQuery,
    kind: Type.Optional(described(closedEnum(FINDING_KINDS), "Only findings of this kind.")),
    state: Type.Optional(described(closedEnum(FINDING_STATES), "Only findings in this state.")),
  },
  { additionalProperties: false },
);

export const AdoptRestoreFinding = shape("AdoptRestoreFinding", {
  organisation_id: Type.Optional(
    described(Id, "Organisation that receives the item. Default: the organisation of the finding."),
  ),
});
export type AdoptRestoreFinding = Static<typeof AdoptRestoreFinding>;

export const FinishRestore = shape("FinishRestore", {
  without_unreachable: Type.Optional(
    Type.Boolean({
      description:
        "Finish even if a switch or a carrier could not be compared. Changes that only they know are lost. Default: `false`.",
    }),
  ),
});
export type FinishRestore = Static<typeof FinishRestore>;

export const ReplayRevocations = shape("ReplayRevocations", {
  organisation_id: Type.Optional(
    described(Id, "Organisation of the export. Omit it for the operator's export."),
  ),
  entries: Type.Array(
    shape("LostRevocation", {
      id: described(Id, "ID of the audit entry."),
      action: Type.String({
        maxLength: 100,
        description: "Action of the entry.",
        examples: ["api_key.revoked"],
      }),
      outcome: Type.String({ maxLength: 20, description: "Outcome of the action.", examples: ["done"] }),
      subject: nullable(
        Type.String({
          maxLength: 200,
          description: "Resource that the action affected. `null` if there is none.",
        }),
      ),
      detail: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
        maxProperties: 50,
        description: "Details of the action.",
      }),
    }),
    { maxItems: 1_000, description: "Entries of an audit export, in its order, with these fields." },
  ),
});
export type ReplayRevocations = Static<typeof ReplayRevocations>;

export const ReplayedRevocations = shape("ReplayedRevocations", {
  entries: Type.Array(
    shape("ReplayedRevocation", {
      id: described(Id, "ID of the audit entry."),
      action: Name("Action of the entry."),
      subject: nullable(Name("Resource that the action affected. `null` if there is none.")),
      outcome: described(
        openEnum(["replayed", "no_effect", "review"]),
        "`replayed`: the revocation is in effect again. `no_effect`: it was, or the resource does not exist. `review`: an operator or owner has to repeat it. New values may be added.",
      ),
    }),
    { maxItems: 1_000, description: "Revocations that the database does not have." },
  ),
});

export const SuspendedKeys = shape("SuspendedKeys", {
  count: described(Count, "Count of API keys that now wait for an owner."),
});
