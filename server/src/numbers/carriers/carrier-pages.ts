export interface NumberedPage<Item> {
  items: readonly Item[];
  /** Number of pages there are now. */
  pages: number;
}

/** Reads numbered pages, from 1 on, until the last. */
export async function allPages<Item>(read: (page: number) => Promise<NumberedPage<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await read(page);
    pages = answer.pages;
    items.push(...answer.items);
  }
  return items;
}

/** The page that a list continues with. */
export function pageAt(after: string | undefined): number {
  return after === undefined ? 1 : Number(after);
}

/** Undefined on the last page. */
export function pageAfter(page: number, pages: number): string | undefined {
  return page < pages ? String(page + 1) : undefined;
}
