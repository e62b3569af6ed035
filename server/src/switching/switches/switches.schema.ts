import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  Name,
  nullable,
  openEnum,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { SHOWN_STATES, SWITCH_STATES } from "./switches.rules.ts";

const ShortName = Type.String({ ...Name, maxLength: 100 });
const Count = (maximum: number, description?: string) =>
  Type.Integer({ minimum: 0, maximum, format: "int64", ...(description && { description }) });

export const CreateSwitchGroup = shape("CreateSwitchGroup", {
  name: ShortName,
  environment: Type.Optional(
    Type.Unsafe<"live">({
      type: "string",
      enum: ["live"],
      description: "The test side has its simulated switches and takes no others.",
    }),
  ),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      format: "int32",
      description: "Into how many parts its numbers are divided; cannot be changed later. 64 when left out.",
    }),
  ),
});
export type CreateSwitchGroup = Static<typeof CreateSwitchGroup>;

export const SwitchGroup = shape("SwitchGroup", {
  id: Id,
  name: Type.String({ maxLength: 100 }),
  environment: openEnum(["live", "test"]),
  is_default: Type.Boolean({ description: "Whether new numbers belong to it." }),
  shards: Type.Integer({ minimum: 0, maximum: 1_000_000, format: "int32" }),
  created_at: DateTime,
});
export type SwitchGroup = Static<typeof SwitchGroup>;
export const SwitchGroupPage = pageShape("SwitchGroupPage", SwitchGroup);

const Limit = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  format: "int32",
  description: "Silent for longer, it is unreachable and its numbers are unknown. 30 when left out at first.",
});

export const CreateSwitch = shape("CreateSwitch", {
  name: ShortName,
  group_id: Type.Optional(
    Type.String({ ...Id, description: "The default group of the live side when left out." }),
  ),
  unreachable_after_seconds: Type.Optional(Limit),
});
export type CreateSwitch = Static<typeof CreateSwitch>;

export const ChangeSwitch = Type.Object(
  {
    state: Type.Optional(closedEnum(SWITCH_STATES)),
    unreachable_after_seconds: Type.Optional(Limit),
  },
  { title: "ChangeSwitch", additionalProperties: false, minProperties: 1 },
);
export type ChangeSwitch = Static<typeof ChangeSwitch>;

const SHOWN = {
  id: Id,
  name: Type.String({ maxLength: 100 }),
  group: shape("GroupOfSwitch", { id: Id, name: Type.String({ maxLength: 100 }) }),
  state: openEnum(SHOWN_STATES),
  is_synced: Type.Boolean({ description: "Whether it has read back everything once, so that it counts." }),
  last_seen_at: nullable(DateTime),
  unreachable_after_seconds: Limit,
  lag: Count(Number.MAX_SAFE_INTEGER, "How many changes it has not read back yet."),
  exceptions: Count(Number.MAX_SAFE_INTEGER, "How many items are not as they should be."),
  alarms: Type.Array(openEnum(["clock_wrong", "disk_full", "unreachable_for_a_day"]), {
    maxItems: 10,
    description:
      "What is wrong: its clock is off by more than a second, its disk has no room for records, or it has not reported for a day. Bring such a switch back or retire it.",
  }),
  agent_version: nullable(Type.String({ maxLength: 100 })),
  boot: nullable(Type.String({ maxLength: 100, description: "Another one after every restart." })),
  created_at: DateTime,
};

export const Switch = shape("Switch", SHOWN);
export type Switch = Static<typeof Switch>;

export const SwitchWithCredential = shape("SwitchWithCredential", {
  ...SHOWN,
  credential: Type.String({
    maxLength: 128,
    examples: ["svc_switch_…"],
    description: "For the agent beside the switch. Shown here and never again.",
  }),
});

export const SwitchPage = pageShape("SwitchPage", Switch);
