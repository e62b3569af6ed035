import { ALIKE, callBatchSql } from "./call-batch.ts";
import { type PgbenchScript, withValues } from "./pgbench-script.ts";
import type { SentStatement } from "./wire-tap.ts";

/**
 * Statements of the API for one batch of records, for pgbench. Each connection is another switch, and the
 * database generates the records.
 */
export function ingestScript(
  sent: readonly SentStatement[],
  { switchIds, numbers }: { switchIds: readonly string[]; numbers: number },
): PgbenchScript {
  // pgbench would take every colon in it for the beginning of a variable.
  const variables: Record<string, string> = { alike: JSON.stringify(ALIKE) };
  const batch = callBatchSql(numbers, { first: ":n::bigint", alike: ":alike" });
  const ownSwitch = `(array[${switchIds.map((id) => `'${id}'`).join(", ")}])[:client_id::integer + 1]`;
  const expressionOf = (value: string | undefined, name: string, isSetting: boolean): string => {
    if (value === undefined) return "null";
    if (switchIds.includes(value)) return isSetting ? ownSwitch : `${ownSwitch}::uuid`;
    if (value.startsWith("[{")) return batch.records;
    if (value === "{}") return "'{}'";
    if (value.startsWith("{")) return batch.numberIds;
    variables[name] = value;
    return `:${name}`;
  };
  const statements = sent.map(({ text, values }, at) =>
    withValues(text, (place) =>
      expressionOf(values[place - 1], `v${at}_${place}`, text.includes("set_config")),
    ),
  );
  const lines = [
    `\\set n random(0, ${numbers - 1})`,
    "\\startpipeline",
    ...statements.map((text) => `${text};`),
  ];
  return { text: [...lines, "\\endpipeline", ""].join("\n"), variables };
}
