import { type Static, type TSchema, Type } from "typebox";
import { closedEnum, described, Id, PageQuery } from "../../platform/http/shapes.ts";
import { RESULTS, WINDOW } from "./calls.schema.ts";

export const Text = (minLength: number, maxLength: number, example: string, description: string) =>
  Type.Optional(
    Type.String({
      minLength,
      maxLength,
      pattern: String.raw`^[^\u0000-\u001f\u007f]*$`,
      examples: [example],
      description,
    }),
  );
export const filter = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(described(schema, description));

export const FILTERS = {
  ...WINDOW,
  q: Text(
    3,
    255,
    "+4420794",
    "Start of the caller's or the called number, with at least 2 digits, or a whole SIP Call-ID.",
  ),
  number_id: filter(Id, "Only calls to this number."),
  caller: Text(1, 255, "+442079460000", "Only calls from this number, in E.164 format."),
  result: filter(closedEnum(RESULTS), "Only calls with this result."),
  code: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 699,
      format: "int32",
      examples: [486],
      description: "Only calls with this final SIP status code.",
    }),
  ),
  connection_id: filter(Id, "Only calls for which the switch used this connection."),
  switch: Text(1, 100, "fra-1", "Only calls that the switch with this name handled."),
  sip_call_id: Text(
    1,
    255,
    "1-11035@sip.example.com",
    "Only calls with this Call-ID of the carrier's INVITE.",
  ),
  min_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      format: "int32",
      examples: [60],
      description: "Only calls with at least this talk time in seconds.",
    }),
  ),
  misrouted: Type.Optional(
    Type.Boolean({
      description:
        "Only calls that reached another target than their routing names, or if false, only calls that did not. Calls for which it is unknown match neither.",
    }),
  ),
};

export const CallSearchQuery = Type.Object({ ...FILTERS, ...PageQuery }, { additionalProperties: false });
export const CallSearchExportQuery = Type.Object(FILTERS, { additionalProperties: false });
export type CallSearch = Static<typeof CallSearchExportQuery>;
