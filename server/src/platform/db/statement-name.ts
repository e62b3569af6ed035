const names = new Map<string, string>();

/**
 * Every statement is prepared once per connection under a name of its own: unnamed ones cost the server
 * twice the work. The count is bounded because no statement is built from what a caller sent.
 */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
