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

const WAYS = ["switch", "carrier"] as const;
const VIA =
  "`switch`: each switch of the number tests its own route. `carrier`: a switch calls the number through the carrier, which costs as much as any call.";
const Text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] });
const Count = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, format: "int32", description });
const E164 = Type.String({
  maxLength: 16,
  pattern: String.raw`^\+[1-9]\d{6,14}$`,
  examples: ["+493010000001"],
});
const Tag = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: String.raw`^[^\u0000-\u001f\u007f]+$`,
  examples: ["berlin"],
  description: "Tag of the numbers.",
});

export const CreateProbe = shape("CreateProbe", {
  via: Type.Optional(described(closedEnum(WAYS), `${VIA} Default: \`switch\`.`)),
});
export type CreateProbe = Static<typeof CreateProbe>;

export const ProbeLink = shape("ProbeLink", {
  link: openEnum(["carrier", "switch", "destination"], "Part of the chain."),
  name: nullable(
    Text(500, "Trunk to the carrier, switch, or address of the destination. `null` if unknown.", "fra-1"),
  ),
  switch: nullable(Text(100, "Switch that tested the link. `null` for the carrier.", "fra-1")),
  status: openEnum(
    ["proved", "broken", "not_tested"],
    "`not_tested`: an earlier link is broken, or nothing can test this one.",
  ),
  detail: Text(500, "Result in one sentence.", "It replied 200 to OPTIONS."),
  expected: nullable(Text(500, "Expected value, if another one was found.", "sip:alice@sbc1.example.com")),
  found: nullable(Text(500, "Found value, if it is not the expected one.", "sip:bob@old.example.com")),
  took_ms: nullable(Count(0, 600_000, "Duration in milliseconds. `null` if there is none.")),
});
export type ProbeLink = Static<typeof ProbeLink>;

export const Probe = shape("Probe", {
  id: described(Id, "ID of the probe."),
  number_id: described(Id, "ID of the number."),
  e164: described(E164, "Number in E.164 format."),
  via: openEnum(WAYS, VIA),
  status: openEnum(
    ["running", "proved", "broken", "failed"],
    "`broken`: `links` shows which link. `failed`: the probe itself could not be completed, and says nothing about the number.",
  ),
  summary: nullable(
    Text(
      1000,
      "Result in one line. `null` while the probe is running.",
      "fra-1 → 198.51.100.20:5060, 200 after 12 ms",
    ),
  ),
  links: Type.Array(ProbeLink, {
    maxItems: 200,
    description: "Links of the chain, in the order of a call. Empty while the probe is running.",
  }),
  is_scheduled: Type.Boolean({ description: "Whether a schedule placed the probe." }),
  created_at: described(DateTime, "Time when the probe was placed."),
  ended_at: nullable(described(DateTime, "Time when the probe ended. `null` while it is running.")),
});
export type Probe = Static<typeof Probe>;

export const ProbePage = pageShape("ProbePage", Probe);
export const ProbesQuery = Type.Object(PageQuery, { additionalProperties: false });

const everyHours = Count(1, 168, "Hours between the starts of two rounds.");
export const CreateProbeSchedule = shape("CreateProbeSchedule", {
  tag: Tag,
  every_hours: { ...everyHours, examples: [24] },
  via: Type.Optional(described(closedEnum(WAYS), `${VIA} Default: \`switch\`.`)),
});
export type CreateProbeSchedule = Static<typeof CreateProbeSchedule>;

export const ProbeSchedule = shape("ProbeSchedule", {
  id: described(Id, "ID of the schedule."),
  tag: Tag,
  via: openEnum(WAYS, VIA),
  every_hours: { ...everyHours, examples: [24] },
  round_at: described(DateTime, "Start of the current round, or of the next one if no number is due."),
  created_at: described(DateTime, "Time when the schedule was created."),
  updated_at: described(DateTime, "Time of the last change."),
});
export type ProbeSchedule = Static<typeof ProbeSchedule>;

export const ProbeScheduleList = shape("ProbeScheduleList", {
  data: Type.Array(ProbeSchedule, { maxItems: 50, description: "Schedules, ordered by tag." }),
});

const perDay = Count(0, 100_000, "Maximum number of probes per UTC day. 0 for none.");
export const SetProbePolicy = shape("SetProbePolicy", { probes_per_day: { ...perDay, examples: [500] } });
export type SetProbePolicy = Static<typeof SetProbePolicy>;

export const ProbePolicy = shape("ProbePolicy", {
  organisation_id: described(Id, "ID of the organisation."),
  probes_per_day: { ...perDay, examples: [500] },
  used_today: { ...Count(0, 2_147_483_647, "Probes placed today (UTC)."), examples: [12] },
  updated_at: nullable(described(DateTime, "Time of the last change. `null` if nothing was ever set.")),
});
export type ProbePolicy = Static<typeof ProbePolicy>;

const TrunkName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: "^[A-Za-z0-9_.-]+$",
  examples: ["acme"],
});
const TRUNK = "Trunk with a gateway, through which switches of the group call the carrier.";
const CALLER =
  "Caller of the probes, by which switches recognise them. Use a number that makes no other calls.";

export const SetProbeCaller = shape("SetProbeCaller", {
  trunk: described(TrunkName, TRUNK),
  caller: described(E164, CALLER),
});
export type SetProbeCaller = Static<typeof SetProbeCaller>;

export const ProbeCaller = shape("ProbeCaller", {
  switch_group_id: described(Id, "ID of the switch group."),
  trunk: nullable(described(TrunkName, `${TRUNK} \`null\` if none is set.`)),
  caller: nullable(described(E164, `${CALLER} \`null\` if none is set.`)),
  updated_at: nullable(described(DateTime, "Time of the last change. `null` if nothing is set.")),
});
export type ProbeCaller = Static<typeof ProbeCaller>;
