import { type Static, type TSchema, Type } from "typebox";
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
import { NumberFilter, Tag } from "../numbers/numbers.ts";
import { RoutingDestination, SetRouting } from "../routing/routing.ts";
import { MOST_TAGS, OUTCOMES } from "./bulk-changes.rules.ts";

/** More are selected by a filter. */
const MOST_IDS = 1_000;

function exactlyOneOf<const Properties extends Record<string, TSchema>>(
  title: string,
  properties: Properties,
  meaning: string,
) {
  return Type.Partial(Type.Object(properties), {
    title,
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    description: `${meaning} Send exactly one of ${Object.keys(properties)
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
  });
}

const Tags = Type.Array(Tag, { maxItems: MOST_TAGS });

export const PlanBulkChange = shape("PlanBulkChange", {
  select: exactlyOneOf(
    "BulkSelection",
    {
      ids: Type.Array(Id, { minItems: 1, maxItems: MOST_IDS, description: "IDs of the numbers." }),
      filter: described(NumberFilter, "Filters that select the numbers, as in the number list."),
    },
    "Numbers to change.",
  ),
  change: exactlyOneOf(
    "WantedBulkChange",
    {
      routing: described(SetRouting, "New desired routing of the numbers."),
      tags: Type.Partial(
        Type.Object({ add: described(Tags, "Tags to add."), remove: described(Tags, "Tags to remove.") }),
        {
          title: "WantedTagChange",
          description: "Tags to add and remove.",
          additionalProperties: false,
          minProperties: 1,
        },
      ),
      release_lock: Type.Boolean({ description: "Whether the numbers are protected from release." }),
    },
    "The change to each number.",
  ),
  reason: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: "Reason for the change. Shown in the routing history.",
      examples: ["Moving to the new exchange"],
    }),
  ),
});
export type PlanBulkChange = Static<typeof PlanBulkChange>;

const Count = Type.Integer({ minimum: 0, maximum: 50_000, format: "int32" });
const ShownTags = Type.Array(Type.String({ maxLength: 50 }), { maxItems: MOST_TAGS });

export const BulkChange = shape("BulkChange", {
  id: described(Id, "ID of the bulk change."),
  status: described(
    openEnum(["planned", "applying", "finished", "expired"]),
    "`planned`: not applied yet. `applying`: in progress. `finished`: all numbers have an outcome. `expired`: the plan was not applied in time. New values may be added.",
  ),
  change: described(
    shape("BulkChangeDetail", {
      routing: Type.Optional(described(RoutingDestination, "New desired routing. Only for routing changes.")),
      tags: Type.Optional(
        described(
          shape("TagChange", {
            add: described(ShownTags, "Tags to add."),
            remove: described(ShownTags, "Tags to remove."),
          }),
          "Tags to add and remove. Only for tag changes.",
        ),
      ),
      release_lock: Type.Optional(
        Type.Boolean({
          description: "Whether the numbers are protected from release. Only for lock changes.",
        }),
      ),
    }),
    "The change to each number.",
  ),
  reason: nullable(
    Type.String({ maxLength: 500, description: "Reason for the change. `null` if none was given." }),
  ),
  progress: described(
    shape("BulkChangeProgress", {
      total: described(Count, "Number of numbers in the plan."),
      set: described(Count, "Numbers that were changed."),
      unchanged: described(Count, "Numbers that already had the requested value."),
      stale: described(Count, "Numbers that were skipped because they changed after the plan."),
      failed: described(Count, "Numbers that could not be changed."),
    }),
    "Counts of numbers by outcome.",
  ),
  missing: Type.Array(Id, {
    maxItems: MOST_IDS,
    description: "Requested IDs that match no number.",
  }),
  created_by: described(
    shape("BulkChangeAuthor", {
      kind: openEnum(["session", "api_key"], "Type of the caller."),
      id: described(nullable(Id), "ID of the user or API key. `null` if unknown."),
      name: nullable(
        Type.String({ maxLength: 200, description: "Name of the user or API key. `null` if unknown." }),
      ),
    }),
    "Caller who planned the change.",
  ),
  created_at: described(DateTime, "Time when the change was planned."),
  expires_at: described(DateTime, "Time by which the plan must be applied."),
  started_at: described(nullable(DateTime), "Time when the change was applied. `null` if it was not."),
  finished_at: described(nullable(DateTime), "Time when the last number was processed. `null` until then."),
});
export type BulkChange = Static<typeof BulkChange>;

export const BulkChangePage = pageShape("BulkChangePage", BulkChange);
export const BulkChangesQuery = Type.Object(PageQuery, { additionalProperties: false });

export const BulkChangeItem = shape("BulkChangeItem", {
  number_id: described(Id, "ID of the number."),
  e164: Type.String({ maxLength: 16, description: "Phone number in E.164 format." }),
  from: described(
    shape("BulkChangeOrigin", {
      mode: openEnum(["sip_uri", "connection", "unrouted", "forward", "webhook"], "Routing mode."),
      generation: Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        format: "int64",
        description: "Generation of the desired routing.",
      }),
      desired: described(nullable(RoutingDestination), "Desired routing. `null` if it is not known."),
      tags: described(ShownTags, "Tags of the number."),
      release_lock: Type.Boolean({ description: "Whether the number was protected from release." }),
    }),
    "Values of the number at the time of the plan.",
  ),
  outcome: described(
    openEnum(OUTCOMES),
    "`planned`: not processed yet. `set`: changed. `unchanged`: the number already had the value. `stale`: skipped, because it changed after the plan. `failed`: see `error`. New values may be added.",
  ),
  error: described(
    nullable(
      shape("BulkChangeItemError", {
        code: Type.String({ maxLength: 64, description: "Error code, as in the error catalogue." }),
        detail: Type.String({ maxLength: 1000, description: "Explanation of the error." }),
      }),
    ),
    "Reason for a failure. `null` if the item has not failed.",
  ),
});
export type BulkChangeItem = Static<typeof BulkChangeItem>;

export const BulkChangeItemPage = pageShape("BulkChangeItemPage", BulkChangeItem);
export const BulkChangeItemsQuery = Type.Object(
  { ...PageQuery, outcome: Type.Optional(described(closedEnum(OUTCOMES), "Only items with this outcome.")) },
  { additionalProperties: false },
);
