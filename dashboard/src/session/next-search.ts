/** Page to open after an intermediate page. */
export function readNextSearch({ next }: Record<string, unknown>): { next?: string } {
  return typeof next === "string" ? { next } : {};
}
