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
import { E164_PATTERN, NUMBER_TYPES } from "./numbers.e164.ts";
import { Country } from "./numbers.schema.ts";
import { MOST_AT_ONCE } from "./numbers.stocking.ts";

const STATUSES = ["free", "held"] as const;
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Written = Type.String({
  minLength: 1,
  maxLength: 100,
  examples: ["+4930901820"],
  description: "Phone number, in E.164 format or in the national format of `country`.",
});

const PoolEntry = shape("PoolEntry", {
  number: Written,
  to: Type.Optional({ ...Written, description: "Last number of a range that starts with `number`." }),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Number type, used if the numbering plan does not define it. One of ${NUMBER_TYPES.join(", ")}.`,
      examples: ["national"],
    }),
  ),
});

export const ImportPool = shape("ImportPool", {
  entries: Type.Array(PoolEntry, {
    minItems: 1,
    maxItems: 1000,
    description: `Numbers and ranges, ${MOST_AT_ONCE.toLocaleString("en")} numbers at most in total. Further entries are listed in \`faults\`. Send them in another request.`,
  }),
  country: Type.Optional({
    ...Country,
    description: "ISO 3166-1 alpha-2 country code of numbers without a leading plus.",
  }),
  group_id: Type.Optional({
    ...Id,
    description:
      "ID of the switch group that serves the numbers. Defaults to the default group of the live environment.",
  }),
  dry_run: Type.Optional(
    Type.Boolean({
      description: "If true, the API validates the entries and imports nothing (default: false).",
    }),
  ),
});
export type ImportPool = Static<typeof ImportPool>;

export const PoolImport = shape("PoolImport", {
  dry_run: Type.Boolean({ description: "Whether this was a dry run." }),
  added: described(Count, "Count of imported numbers."),
  skipped: { ...Count, description: "Count of numbers that are already in the pool or listed twice." },
  faults: Type.Array(
    shape("PoolFault", {
      entry: { ...Count, description: "Index of the entry, starting at 0." },
      detail: Type.String({ maxLength: 500, description: "Reason why the entry is invalid." }),
    }),
    { maxItems: 1000, description: "Invalid entries. All other entries are imported." },
  ),
});
export type PoolImport = Static<typeof PoolImport>;

const counts = {
  total: described(Count, "Count of all numbers."),
  free: { ...Count, description: "Count of numbers that can be ordered." },
  held: { ...Count, description: "Count of numbers that an organisation holds or that are in quarantine." },
};

export const Pool = shape("Pool", {
  ...counts,
  kinds: Type.Array(
    shape("PoolKind", {
      country: {
        ...nullable(Country),
        description: "ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800.",
      },
      type: openEnum(NUMBER_TYPES, "Number type."),
      ...counts,
    }),
    { maxItems: 5000, description: "Counts by country and type." },
  ),
});
export type Pool = Static<typeof Pool>;

export const PoolNumber = shape("PoolNumber", {
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
  status: described(
    openEnum(STATUSES),
    "`free`: can be ordered. `held`: an organisation holds it, or it is in quarantine. New values may be added.",
  ),
  group_id: described(Id, "ID of the switch group that serves the number."),
  added_at: described(DateTime, "Time when the number was imported."),
});
export type PoolNumber = Static<typeof PoolNumber>;
export const PoolNumberPage = pageShape("PoolNumberPage", PoolNumber);

export const PoolNumbersQuery = Type.Object(
  {
    ...PageQuery,
    country: Type.Optional(Country),
    status: Type.Optional(described(closedEnum(STATUSES), "Only numbers with this status.")),
    prefix: Type.Optional(
      Type.String({
        pattern: String.raw`^\+[0-9]{1,15}$`,
        maxLength: 16,
        description: "Leading digits of the numbers, with the plus.",
        examples: ["+4930"],
      }),
    ),
  },
  { additionalProperties: false },
);
export type PoolNumbersQuery = Static<typeof PoolNumbersQuery>;
