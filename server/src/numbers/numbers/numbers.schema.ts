import { type Static, Type } from "typebox";
import { Metadata, MetadataChange } from "../../platform/http/metadata.ts";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  countedPageShape,
  nullable,
  openEnum,
  PageQuery,
  shape,
} from "../../platform/http/shapes.ts";
import { E164_PATTERN, NUMBER_TYPES } from "./numbers.e164.ts";

const STATUSES = ["active", "suspended", "releasing", "quarantined", "released"] as const;
const MODES = ["sip_uri", "connection", "unrouted", "forward", "webhook"] as const;
const SYNC_STATES = ["in_sync", "pending", "failed", "drifted", "unknown"] as const;
const HEALTH = ["up", "partial", "down", "unknown"] as const;
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
  description: "Label of the number.",
});
export const Tag = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: VISIBLE_TAG,
  examples: ["berlin"],
  description: "Tag.",
});
export const Country = Type.String({
  pattern: "^[A-Z]{2}$",
  maxLength: 2,
  examples: ["DE"],
  description: "ISO 3166-1 alpha-2 country code.",
});

/** Shown for a number whose switch keeps drifting. */
export const Flapping = Type.Boolean({
  description:
    "Whether a switch has drifted at least three times between the same values, most recently within 10 minutes. It can be true while the routing is in sync.",
});

const NumberDestination = shape("NumberDestination", {
  mode: openEnum(MODES, "Desired routing mode."),
  sip_uri: Type.Optional(Type.String({ maxLength: 255, description: "SIP URI. Only in mode `sip_uri`." })),
  connection: Type.Optional(
    described(
      shape("NumberConnection", {
        id: described(Id, "ID of the connection."),
        name: Type.String({ maxLength: 100, description: "Name of the connection." }),
      }),
      "Connection. Only in mode `connection`.",
    ),
  ),
  forward_to: Type.Optional(
    Type.String({ maxLength: 16, description: "Phone number in E.164 format. Only in mode `forward`." }),
  ),
  webhook_url: Type.Optional(
    Type.String({ maxLength: 2000, description: "URL of your server. Only in mode `webhook`." }),
  ),
  steps: Type.Integer({
    minimum: 1,
    maximum: 100,
    format: "int32",
    description: "Number of destinations that a call can try in order, with failover up to 3.",
  }),
});

const NumberRouting = shape("NumberRouting", {
  mode: openEnum(MODES, "Desired routing mode."),
  generation: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    format: "int64",
    description: "Generation of the desired routing.",
  }),
  status: openEnum(SYNC_STATES, "Comparison of desired and applied routing."),
  destination: described(NumberDestination, "Desired destination of calls."),
  applied_destination: Type.Unsafe<Static<typeof NumberDestination> | null>({
    anyOf: [NumberDestination, { type: "null" }],
    description:
      "Destination that the switches in `switches_behind` hold. `null` if it equals `destination`, if these switches hold different ones, or if it is unknown.",
  }),
  switches_behind: Type.Array(
    shape("SwitchBehind", {
      switch: Type.String({ maxLength: 100, description: "Name of the switch." }),
      state: openEnum(
        ["pending", "failed", "drifted", "unknown"],
        "Comparison of desired and applied routing on this switch.",
      ),
    }),
    {
      maxItems: 1000,
      description: "Switches that have not read back the desired routing. Empty if the number is in sync.",
    },
  ),
  switches: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    format: "int32",
    description: "Count of switches that route the number.",
  }),
  health: nullable(
    openEnum(
      HEALTH,
      "Whether the targets of the connection respond. `down`: none of them on at least one switch. `partial`: some of them. `unknown`: without recent reports of all switches. `null` if the destination is not a connection.",
    ),
  ),
  flapping: Flapping,
});

export const NumberRecord = shape("Number", {
  id: described(Id, "ID of the number in your organisation."),
  e164: Type.String({
    pattern: E164_PATTERN,
    maxLength: 16,
    examples: ["+4930901820"],
    description: "Phone number in E.164 format.",
  }),
  country: described(
    nullable(Country),
    "ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800.",
  ),
  type: openEnum(NUMBER_TYPES, "Number type."),
  capabilities: Type.Array(openEnum(["voice"]), {
    maxItems: 20,
    description: "Services that the number supports.",
  }),
  status: openEnum(STATUSES, "Status of the number."),
  status_reason: nullable(
    Type.String({
      maxLength: 64,
      description: "Reason for a suspension, such as `not_at_carrier`. `null` if there is none.",
    }),
  ),
  label: nullable(
    Type.String({ maxLength: 200, description: "Label of the number. `null` if there is none." }),
  ),
  tags: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: "Tags of the number." }),
  metadata: Metadata,
  source: openEnum(["order", "import"], "Origin of the number."),
  order_id: described(nullable(Id), "ID of the order. `null` if the number was imported."),
  routing: Type.Unsafe<Static<typeof NumberRouting> | null>({
    anyOf: [NumberRouting, { type: "null" }],
    description: "Summary of the routing. `null` if your role cannot read routing.",
  }),
  release_lock: Type.Boolean({ description: "Whether the number is protected from release." }),
  acquired_at: described(DateTime, "Time when your organisation received the number."),
  released_at: described(nullable(DateTime), "Time of the release. `null` if the number was not released."),
  restore_until: described(
    nullable(DateTime),
    "Time until which the number can be restored from quarantine. `null` if it cannot be restored.",
  ),
  last_call_at: nullable(
    Type.String({
      ...DateTime,
      description:
        "Start of the newest finished call, accurate to a minute. `null` if there is none. `GET /v1/numbers/live` shows active calls.",
    }),
  ),
  calls_24h: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Count of finished calls that started in the current hour or in the 23 hours before it.",
  }),
  created_at: described(DateTime, "Time when the record was created."),
  updated_at: described(DateTime, "Time of the last change."),
});
export type NumberRecord = Static<typeof NumberRecord>;

export const NumberPage = countedPageShape("NumberPage", NumberRecord);

const FILTERS = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: VISIBLE,
      description:
        "Search text: part of the label, of the destination, of the connection's name or of the number, in any form in which people write it, such as `030 1000` or `0049 30 1000`. Numbers without a country code are read as in your organisation's `default_country`. For the role `member`, destinations and connections are not searched. One or two characters match only the beginning of a number, or of a label if they are not digits.",
    }),
  ),
  country: Type.Optional(described(Country, "Only numbers of this country (ISO 3166-1 alpha-2).")),
  type: Type.Optional(
    Type.String({
      pattern: "^[a-z_]+$",
      maxLength: 40,
      examples: ["local"],
      description: "Only numbers of this type.",
    }),
  ),
  status: Type.Optional(
    described(
      closedEnum(STATUSES),
      "Only numbers with this status. Defaults to `active`, `suspended` and `releasing`.",
    ),
  ),
  tag: Type.Optional(described(Tag, "Only numbers with this tag.")),
  mode: Type.Optional(described(closedEnum(MODES), "Only numbers with this desired routing mode.")),
  sync: Type.Optional(described(closedEnum(SYNC_STATES), "Only numbers with this routing status.")),
  health: Type.Optional(
    described(closedEnum(HEALTH), "Only numbers whose first destination is a connection with this health."),
  ),
  e164: Type.Optional(
    Type.Array(Type.String({ pattern: E164_PATTERN, maxLength: 16, examples: ["+493010000001"] }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: "Only these phone numbers, in E.164 format (repeatable, at most 200).",
    }),
  ),
  connection_id: Type.Optional(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
      description:
        "Only numbers that use one of these connections, also as fallback (repeatable, at most 20).",
    }),
  ),
  destination: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 100,
      pattern: VISIBLE,
      examples: ["pbx.northwind.example"],
      description:
        "Only numbers whose calls go to a destination with this text in its SIP URI, URL, host or phone number, also as fallback. Hosts of connections count too.",
    }),
  ),
  last_call_before: Type.Optional(
    described(DateTime, "Only numbers whose newest call started before this time, or that have no call."),
  ),
  metadata: Type.Optional(
    described(
      Metadata,
      "Only numbers with this value of a metadata key, such as `metadata[site]=berlin`. All keys must match.",
    ),
  ),
  sort: Type.Optional(
    described(closedEnum(SORTS), "Sort order (default: `acquired_at`). A minus sorts in descending order."),
  ),
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
    label: Type.Optional(described(nullable(Label), "New label. `null` removes it.")),
    tags: Type.Optional(
      Type.Array(Tag, { maxItems: 20, description: "New tags. They replace all current tags." }),
    ),
    metadata: Type.Optional(MetadataChange),
    release_lock: Type.Optional(
      Type.Boolean({ description: "Whether the number is protected from release. Owners and admins only." }),
    ),
  },
  { title: "ChangeNumber", additionalProperties: false, minProperties: 1 },
);
export type ChangeNumber = Static<typeof ChangeNumber>;

export const NumberTable = Type.String({
  maxLength: 2_000_000_000,
  description:
    "CSV with one line per number: id, number, country, type, status, label, tags (separated by semicolons), source, mode, sync, generation, release_lock, acquired_at, released_at. Text that a spreadsheet would read as a formula starts with an apostrophe.",
  examples: ["id,number,country\r\n0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11,+4930901820,DE\r\n"],
});
