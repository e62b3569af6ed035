import { listFiles, readText } from "./repository-files.ts";

const FOLDER = "server/database/";
const MAX_COLUMNS = 120;
const MAX_LINES = 60;

/** Lines of functions that are longer than MAX_LINES. They may shrink and not grow. */
const LONG_FUNCTIONS: Record<string, number> = {
  add_holdings: 70,
  record_exceptions: 85,
  record_report: 106,
  routing_record: 63,
  search_holdings: 67,
  set_routing: 120,
  set_routings: 84,
};

/** Functions that a policy, an index, a constraint or a default uses. They must exist before the function files apply. */
const FUNCTIONS_IN_MIGRATIONS = [
  "current_api_key_id",
  "current_environment",
  "current_organisation_id",
  "current_switch_group_id",
  "current_switch_id",
  "current_task",
  "current_user_id",
  "id_of",
  "is_holder_of_calls",
  "new_tag",
  "new_token",
  "searched_text",
  "side_key",
];

/** Faults of SQL files: long lines, long functions, functions in the wrong folder, functions defined twice. */
export function findSqlFaults(root: string): string[] {
  const files = listFiles(root)
    .filter((path) => path.startsWith(FOLDER) && path.endsWith(".sql") && !path.endsWith("/schema.sql"))
    .map((path) => ({ path, text: readText(root, path) }));
  return [...files.flatMap(findLongLines), ...findFunctionFaults(files.flatMap(findFunctions))];
}

interface SqlFile {
  path: string;
  text: string;
}

interface SqlFunction {
  path: string;
  line: number;
  name: string;
  signature: string;
  lines: number;
}

function findLongLines({ path, text }: SqlFile): string[] {
  return text.split("\n").flatMap((line, index) => {
    return line.length > MAX_COLUMNS
      ? [`${path}:${index + 1}: ${line.length} characters, at most ${MAX_COLUMNS}`]
      : [];
  });
}

const DEFINITION = /^create (?:or replace )?function (\w+)\s*(\((?:[^()]|\([^()]*\))*\))/;
const END = /(?:\$\w*\$|^end|^ {2}return .*);$|^ {4,}.*;$/;

function findFunctions({ path, text }: SqlFile): SqlFunction[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const found = DEFINITION.exec(lines.slice(index, index + 10).join("\n"));
    if (!line.startsWith("create") || !found) return [];
    return [
      {
        path,
        line: index + 1,
        name: found[1]!,
        signature: signatureOf(found),
        lines: lengthOf(lines, index),
      },
    ];
  });
}

function signatureOf([, name, parameters]: RegExpExecArray): string {
  return `${name}${parameters!.replaceAll(/\s+/g, " ")}`;
}

function lengthOf(lines: string[], from: number): number {
  const head = lines.slice(from).findIndex((line) => /\$\w*\$|\bbegin atomic\b|^ {2}return /.test(line));
  const isQuoted = /\$\w*\$/.test(lines[from + head]!);
  const isAtomic = /\bbegin atomic\b/.test(lines[from + head]!);
  const end = isQuoted ? /^\$\w*\$;$/ : isAtomic ? /^end;$/ : END;
  return lines.slice(from + head).findIndex((line) => end.test(line)) + head + 1;
}

function findFunctionFaults(functions: SqlFunction[]): string[] {
  const seen = new Map<string, string>();
  return functions.flatMap(({ path, line, name, signature, lines }) => {
    const faults: string[] = [];
    const allowed = LONG_FUNCTIONS[name] ?? MAX_LINES;
    if (lines > allowed) faults.push(`${name} has ${lines} lines, at most ${allowed}`);
    if (path.includes("/migrations/") !== FUNCTIONS_IN_MIGRATIONS.includes(name))
      faults.push(`${name} belongs in ${path.includes("/migrations/") ? "functions" : "migrations"}`);
    if (seen.has(signature)) faults.push(`${name} is also defined in ${seen.get(signature)}`);
    seen.set(signature, path);
    return faults.map((fault) => `${path}:${line}: ${fault}`);
  });
}
