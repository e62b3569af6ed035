import { type Static, type TSchema, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { NumberFilter, Tag } from "../numbers/numbers.ts";
import { RoutingDestination, SetRouting } from "../routing/routing.ts";
import { MOST_TAGS, OUTCOMES } from "./bulk-changes.rules.ts";

/** More are selected by a filter. */
const MOST_IDS = 1_000;

function exactlyOneOf<const Properties extends Record<string, TSchema>>(
  title: string,
  properties: Properties,
) {
  return Type.Partial(Type.Object(properties), {
    title,
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: `Exactly one of ${Object.keys(properties).join(", ")}.`,
  });
}

const Tags = Type.Array(Tag, { maxItems: MOST_TAGS });

export const PlanBulkChange = shape("PlanBulkChange", {
  select: exactlyOneOf("BulkSelection", {
    ids: Type.Array(Id, { minItems: 1, maxItems: MOST_IDS }),
    filter: NumberFilter,
  }),
  change: exactlyOneOf("WantedBulkChange", {
    routing: SetRouting,
    tags: Type.Partial(Type.Object({ add: Tags, remove: Tags }), {
      title: "WantedTagChange",
      additionalProperties: false,
      minProperties: 1,
    }),
    release_lock: Type.Boolean(),
  }),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "Why, for whoever reads the history.",
      examples: ["Moving to the new exchange"],
    }),
  ),
});
export type PlanBulkChange = Static<typeof PlanBulkChange>;

const Count = Type.Integer({ minimum: 0, maximum: 50_000, format: "int32" });
const ShownTags = Type.Array(Type.String({ maxLength: 50 }), { maxItems: MOST_TAGS });

export const BulkChange = shape("BulkChange", {
  id: Id,
  status: openEnum(["planned", "applying", "finished", "expired"]),
  change: shape("BulkChangeDetail", {
    routing: Type.Optional(RoutingDestination),
    tags: Type.Optional(shape("TagChange", { add: ShownTags, remove: ShownTags })),
    release_lock: Type.Optional(Type.Boolean()),
  }),
  reason: nullable(Type.String({ maxLength: 500 })),
  progress: shape("BulkChangeProgress", {
    total: Count,
    set: Count,
    unchanged: Count,
    stale: Count,
    failed: Count,
  }),
  missing: Type.Array(Id, {
    maxItems: MOST_IDS,
    description: "Ids that were asked for and name no number here.",
  }),
  created_by: shape("BulkChangeAuthor", {
    kind: openEnum(["session", "api_key"]),
    id: nullable(Id),
    name: nullable(Type.String({ maxLength: 200 })),
  }),
  created_at: DateTime,
  expires_at: DateTime,
  started_at: nullable(DateTime),
  finished_at: nullable(DateTime),
});
export type BulkChange = Static<typeof BulkChange>;

export const BulkChangePage = pageShape("BulkChangePage", BulkChange);
export const BulkChangesQuery = Type.Object(PageQuery, { additionalProperties: false });

export const BulkChangeItem = shape("BulkChangeItem", {
  number_id: Id,
  e164: Type.String({ maxLength: 16 }),
  from: shape("BulkChangeOrigin", {
    mode: openEnum(["sip_uri", "connection", "unrouted", "forward", "webhook"]),
    generation: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" }),
    tags: ShownTags,
    release_lock: Type.Boolean(),
  }),
  outcome: openEnum(OUTCOMES),
  error: nullable(
    shape("BulkChangeItemError", {
      code: Type.String({ maxLength: 64, description: "As in the list of errors." }),
      detail: Type.String({ maxLength: 1000 }),
    }),
  ),
});
export type BulkChangeItem = Static<typeof BulkChangeItem>;

export const BulkChangeItemPage = pageShape("BulkChangeItemPage", BulkChangeItem);
export const BulkChangeItemsQuery = Type.Object(
  { ...PageQuery, outcome: Type.Optional(closedEnum(OUTCOMES)) },
  { additionalProperties: false },
);
