export interface SearchEntry {
  /** The address from the site's root. */
  id: string;
  title: string;
  page: string;
  text: string;
}

/** Must be the same for indexing and searching, or the search finds nothing. */
export const SEARCH_OPTIONS = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: 0.15,
    combineWith: "AND" as const,
  },
};
