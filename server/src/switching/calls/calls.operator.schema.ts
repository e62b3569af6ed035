import { type Static, Type } from "typebox";
import {
  closedEnum,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { Call, CallDetail, RESULTS } from "./calls.schema.ts";
import { FILTERS, filter, Text } from "./calls.search.schema.ts";

const ALL_RESULTS = [...RESULTS, "not_served"] as const;
const Trunk = (description: string) =>
  nullable(Type.String({ maxLength: 100, examples: ["acme"], description }));

const OF_OPERATOR = {
  number_id: described(nullable(Id), "ID of the called number. `null` if the call matched no number."),
  e164: nullable(
    Type.String({
      maxLength: 16,
      examples: ["+493010000001"],
      description: "Called number in E.164 format. `null` if the call matched no number.",
    }),
  ),
  result: openEnum(ALL_RESULTS, "Result of the call. `not_served`: the service could not accept it."),
  organisation_id: described(
    nullable(Id),
    "ID of the organisation that held the number. `null` if the call matched no number.",
  ),
  environment: openEnum(["live", "test"], "Environment of the call."),
  called: CallDetail.properties.called,
  trunk: Trunk("Trunk that sent the call. `null` if unknown."),
  gateway: Trunk("Trunk that received a forwarded call. `null` if there was none."),
};

const OperatorCall = shape("OperatorCall", { ...Call.properties, ...OF_OPERATOR });
export const OperatorCallPage = pageShape("OperatorCallPage", OperatorCall);

export const OperatorCallDetail = shape("OperatorCallDetail", {
  ...CallDetail.properties,
  ...OF_OPERATOR,
  asserted_caller: nullable(
    Type.String({
      maxLength: 255,
      examples: ["+442079460000"],
      description:
        "Number that a trusted trunk asserted, also if the caller withholds it. `null` if there was none, and after the retention period of `caller`.",
    }),
  ),
});
export type OperatorCallDetail = Static<typeof OperatorCallDetail>;

export const OperatorCallsQuery = Type.Object(
  {
    ...FILTERS,
    result: filter(closedEnum(ALL_RESULTS), "Only calls with this result."),
    called: Text(
      1,
      255,
      "+493010000001",
      "Only calls to this number, in E.164 format. For calls that matched no number, the called number in the INVITE.",
    ),
    organisation_id: filter(Id, "Only calls to numbers of this organisation."),
    unmatched: Type.Optional(Type.Boolean({ description: "If true, only calls that matched no number." })),
    environment: filter(closedEnum(["live", "test"]), "Environment of the calls (default: `live`)."),
    ...PageQuery,
  },
  { additionalProperties: false },
);
export type OperatorCallsQuery = Static<typeof OperatorCallsQuery>;
