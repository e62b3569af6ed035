/** The page to continue with, for pages that come in between. */
export function readNextSearch({ next }: Record<string, unknown>): { next?: string } {
  return typeof next === "string" ? { next } : {};
}
