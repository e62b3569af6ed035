import { Refusal } from "../refusal.ts";
import { isSameMac, macOf, type Secrets } from "../secrets.ts";
import type { Actor } from "./access.ts";
import type { Answer } from "./operation.ts";

/** What a cursor is good for: one list, with these filters, of this caller's organisation and environment. */
export interface ListScope {
  list: string;
  of: Pick<Actor, "organisationId" | "environment"> | { userId: string } | "installation";
  filters?: Record<string, unknown>;
}

interface PageNeeds {
  config: { baseUrl: string; secrets: Secrets };
}

interface PageRequest {
  scope: ListScope & { path: string };
  limit: number;
  /** Position of the last row of the page before. */
  after: string | undefined;
}

const DEFAULT_LIMIT = 200;

export function pageRequest(
  needs: PageNeeds,
  scope: ListScope & { path: string },
  query: { limit?: number; cursor?: string },
): PageRequest {
  return {
    scope,
    limit: query.limit ?? DEFAULT_LIMIT,
    after: query.cursor === undefined ? undefined : positionOf(needs, scope, query.cursor),
  };
}

/** Stores fetch one row more than asked for; that one only says that there is a next page. */
export function pageAnswer<Row, Item>(
  needs: PageNeeds,
  request: PageRequest,
  rows: readonly Row[],
  shape: { item(row: Row): Item; position(row: Row): string },
): Answer {
  const { scope } = request;
  const page = rows.slice(0, request.limit);
  const last = rows.length > request.limit ? page.at(-1) : undefined;
  const cursor = last === undefined ? null : cursorOf(needs, scope, shape.position(last));
  const body = { data: page.map(shape.item), next_cursor: cursor };
  if (cursor === null) return { status: 200, body };
  const next = new URLSearchParams({ ...stringsOf(scope.filters), limit: String(request.limit), cursor });
  return {
    status: 200,
    body,
    headers: { link: `<${needs.config.baseUrl}${scope.path}?${next.toString()}>; rel="next"` },
  };
}

function stringsOf(filters: Record<string, unknown> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

function cursorOf(needs: PageNeeds, scope: ListScope, position: string): string {
  const mac = cursorMac(needs, scope, position).subarray(0, 16);
  return Buffer.concat([mac, Buffer.from(position)]).toString("base64url");
}

function positionOf(needs: PageNeeds, scope: ListScope, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.toString("utf8", 16);
  if (
    bytes.length <= 16 ||
    !isSameMac(cursorMac(needs, scope, position).subarray(0, 16), bytes.subarray(0, 16))
  ) {
    throw new Refusal("invalid_cursor", "This cursor does not belong to this list.", {
      errors: [
        { parameter: "cursor", code: "malformed", detail: "Not a cursor of this list with these filters." },
      ],
    });
  }
  return position;
}

function cursorMac(needs: PageNeeds, { list, of, filters }: ListScope, position: string): Buffer {
  return macOf(
    needs.config.secrets.derive("cursor"),
    JSON.stringify([list, of, stringsOf(filters), position]),
  );
}
