import { type Static, type TSchema, Type } from "typebox";

/** Shapes that occur all over the contract. Everything has a limit: what has none will be found out. */
export const Id = Type.String({
  format: "uuid",
  maxLength: 36,
  examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
});
export const DateTime = Type.String({
  format: "date-time",
  maxLength: 32,
  examples: ["2026-11-15T09:30:00.000Z"],
});
export const Email = Type.String({
  format: "email",
  minLength: 3,
  maxLength: 254,
  examples: ["ada@example.com"],
});
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: String.raw`^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$`,
  examples: ["Ada Lovelace"],
});

const EMAIL =
  /^[^\s\p{C}@"(),:;<>[\\\]]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\.[A-Za-z]{2,63}$/u;

export function isEmail(text: string): boolean {
  return text.length <= 254 && EMAIL.test(text);
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type } = schema as unknown as { type: string };
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, "null"] });
}

/** The same schema with a description for this field. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** Enum in responses: clients must expect unknown values. */
export function openEnum<const Values extends readonly string[]>(values: Values, meaning?: string) {
  const possible = `Possible values: ${values.map((value) => `\`${value}\``).join(", ")}. New values may be added.`;
  return Type.Unsafe<Values[number]>({
    type: "string",
    examples: [values[0]],
    maxLength: 64,
    "x-extensible-enum": [...values],
    description: meaning === undefined ? possible : `${meaning} ${possible}`,
  });
}

export function closedEnum<const Values extends readonly string[]>(values: Values) {
  return Type.Unsafe<Values[number]>({ type: "string", enum: [...values] });
}

/** Closed object with its own name in the contract. */
export function shape<Properties extends Parameters<typeof Type.Object>[0]>(
  title: string,
  properties: Properties,
) {
  return Type.Object(properties, { title, additionalProperties: false });
}

export const ById = Type.Object({ id: Id }, { additionalProperties: false });

/** A number in a path: its ID, or its E.164 form, which stands for the open holding in the chosen environment. */
export const ByNumber = Type.Object(
  {
    id: Type.String({
      pattern: String.raw`^([0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}|\+[1-9][0-9]{1,14})$`,
      maxLength: 36,
      examples: ["0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
      description:
        "ID of the number, or its E.164 form such as `+493010000001`. IDs and numbers you cannot access return 404.",
    }),
  },
  { additionalProperties: false },
);

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 200,
      format: "int32",
      description: "Maximum number of results.",
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: "`next_cursor` of the previous page." }),
  ),
};

export function pageShape<Item extends TSchema>(title: string, item: Item) {
  return shape(title, pageFields(item));
}

/** Page of a list that also counts its results. */
export function countedPageShape<Item extends TSchema>(title: string, item: Item) {
  return shape(title, {
    ...pageFields(item),
    total: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        format: "int32",
        description: "Count of all results: up to 10,000, or 2,000 for a search. Only on the first page.",
      }),
    ),
    total_is_minimum: Type.Optional(
      Type.Boolean({
        description:
          "Whether there can be more results than `total`, because counting stopped. Only on the first page.",
      }),
    ),
  });
}

function pageFields<Item extends TSchema>(item: Item) {
  return {
    data: Type.Array(item, { maxItems: 1000, description: "Results of this page." }),
    next_cursor: nullable(
      Type.String({ maxLength: 1000, description: "Cursor of the next page. `null` on the last page." }),
    ),
  };
}
