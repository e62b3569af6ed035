import { type Static, Type } from "typebox";
import { nullable, openEnum, PageQuery, shape } from "../../platform/http/shapes.ts";

export const InventoryQuery = Type.Object(
  {
    country: Type.Optional(
      Type.String({
        pattern: "^[A-Z]{2}$",
        maxLength: 2,
        description: "ISO 3166-1 alpha-2.",
        examples: ["GB"],
      }),
    ),
    type: Type.Optional(
      Type.String({
        pattern: "^[a-z_]{1,40}$",
        maxLength: 40,
        description: "Such as local or mobile.",
        examples: ["local"],
      }),
    ),
    contains: Type.Optional(
      Type.String({
        pattern: "^[0-9]{1,15}$",
        maxLength: 15,
        description: "Digits that stand one after the other in the number.",
        examples: ["2079"],
      }),
    ),
    ...PageQuery,
  },
  { additionalProperties: false },
);
export type InventoryQuery = Static<typeof InventoryQuery>;

const InventoryNumber = shape("InventoryNumber", {
  e164: Type.String({ maxLength: 16, examples: ["+442079460000"] }),
  country: nullable(
    Type.String({ maxLength: 2, description: "Null for numbers of no country, such as +800." }),
  ),
  type: openEnum(["local", "national", "mobile", "toll_free"]),
  capabilities: Type.Array(openEnum(["voice"]), { maxItems: 20 }),
});

export const InventoryPage = shape("InventoryPage", {
  data: Type.Array(InventoryNumber, { maxItems: 1000 }),
  next_cursor: nullable(Type.String({ maxLength: 1000, description: "Present while there is more." })),
  carrier: shape("InventoryCarrier", {
    connected: Type.Boolean({
      description: "False where this installation has no inventory to show; data is empty then.",
    }),
  }),
});
