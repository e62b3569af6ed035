export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
  title?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  default?: unknown;
}

export interface Field {
  /** With the way to it: `data[].id`. */
  name: string;
  type: string;
  isRequired: boolean;
  description: string;
}

/** Deeper, a table is no longer read; the contract has the rest. */
const DEEPEST = 3;

/** One list of fields, or one for each shape that a body may have. */
export function schemaShapes(schemas: Record<string, Schema>, schema: Schema): Field[][] {
  const whole = follow(schemas, schema);
  const variants = whole.oneOf ?? whole.anyOf?.filter(({ type }) => type !== "null");
  return (variants ?? [whole]).map((shape) =>
    fieldsOf(schemas, follow(schemas, shape), { path: "", depth: 1 }),
  );
}

interface Place {
  path: string;
  depth: number;
}

function fieldsOf(schemas: Record<string, Schema>, schema: Schema, { path, depth }: Place): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${path}${key}`;
    const own = withoutNull(schemas, property);
    const { description = own.description ?? "" } = property;
    const field = {
      name,
      type: typeOf(property, schemas),
      isRequired: schema.required?.includes(key) ?? false,
      description,
    };
    if (depth >= DEEPEST) return [field];
    const entry = own.items ? withoutNull(schemas, own.items) : own;
    const inside = own.items ? `${name}[].` : `${name}.`;
    return [field, ...fieldsOf(schemas, entry, { path: inside, depth: depth + 1 })];
  });
}

export function typeOf(schema: Schema, schemas: Record<string, Schema> = {}): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(", ");
  const own = withoutNull(schemas, schema);
  const types = [schema.type ?? own.type ?? "object"].flat();
  const isNullable = types.includes("null") || schema.anyOf?.some(({ type }) => type === "null");
  const plain = types.filter((type) => type !== "null").join(" or ");
  const kind = plain === "array" ? `array of ${typeOf(own.items ?? {}, schemas)}` : (own.format ?? plain);
  const range =
    own.minimum !== undefined && own.maximum !== undefined ? `, ${own.minimum} to ${own.maximum}` : "";
  return `${kind}${range}${isNullable ? ", or null" : ""}`;
}

function withoutNull(schemas: Record<string, Schema>, schema: Schema): Schema {
  const one = schema.anyOf?.filter(({ type }) => type !== "null");
  return follow(schemas, one?.length === 1 ? one[0]! : schema);
}

function follow(schemas: Record<string, Schema>, schema: Schema): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : follow(schemas, schemas[name] ?? {});
}
