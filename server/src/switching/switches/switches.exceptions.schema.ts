import { Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

const ItemValue = (description: string, example: Record<string, unknown>) =>
  nullable(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description,
      examples: [example],
    }),
  );

const SwitchException = shape("SwitchException", {
  kind: openEnum(["number", "connection"], "Type of the item."),
  id: described(Id, "ID of the number or connection."),
  label: nullable(
    Type.String({
      maxLength: 100,
      examples: ["+493010000001"],
      description:
        "Phone number in E.164 format, or name of the connection. `null` if the connection was deleted.",
    }),
  ),
  organisation: described(
    shape("OrganisationOfException", {
      id: described(Id, "ID of the organisation."),
      name: Type.String({ maxLength: 100, description: "Name of the organisation." }),
    }),
    "Organisation that the item belongs to.",
  ),
  environment: openEnum(["live", "test"], "Environment of the item."),
  state: openEnum(
    ["pending", "failed", "drifted", "repaired"],
    "`pending`: not applied yet. `failed`: the switch rejected it. `drifted`: the switch held another value at its last report. `repaired`: it drifted within ten minutes, and the last report matches.",
  ),
  since: described(DateTime, "Start of the deviation. For drift, the first time it was found."),
  found: ItemValue(
    "Value that the switch held, with its `generation`: a destination, or the targets of a connection. `null` if it held none.",
    { mode: "sip_uri", sip_uri: "sip:old@pbx.example.com", generation: 2 },
  ),
  expected: ItemValue(
    "Value that the switch should hold, with its `generation`. `null` if it should hold none.",
    { mode: "sip_uri", sip_uri: "sip:reception@pbx.example.com", generation: 3 },
  ),
  error: nullable(
    Type.String({ maxLength: 500, description: "Error of the switch. `null` if there is none." }),
  ),
  times_found: nullable(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      format: "int64",
      description: "Times the drift was found since it started. `null` without drift.",
    }),
  ),
  last_at: described(DateTime, "Time when the switch was last read with another value."),
});
export const SwitchExceptionPage = pageShape("SwitchExceptionPage", SwitchException);
