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
import { Country } from "./numbers.schema.ts";
import { MOST_AT_ONCE } from "./numbers.stocking.ts";

const STATUSES = ["free", "held"] as const;
const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" });
const Written = Type.String({ minLength: 1, maxLength: 100, examples: ["+4930901820"] });

const PoolEntry = shape("PoolEntry", {
  number: Written,
  to: Type.Optional({ ...Written, description: "The last number of a range that begins with `number`." }),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `Where the numbering plan does not know better: ${NUMBER_TYPES.join(", ")}.`,
      examples: ["national"],
    }),
  ),
});

export const ImportPool = shape("ImportPool", {
  entries: Type.Array(PoolEntry, {
    minItems: 1,
    maxItems: 1000,
    description: `Numbers and ranges, ${MOST_AT_ONCE.toLocaleString("en")} numbers in all; what is beyond that is a fault and waits for another request.`,
  }),
  country: Type.Optional({
    ...Country,
    description: "Whose numbers are those that do not begin with a plus.",
  }),
  group_id: Type.Optional({
    ...Id,
    description: "Of the switches that will serve them; the live side's default when left out.",
  }),
  dry_run: Type.Optional(Type.Boolean({ description: "Tells what would happen, and changes nothing." })),
});
export type ImportPool = Static<typeof ImportPool>;

export const PoolImport = shape("PoolImport", {
  dry_run: Type.Boolean(),
  added: Count,
  skipped: { ...Count, description: "In the pool already, held or not, or named twice." },
  faults: Type.Array(
    shape("PoolFault", {
      entry: { ...Count, description: "Which of the entries, counted from 0." },
      detail: Type.String({ maxLength: 500 }),
    }),
    { maxItems: 1000, description: "Entries that are not possible; the others are imported." },
  ),
});
export type PoolImport = Static<typeof PoolImport>;

const counts = {
  total: Count,
  free: { ...Count, description: "Can be ordered." },
  held: { ...Count, description: "An organisation's, or resting after one released it." },
};

export const Pool = shape("Pool", {
  ...counts,
  kinds: Type.Array(
    shape("PoolKind", {
      country: { ...nullable(Country), description: "Null where a number belongs to none, such as +800." },
      type: openEnum(NUMBER_TYPES),
      ...counts,
    }),
    { maxItems: 5000 },
  ),
});
export type Pool = Static<typeof Pool>;

export const PoolNumber = shape("PoolNumber", {
  e164: Type.String({ pattern: E164_PATTERN, maxLength: 16, examples: ["+4930901820"] }),
  country: nullable(Country),
  type: openEnum(NUMBER_TYPES),
  status: openEnum(STATUSES),
  group_id: Id,
  added_at: DateTime,
});
export type PoolNumber = Static<typeof PoolNumber>;
export const PoolNumberPage = pageShape("PoolNumberPage", PoolNumber);

export const PoolNumbersQuery = Type.Object(
  {
    ...PageQuery,
    country: Type.Optional(Country),
    status: Type.Optional(closedEnum(STATUSES)),
    prefix: Type.Optional(
      Type.String({
        pattern: String.raw`^\+[0-9]{1,15}$`,
        maxLength: 16,
        description: "How the numbers begin, with the plus.",
        examples: ["+4930"],
      }),
    ),
  },
  { additionalProperties: false },
);
export type PoolNumbersQuery = Static<typeof PoolNumbersQuery>;
