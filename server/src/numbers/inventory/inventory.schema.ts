import { type Static, Type } from "typebox";
import { described, nullable, openEnum, PageQuery, shape } from "../../platform/http/shapes.ts";

export const InventoryQuery = Type.Object(
  {
    country: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{2}$",
        maxLength: 2,
        description: "ISO 3166-1 alpha-2 country code.",
        examples: ["GB"],
      }),
    ),
    type: Type.Optional(
      Type.String({
        pattern: "^[a-z_]{1,40}$",
        maxLength: 40,
        description: "Number type, such as `local` or `mobile`.",
        examples: ["local"],
      }),
    ),
    contains: Type.Optional(
      Type.String({
        pattern: "^[0-9]{1,15}$",
        maxLength: 15,
        description: "Consecutive digits that the number contains.",
        examples: ["2079"],
      }),
    ),
    ...PageQuery,
  },
  { additionalProperties: false },
);
export type InventoryQuery = Static<typeof InventoryQuery>;

const InventoryNumber = shape("InventoryNumber", {
  e164: Type.String({
    maxLength: 16,
    examples: ["+442079460000"],
    description: "Phone number in E.164 format.",
  }),
  country: nullable(
    Type.String({
      maxLength: 2,
      description: "ISO 3166-1 alpha-2 country code. `null` for numbers without a country, such as +800.",
    }),
  ),
  type: openEnum(["local", "national", "mobile", "toll_free"], "Number type."),
  capabilities: Type.Array(openEnum(["voice"]), {
    maxItems: 20,
    description: "Services that the number supports.",
  }),
});

export const InventoryPage = shape("InventoryPage", {
  data: Type.Array(InventoryNumber, { maxItems: 1000, description: "Available numbers." }),
  next_cursor: nullable(
    Type.String({ maxLength: 1000, description: "Cursor of the next page. `null` on the last page." }),
  ),
  carrier: described(
    shape("InventoryCarrier", {
      connected: Type.Boolean({
        description: "Whether an inventory is connected. If false, `data` is empty.",
      }),
    }),
    "Status of the inventory.",
  ),
});
