import { type Static, Type } from "typebox";
import {
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { Flapping } from "../numbers/numbers.ts";
import { reason, SHOWN_DESTINATION } from "./routing.destination.schema.ts";

const ROUTING_STATUSES = ["in_sync", "pending", "failed", "drifted", "unknown"] as const;

/** Stored form: defaults are filled in. */
export const RoutingDestination = shape("RevisedRouting", SHOWN_DESTINATION);

export const Generation = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  format: "int64",
  description: "Revision number. Increases by 1 with each change of the desired routing.",
});

export const Setter = shape("RoutingAuthor", {
  kind: openEnum(["session", "api_key", "operator", "system"], "Type of the caller."),
  id: described(nullable(Id), "ID of the user or API key. `null` if there is none."),
  name: nullable(
    Type.String({ maxLength: 200, description: "Name of the user or API key. `null` if there is none." }),
  ),
});

const Applied = shape("AppliedRouting", {
  ...SHOWN_DESTINATION,
  generation: Generation,
  observed_at: described(DateTime, "Time when the switch read the value back."),
});

const ErrorText = nullable(Type.String({ maxLength: 500 }));

/** Found or expected value; null if none. */
export const DriftedValue = nullable(
  shape("DriftedDestination", { ...SHOWN_DESTINATION, generation: Generation }),
);

const Drift = shape("Drift", {
  switch: Type.String({ maxLength: 100, description: "Name of the switch." }),
  found: described(DriftedValue, "Value that the switch held. `null` if it held none."),
  expected: described(DriftedValue, "Value that the switch should hold. `null` if it should hold none."),
  is_various: Type.Boolean({
    description:
      "Whether the switch held a different value each time. `found` and `expected` are then the latest.",
  }),
  count: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Number of times the drift was found.",
  }),
  first_at: described(DateTime, "Time when the drift was first found."),
  last_at: described(DateTime, "Time when the drift was last found."),
});

const LinkValue = shape("RoutingLinkValue", {
  trunk: Type.Optional(
    Type.String({
      maxLength: 100,
      examples: ["1293384261075731499"],
      description: "ID of the trunk at the carrier. Only of the link `carrier`.",
    }),
  ),
  generation: Type.Optional(
    described(Generation, "Generation of the routing on the switch. Only of the link `switch`."),
  ),
});
const linkValue = (description: string) =>
  Type.Unsafe<Static<typeof LinkValue> | null>({ anyOf: [LinkValue, { type: "null" }], description });

/** The way of a call: the carrier delivers it to a trunk, and the switch routes it. */
const Chain = Type.Array(
  shape("RoutingLink", {
    link: described(
      openEnum(["carrier", "switch"]),
      "`carrier`: delivery of the number's calls to a trunk of the operator. `switch`: routing by the switches. New values may be added.",
    ),
    desired: linkValue("Desired value. `null` if there is none."),
    applied: linkValue("Value that the carrier or the switches reported. `null` if there is none."),
    status: described(
      openEnum(["in_sync", "pending", "drifting", "drifted", "failed", "unknown", "unsupported"]),
      "Status of the link. The link `switch` has the status of the routing. The link `carrier` is `drifting` if the carrier delivers elsewhere, `unknown` if it has not been queried yet, and `unsupported` if the service does not set its delivery: see `reason`. New values may be added.",
    ),
    reason: nullable(
      Type.String({
        maxLength: 64,
        description:
          "Why the link is `unsupported`: `no_carrier` for an imported number, `no_delivery` if the carrier has no delivery to trunks, `no_trunk` if the operator has configured no trunk. `null` otherwise.",
      }),
    ),
    error: described(ErrorText, "Error of the link. `null` if there is none."),
    observed_at: described(
      nullable(DateTime),
      "Time when the value was read at the carrier or a switch. `null` if it was not read.",
    ),
  }),
  {
    maxItems: 10,
    description: "Links that a call passes, in order: first the carrier, then the switches.",
  },
);

export const Routing = shape("Routing", {
  number_id: described(Id, "ID of the number."),
  desired: described(
    shape("DesiredRouting", {
      ...SHOWN_DESTINATION,
      generation: Generation,
      set_at: described(DateTime, "Time of the last change."),
      set_by: described(Setter, "Caller who made the last change."),
      reason: nullable(
        Type.String({ maxLength: 500, description: "Reason for the change. `null` if none was given." }),
      ),
    }),
    "Routing that you set.",
  ),
  applied: described(
    nullable(Applied),
    "Routing that the switches have read back. With several switches, the one furthest behind. `null` until a switch has read it back.",
  ),
  status: described(
    openEnum(ROUTING_STATUSES),
    "`in_sync`: all switches hold the desired routing. `pending`: a switch has not confirmed it yet. `failed`: a switch rejected it. `drifted`: a switch holds another value. `unknown`: a switch has stopped reporting. New values may be added.",
  ),
  since: described(nullable(DateTime), "Time since which the routing has this status. `null` if unknown."),
  effective_reason: nullable(
    Type.String({
      maxLength: 64,
      description: "Why calls are not routed as desired, such as `number_suspended`. `null` if they are.",
    }),
  ),
  switches: Type.Array(
    shape("SwitchReading", {
      switch: Type.String({ maxLength: 100, description: "Name of the switch." }),
      applied: described(
        nullable(Applied),
        "Routing that the switch has read back. `null` if there is none.",
      ),
      observed_at: described(
        nullable(DateTime),
        "Time of the switch's last report about the routing. `null` if there was none.",
      ),
      error: described(ErrorText, "Error of the switch. `null` if there is none."),
      expected: described(
        DriftedValue,
        "Routing that the switch should hold. It differs from `desired` while the number is not active. `null` if it should hold none.",
      ),
      applied_at: described(
        nullable(DateTime),
        "Time when the switch first confirmed this generation. `null` if it has not, or if it was added later.",
      ),
      took_ms: nullable(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          format: "int64",
          description: "Milliseconds from `desired.set_at` to `applied_at`. `null` if `applied_at` is.",
        }),
      ),
    }),
    { maxItems: 1000, description: "Applied routing at each switch." },
  ),
  chain: Chain,
  last_error: described(ErrorText, "Latest error of a switch. `null` if there is none."),
  flapping: Flapping,
  drift: nullable({
    ...Drift,
    description: "Latest drift, shown for 10 minutes after it was last found. `null` if there is none.",
  }),
});

export const Revision = shape("RoutingRevision", {
  generation: Generation,
  desired: described(RoutingDestination, "Desired routing of this revision."),
  set_at: described(DateTime, "Time of the change."),
  set_by: described(Setter, "Caller who made the change."),
  reason: nullable(
    Type.String({ maxLength: 500, description: "Reason for the change. `null` if none was given." }),
  ),
});
export type Revision = Static<typeof Revision>;
export const RevisionPage = pageShape("RoutingRevisionPage", Revision);
export const RevisionsQuery = Type.Object(PageQuery, { additionalProperties: false });

const GenerationParameter = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
export const DiffQuery = Type.Object(
  {
    from: described(GenerationParameter, "Generation of the first revision."),
    to: described(GenerationParameter, "Generation of the second revision."),
  },
  { additionalProperties: false },
);

export const RoutingDifference = shape("RoutingDifference", {
  field: Type.String({ maxLength: 64, description: "Name of the field." }),
  from: nullable(
    Type.String({ maxLength: 4000, description: "Value in the first revision. `null` if absent." }),
  ),
  to: nullable(
    Type.String({ maxLength: 4000, description: "Value in the second revision. `null` if absent." }),
  ),
});

export const RoutingDiff = shape("RoutingDiff", {
  from: described(Generation, "Generation of the first revision."),
  to: described(Generation, "Generation of the second revision."),
  changes: Type.Array(RoutingDifference, { maxItems: 20, description: "Fields that differ." }),
});
export type RoutingDiff = Static<typeof RoutingDiff>;

export const RollBackRouting = shape("RollBackRouting", {
  generation: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "Generation of the revision to restore.",
  }),
  reason,
});
export type RollBackRouting = Static<typeof RollBackRouting>;
