export interface SearchEntry {
  /** The address from the site's root. */
  id: string;
  title: string;
  page: string;
  text: string;
}

/** The same when the index is created and when it is asked, or it finds nothing. */
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
