/** Search parameters as plain text: digits must not become numbers. */
export const PLAIN_SEARCH = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search: Record<string, unknown>) {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
};

/** Without the question mark. */
export function queryStringOf(search: object): string {
  return PLAIN_SEARCH.stringifySearch({ ...search }).slice(1);
}
