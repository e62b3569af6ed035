const names = new Map<string, string>();

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
