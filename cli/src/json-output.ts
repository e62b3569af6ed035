import { usageFailure } from "./cli-failure.ts";

/** Fields of `--json` and expression of `--jq`. */
export interface JsonSelection {
  fields?: readonly string[] | undefined;
  jq?: string | undefined;
}

/** JSON of a value as the user selected it. `indent` is for results that jq has not changed. */
export async function jsonText(
  value: unknown,
  { fields, jq }: JsonSelection,
  { indent }: { indent?: number } = {},
): Promise<string> {
  const selected = fields ? selectFields(value, fields) : value;
  return jq === undefined ? `${JSON.stringify(selected, null, indent)}\n` : runJq(selected, jq);
}

function selectFields(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => selectFields(one, fields));
  if (typeof value !== "object" || value === null) return value;
  const unknown = fields.find((name) => !(name in value));
  if (unknown !== undefined)
    throw usageFailure(
      `--json: there is no field “${unknown}”. Use some of ${Object.keys(value).join(", ")}.`,
    );
  return Object.fromEntries(fields.map((name) => [name, (value as Record<string, unknown>)[name]]));
}

/** Strings are printed without quotes, as by `jq -r`. The package is loaded only here: it holds jq itself. */
async function runJq(value: unknown, expression: string): Promise<string> {
  const { raw } = await import("jq-wasm");
  try {
    const printed = (await raw(JSON.stringify(value), expression, ["-r", "-c"])).trimEnd();
    return printed === "" ? "" : `${printed}\n`;
  } catch (error) {
    const [reason] = (error as Error).message.replace(/^jq: error:? ?/, "").split("\n");
    throw usageFailure(`--jq: ${reason}`);
  }
}
