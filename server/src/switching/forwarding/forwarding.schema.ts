import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  shape,
} from "../../platform/http/shapes.ts";

const Count = (maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, format: "int32", description });
const CallerNumber = Type.String({
  maxLength: 16,
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  examples: ["+493010000001"],
});

const limits = () => ({
  calls_at_once: nullable(
    Count(100_000, "Maximum number of concurrent forwarded calls. `null` for no limit, 0 for none."),
  ),
  calls_per_day: nullable(
    Count(10_000_000, "Maximum number of forwarded calls per UTC day. `null` for no limit, 0 for none."),
  ),
  minutes_per_day: nullable(
    Count(
      1_000_000,
      "Maximum number of minutes of forwarded calls per UTC day. Calls end when they are used up. `null` for no limit, 0 for none.",
    ),
  ),
});
const CALLERS =
  "Caller ID of forwarded calls. `pass`: the original caller. `called`: the number that was called. `fixed`: `caller_number`.";
const IDENTITY = "Whether forwarded calls keep the `Identity` header (STIR/SHAKEN).";

export const SetForwarding = shape("SetForwarding", {
  calls_at_once: Type.Optional(limits().calls_at_once),
  calls_per_day: Type.Optional(limits().calls_per_day),
  minutes_per_day: Type.Optional(limits().minutes_per_day),
  caller: Type.Optional(described(closedEnum(["pass", "called", "fixed"]), `${CALLERS} Default: \`pass\`.`)),
  caller_number: Type.Optional(
    nullable(described(CallerNumber, "Phone number in E.164 format. Required if `caller` is `fixed`.")),
  ),
  identity: Type.Optional(
    described(
      closedEnum(["keep", "drop"]),
      `${IDENTITY} Default: \`keep\` if \`caller\` is \`pass\`. Otherwise it must be \`drop\`, because another caller ID invalidates the header.`,
    ),
  ),
});
export type SetForwarding = Static<typeof SetForwarding>;

const used = (title: string) =>
  shape(title, {
    calls_at_once: Count(2_147_483_647, "Forwarded calls in progress."),
    calls: Count(2_147_483_647, "Forwarded calls that started today (UTC)."),
    seconds: Count(2_147_483_647, "Seconds of forwarded calls that ended today (UTC)."),
  });

const ForwardingSwitch = shape("ForwardingSwitch", {
  id: described(Id, "ID of the switch."),
  name: Type.String({ maxLength: 100, description: "Name of the switch." }),
  status: openEnum(
    ["applied", "pending"],
    "Whether the switch has confirmed its part of the current limits.",
  ),
  calls_at_once: nullable(Count(2_147_483_647, "Its part of `calls_at_once`.")),
  calls: nullable(Count(2_147_483_647, "Its part of `calls_per_day`.")),
  seconds: nullable(Count(2_147_483_647, "Its part of `minutes_per_day`, in seconds.")),
  used: described(used("ForwardingSwitchUse"), "Use by this switch."),
  reported_at: nullable(
    described(DateTime, "Time when the switch last reported a change. `null` if it never did."),
  ),
});

export const Forwarding = shape("Forwarding", {
  organisation_id: described(Id, "ID of the organisation."),
  ...limits(),
  caller: openEnum(["pass", "called", "fixed"], CALLERS),
  caller_number: nullable(
    described(CallerNumber, "Phone number in E.164 format. `null` unless `caller` is `fixed`."),
  ),
  identity: openEnum(["keep", "drop"], IDENTITY),
  updated_at: nullable(described(DateTime, "Time of the last change. `null` if nothing was ever set.")),
  used: described(used("ForwardingUse"), "Use by all switches."),
  switches: Type.Array(ForwardingSwitch, {
    maxItems: 1_000,
    description: "Live switches. Each enforces a part of the limits without asking the service.",
  }),
});
export type Forwarding = Static<typeof Forwarding>;

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });

export const ForwardingReport = shape("ForwardingReport", {
  held_version: described(
    Version,
    "Version up to which the switch holds its allowances. 0 if it holds none.",
  ),
  use: Type.Array(
    shape("ReportedForwardingUse", {
      organisation_id: described(Id, "ID of the organisation."),
      day: Count(100_000, "UTC day, in days since 1970."),
      calls: Count(2_147_483_647, "Forwarded calls that started on that day."),
      seconds: Count(2_147_483_647, "Seconds of forwarded calls that ended on that day."),
      calls_at_once: Count(2_147_483_647, "Forwarded calls in progress."),
    }),
    { maxItems: 100_000, description: "Use of organisations with an allowance, if it has changed." },
  ),
});
export type ForwardingReport = Static<typeof ForwardingReport>;

export const ForwardingAllowances = shape("ForwardingAllowances", {
  version: described(Version, "Version of the newest allowance of the switch."),
  is_complete: Type.Boolean({
    description: "Whether `allowances` lists all. The switch then deletes all others.",
  }),
  allowances: Type.Array(
    shape("ForwardingAllowance", {
      organisation_id: described(Id, "ID of the organisation."),
      version: described(Version, "Version of the allowance."),
      calls_at_once: nullable(
        Count(2_147_483_647, "Maximum number of concurrent calls. `null` for no limit."),
      ),
      calls: nullable(Count(2_147_483_647, "Maximum number of calls per UTC day. `null` for no limit.")),
      seconds: nullable(Count(2_147_483_647, "Maximum number of seconds per UTC day. `null` for no limit.")),
      caller: Type.String({
        maxLength: 16,
        description: "Caller ID: `pass`, `called`, or a phone number in E.164 format.",
      }),
      identity: described(closedEnum(["keep", "drop"]), IDENTITY),
    }),
    { maxItems: 1_000_000, description: "Allowances after `held_version`, ordered by version." },
  ),
});
export type ForwardingAllowances = Static<typeof ForwardingAllowances>;
