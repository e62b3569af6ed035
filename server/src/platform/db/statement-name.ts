import type pg from "pg";

/** `unnamed` is for connection poolers that do not support prepared statements. */
export type StatementMode = "named" | "unnamed";

/** `queryMode` is missing in the types of node-postgres. */
type Sent = pg.QueryConfig & { queryMode?: "extended" };

const names = new Map<string, string>();

/** For node-postgres. Without a name or values, it would use the simple protocol, which two statements in one trip cannot use. */
export function statement(mode: StatementMode, text: string, values: unknown[]): Sent {
  if (mode === "named") return { name: statementName(text), text, values };
  return { text, values, queryMode: "extended" };
}

/**
 * Each statement is prepared once per connection under its own name: unnamed statements cost the server twice
 * the work. The count is bounded, because no statement contains a caller's input.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
