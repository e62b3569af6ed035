import { lineAt, listFiles, readText } from "./repository-files.ts";

const FUNCTIONS = "server/database/functions/";
const JSON_KEY = /\b(?:where|and|on)\b[^;\n]{0,200}?[^:<>!]=\s*\(+[a-z_.]+\s*->>?[^;\n]*/gi;

/**
 * Conditions that compare a column with something taken out of JSON. Under row-level security no index serves them,
 * because the extraction may leak rows: the whole table is read, for each value. jsonb_to_recordset makes columns of them.
 */
export function findJsonKeys(root: string): string[] {
  return listFiles(root)
    .filter((path) => path.startsWith(FUNCTIONS))
    .flatMap((path) => {
      const text = readText(root, path);
      return [...text.matchAll(JSON_KEY)].map(({ index, 0: found }) => {
        return `${path}:${lineAt(text, index)}: ${found.trim()}`;
      });
    });
}
