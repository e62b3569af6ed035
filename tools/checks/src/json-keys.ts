import { lineAt, listFiles, readText } from "./repository-files.ts";

const FUNCTIONS = "server/database/functions/";
const JSON_KEY = /\b(?:where|and|on)\b[^;\n]{0,200}?[^:<>!]=\s*\(+[a-z_.]+\s*->>?[^;\n]*/gi;
const CAST_KEY =
  /\b(?:where|and|on)\b[^;\n]{0,200}?[^:<>!]=\s*\(*[a-z_]+\.[a-z_]+\)*::(?:uuid|text)\b[^;\n]*/gi;

/**
 * Conditions that compare a column with something taken out of JSON, or with a column of another type. Under row-level security
 * no index serves them, because extraction and cast may leak rows: the whole table is read, for each value.
 * jsonb_to_recordset makes columns of JSON. A subquery with `offset 0` casts before the comparison.
 */
export function findJsonKeys(root: string): string[] {
  return listFiles(root)
    .filter((path) => path.startsWith(FUNCTIONS) || path.endsWith(".store.ts"))
    .flatMap((path) => {
      const text = readText(root, path);
      return [...text.matchAll(JSON_KEY), ...text.matchAll(CAST_KEY)].map(({ index, 0: found }) => {
        return `${path}:${lineAt(text, index)}: ${found.trim()}`;
      });
    });
}
