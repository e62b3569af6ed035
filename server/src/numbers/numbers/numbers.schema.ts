import { type Static, Type } from "typebox";
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
import { E164_PATTERN, NUMBER_TYPES } from "./numbers.e164.ts";

const STATUSES = ["active", "suspended", "releasing", "quarantined", "released"] as const;
const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
const SYNC_STATES = ["in_sync", "pending", "failed", "drifted", "unknown"] as const;
const SORTS = ["acquired_at", "-acquired_at", "e164", "-e164"] as const;

/** Something to see and no control characters. */
const VISIBLE = String.raw`^[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$`;
/** Tables separate tags by semicolons. */
const VISIBLE_TAG = String.raw`^[^\u0000-\u001f\u007f;]*[^\s\u0000-\u001f\u007f;][^\u0000-\u001f\u007f;]*$`;

export const Label = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: VISIBLE,
  examples: ["Front desk"],
});
export const Tag = Type.String({ minLength: 1, maxLength: 50, pattern: VISIBLE_TAG, examples: ["berlin"] });
export const Country = Type.String({ pattern: "^[A-Z]{2}$", maxLength: 2, examples: ["DE"] });

/** Shown for a number whose switch keeps drifting. */
export const Flapping = Type.Boolean({
  description:
    "Whether a switch has drifted three times or more between the same values, and the last time was less than 10 minutes ago. Also true while it holds what it should.",
});

const NumberRouting = shape("NumberRouting", {
  mode: openEnum(MODES),
  generation: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: "int64" }),
  status: openEnum(SYNC_STATES),
  flapping: Flapping,
});

export const NumberRecord = shape("Number", {
  id: Id,
  e164: Type.String({ pattern: E164_PATTERN, maxLength: 16, examples: ["+4930901820"] }),
  country: nullable(Country),
  type: openEnum(NUMBER_TYPES),
  capabilities: Type.Array(openEnum(["voice"]), { maxItems: 20 }),
  status: openEnum(STATUSES),
  status_reason: nullable(
    Type.String({
      maxLength: 64,
      description: "Why it is suspended, where a reason was given: `not_at_carrier`, for one.",
    }),
  ),
  label: nullable(Type.String({ maxLength: 200 })),
  tags: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 }),
  source: openEnum(["order", "import"]),
  order_id: nullable(Id),
  routing: Type.Unsafe<Static<typeof NumberRouting> | null>({
    anyOf: [NumberRouting, { type: "null" }],
    description: "Null for a member without a role that reads routing.",
  }),
  release_lock: Type.Boolean({ description: "While true, the number cannot be released." }),
  acquired_at: DateTime,
  released_at: nullable(DateTime),
  restore_until: nullable(DateTime),
  last_call_at: nullable(
    Type.String({
      ...DateTime,
      description:
        "Start of the newest call that has ended, accurate to a minute. Null if no call has ended yet. Calls in progress are in `GET /v1/numbers/live`.",
    }),
  ),
  created_at: DateTime,
  updated_at: DateTime,
});
export type NumberRecord = Static<typeof NumberRecord>;

export const NumberPage = pageShape("NumberPage", NumberRecord);

const FILTERS = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: VISIBLE,
      description:
        "Part of the digits or of the label. One or two characters are taken as what a number or, if they are no digits, a label begins with.",
    }),
  ),
  country: Type.Optional(Country),
  type: Type.Optional(Type.String({ pattern: "^[a-z_]+$", maxLength: 40, examples: ["local"] })),
  status: Type.Optional(closedEnum(STATUSES)),
  tag: Type.Optional(Tag),
  mode: Type.Optional(closedEnum(MODES)),
  sync: Type.Optional(closedEnum(SYNC_STATES)),
  sort: Type.Optional(closedEnum(SORTS)),
};

const { sort: _, ...CONDITIONS } = FILTERS;
/** Filters of the number list, for a request body. */
export const NumberFilter = shape("NumberFilter", CONDITIONS);
export type NumberFilter = Static<typeof NumberFilter>;

export const ExportQuery = Type.Object(FILTERS, { additionalProperties: false });
export const NumberListQuery = Type.Object({ ...PageQuery, ...FILTERS }, { additionalProperties: false });
export type NumberListFilters = Static<typeof ExportQuery>;

export const ChangeNumber = Type.Object(
  {
    label: Type.Optional(nullable(Label)),
    tags: Type.Optional(Type.Array(Tag, { maxItems: 20 })),
    release_lock: Type.Optional(Type.Boolean()),
  },
  { title: "ChangeNumber", additionalProperties: false, minProperties: 1 },
);
export type ChangeNumber = Static<typeof ChangeNumber>;

export const NumberTable = Type.String({
  maxLength: 2_000_000_000,
  description:
    "One line per number: id, number, country, type, status, label, tags (separated by semicolons), source, mode, sync, generation, release_lock, acquired_at, released_at. A text that a spreadsheet would take for a formula begins with an apostrophe.",
  examples: ["id,number,country\r\n0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11,+4930901820,DE\r\n"],
});
