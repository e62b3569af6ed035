import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
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
  name: described(ShortName, "Name of the group."),
  environment: Type.Optional(
    Type.Unsafe<"live">({
      type: "string",
      enum: ["live"],
      description: "Environment of the group. The test environment has only simulated switches.",
    }),
  ),
  shards: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1024,
      format: "int32",
      description:
        "Number of shards into which the group's numbers are divided (default: 64). It cannot be changed later.",
    }),
  ),
});
export type CreateSwitchGroup = Static<typeof CreateSwitchGroup>;

export const SwitchGroup = shape("SwitchGroup", {
  id: described(Id, "ID of the group."),
  name: Type.String({ maxLength: 100, description: "Name of the group." }),
  environment: openEnum(["live", "test"], "Environment of the group."),
  is_default: Type.Boolean({ description: "Whether new numbers are assigned to the group by default." }),
  shards: Type.Integer({ minimum: 0, maximum: 1_000_000, format: "int32", description: "Number of shards." }),
  created_at: described(DateTime, "Time when the group was created."),
});
export type SwitchGroup = Static<typeof SwitchGroup>;
export const SwitchGroupPage = pageShape("SwitchGroupPage", SwitchGroup);

const Limit = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  format: "int32",
  description:
    "Seconds without a report after which the switch is unreachable and its numbers are `unknown`.",
});

export const CreateSwitch = shape("CreateSwitch", {
  name: described(ShortName, "Name of the switch."),
  group_id: Type.Optional(
    Type.String({
      ...Id,
      description: "ID of the switch group. Defaults to the default group of the live environment.",
    }),
  ),
  unreachable_after_seconds: Type.Optional(
    described(
      Limit,
      "Seconds without a report after which the switch is unreachable and its numbers are `unknown` (default: 30).",
    ),
  ),
});
export type CreateSwitch = Static<typeof CreateSwitch>;

export const ChangeSwitch = Type.Object(
  {
    state: Type.Optional(described(closedEnum(SWITCH_STATES), "New state of the switch.")),
    unreachable_after_seconds: Type.Optional(Limit),
  },
  { title: "ChangeSwitch", additionalProperties: false, minProperties: 1 },
);
export type ChangeSwitch = Static<typeof ChangeSwitch>;

const SHOWN = {
  id: described(Id, "ID of the switch."),
  name: Type.String({ maxLength: 100, description: "Name of the switch." }),
  group: described(
    shape("GroupOfSwitch", {
      id: described(Id, "ID of the group."),
      name: Type.String({ maxLength: 100, description: "Name of the group." }),
    }),
    "Group of the switch.",
  ),
  state: described(
    openEnum(SHOWN_STATES),
    "State that the operator set, or `unreachable` if the switch has stopped reporting. Possible values: `active`, `draining`, `unreachable`, `retired`. New values may be added.",
  ),
  is_synced: Type.Boolean({
    description:
      "Whether the switch has read back its whole state in this epoch. Changes wait only for switches that have.",
  }),
  last_seen_at: described(nullable(DateTime), "Time of the last report. `null` if there was none."),
  unreachable_after_seconds: Limit,
  lag: Count(Number.MAX_SAFE_INTEGER, "Count of changes that the switch has not read back yet."),
  exceptions: Count(Number.MAX_SAFE_INTEGER, "Count of items that do not have the expected value."),
  alarms: Type.Array(openEnum(["clock_wrong", "disk_full", "unreachable_for_a_day"]), {
    maxItems: 10,
    description:
      "Active alarms. `clock_wrong`: the clock is off by more than a second. `disk_full`: the disk has no space for call records. `unreachable_for_a_day`: no report for a day, so repair or retire the switch.",
  }),
  agent_version: nullable(
    Type.String({ maxLength: 100, description: "Version of the agent. `null` until it has reported." }),
  ),
  boot: nullable(
    Type.String({
      maxLength: 100,
      description:
        "ID of the switch's current start. It changes with every restart. `null` until it has reported.",
    }),
  ),
  created_at: described(DateTime, "Time when the switch was registered."),
};

export const Switch = shape("Switch", SHOWN);
export type Switch = Static<typeof Switch>;

export const SwitchWithCredential = shape("SwitchWithCredential", {
  ...SHOWN,
  credential: Type.String({
    maxLength: 128,
    examples: ["svc_switch_…"],
    description: "Credential of the switch's agent. It is shown only in this response.",
  }),
});

export const SwitchPage = pageShape("SwitchPage", Switch);
