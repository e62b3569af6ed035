/** Plain text both ways: what looks like a number in an address was typed as text. */
export const PLAIN_SEARCH = {
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search: Record<string, unknown>) {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text && `?${text}`;
  },
};
