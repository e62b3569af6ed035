import { ApiError } from "../api-error.ts";
import { type DerivedKey, isSameMac, macOf, type Secrets } from "../secrets.ts";
import type { Actor } from "./access.ts";
import type { Answer } from "./operation.ts";

/** Scope of a cursor: the list at this path, with these filters, of this organisation and environment. */
export interface List {
  path: string;
  of: Pick<Actor, "organisationId" | "environment"> | "installation";
  filters?: Record<string, unknown>;
}

interface PageNeeds {
  config: { baseUrl: string };
  secrets: Secrets;
}

/** Page to read: rows after a position, and their maximum number. */
export interface Page {
  after: string | undefined;
  limit: number;
}

/** JSON array of items, the position of the last one if there are more, and the count if the list has one. */
export interface JsonPage {
  data: string;
  last: string | null;
  total?: { count: number; isMinimum: boolean } | undefined;
}

interface PageSource<Row> {
  /** One row more than asked for, where there is one: it only says that there is a next page. */
  rows(page: Page): Promise<readonly Row[]>;
  item(row: Row): unknown;
  /** Position of a row in the order of the list. */
  position(row: Row): string;
}

const DEFAULT_LIMIT = 200;

export async function pageOf<Row>(
  needs: PageNeeds,
  list: List,
  query: { limit?: number; cursor?: string },
  source: PageSource<Row>,
): Promise<Answer> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = query.cursor === undefined ? undefined : positionOf(needs, list, query.cursor);
  const rows = await source.rows({ after, limit });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : nextOf(needs, list, source.position(last), limit);
  return {
    status: 200,
    body: { data: page.map(source.item), next_cursor: next?.cursor ?? null },
    ...(next && { headers: { link: next.link } }),
  };
}

/** The same where the database has written the items already: a JSON array, and its last position if there is more. */
export async function jsonPageOf(
  needs: PageNeeds,
  list: List,
  query: { limit?: number; cursor?: string },
  read: (page: Page) => Promise<JsonPage>,
): Promise<Answer> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const after = query.cursor === undefined ? undefined : positionOf(needs, list, query.cursor);
  const { data, last, total } = await read({ after, limit });
  const next = last === null ? null : nextOf(needs, list, last, limit);
  const counted = total ? `,"total":${total.count},"total_is_minimum":${total.isMinimum}` : "";
  return {
    status: 200,
    json: `{"data":${data},"next_cursor":${JSON.stringify(next?.cursor ?? null)}${counted}}`,
    ...(next && { headers: { link: next.link } }),
  };
}

function nextOf(
  needs: PageNeeds,
  list: List,
  position: string,
  limit: number,
): { cursor: string; link: string } {
  const cursor = cursorOf(needs, list, position);
  const query = new URLSearchParams([...pairsOf(list.filters), ["limit", String(limit)], ["cursor", cursor]]);
  return { cursor, link: `<${needs.config.baseUrl}${list.path}?${query.toString()}>; rel="next"` };
}

/** Filters as query parameters: lists repeat their name, and objects name each key, as in `metadata[site]`. */
function pairsOf(filters: Record<string, unknown> = {}): [string, string][] {
  return Object.entries(filters).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value.map((one) => [name, String(one)]);
    if (typeof value === "object" && value !== null)
      return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, String(one)]);
    return [[name, `${value as string | number | boolean}`]];
  });
}

function cursorOf(needs: PageNeeds, list: List, position: string): string {
  const mac = cursorMac(needs.secrets.current("cursor"), list, position);
  return Buffer.concat([mac, Buffer.from(position)]).toString("base64url");
}

function positionOf(needs: PageNeeds, list: List, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.toString("utf8", 16);
  const isOurs = (key: DerivedKey): boolean =>
    isSameMac(cursorMac(key, list, position), bytes.subarray(0, 16));
  if (bytes.length <= 16 || !needs.secrets.all("cursor").some(isOurs)) {
    throw new ApiError(
      "invalid_cursor",
      "This cursor does not belong to this list. Send `next_cursor` of the previous page with the same filters.",
      {
        errors: [
          {
            parameter: "cursor",
            code: "malformed",
            detail: "Use next_cursor of this list with the same filters.",
          },
        ],
      },
    );
  }
  return position;
}

function cursorMac({ key }: DerivedKey, { path, of, filters }: List, position: string): Buffer {
  const whose = of === "installation" ? of : [of.organisationId, of.environment];
  return macOf(key, JSON.stringify([path, whose, pairsOf(filters), position])).subarray(0, 16);
}
