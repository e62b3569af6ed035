import type { IncomingMessage } from "node:http";
import type { Wanted } from "./didww-account.ts";
import { DidwwError, invalid, notAllowed } from "./didww-errors.ts";

export const MEDIA_TYPE = "application/vnd.api+json";
const VERSION = "2026-04-16";

/** The key, the media types and the version: without the version, an account may get another one. */
export function checkHeaders(
  { headers, method }: IncomingMessage,
  { apiKey, isUpload }: { apiKey: string; isUpload: boolean },
): void {
  if (headers["api-key"] !== apiKey)
    throw new DidwwError(401, "401", "Invalid API key.", { title: "Unauthorized" });
  if (headers.accept !== MEDIA_TYPE)
    throw new DidwwError(406, "406", `All requests must use the '${MEDIA_TYPE}' Accept header.`);
  const hasBody = method === "POST" || method === "PATCH";
  const isWanted = isUpload
    ? headers["content-type"]?.startsWith("multipart/form-data;") === true
    : headers["content-type"] === MEDIA_TYPE;
  if (hasBody && !isWanted)
    throw new DidwwError(415, "415", `The body must be ${MEDIA_TYPE}.`, { title: "Unsupported media type" });
  if (headers["x-didww-api-version"] !== VERSION)
    throw new DidwwError(400, "105", "This server has only the version 2026-04-16.");
}

type Members = Record<string, unknown>;

export interface Body {
  attributes: Members;
  /** Null removes the relationship. */
  relationships: Record<string, Identifier | null>;
  /** Relationships to several resources. */
  lists: Record<string, Identifier[]>;
}

interface Identifier {
  type: string;
  id: string;
}

interface Allowed {
  type: string;
  /** ID of the changed resource, which the body repeats. */
  id?: string;
  attributes: readonly string[];
  relationships: readonly string[];
  lists?: readonly string[];
}

/** Reads a resource, and rejects every member that the documentation does not name. */
export async function readResource(request: IncomingMessage, allowed: Allowed): Promise<Body> {
  const { data } = membersOf(await readJson(request), "", ["data"]);
  const names = ["type", "id", "attributes", "relationships"];
  const resource = membersOf(data, "/data", names);
  if (resource["type"] !== allowed.type)
    throw new DidwwError(400, "101", `${String(resource["type"])} is not a valid resource.`);
  if (resource["id"] !== allowed.id) throw new DidwwError(400, "110", "The id does not match the address.");
  const attributes = membersOf(resource["attributes"] ?? {}, "/data/attributes", allowed.attributes);
  const known = [...allowed.relationships, ...(allowed.lists ?? [])];
  const given = membersOf(resource["relationships"] ?? {}, "/data/relationships", known);
  const body: Body = { attributes, relationships: {}, lists: {} };
  for (const [name, value] of Object.entries(given)) {
    const pointer = `/data/relationships/${name}`;
    const { data } = membersOf(value, pointer, ["data"]);
    if (!allowed.lists?.includes(name))
      body.relationships[name] = data === null ? null : identifierOf(data, pointer);
    else if (Array.isArray(data)) body.lists[name] = data.map((one) => identifierOf(one, pointer));
    else throw invalid(pointer, name);
  }
  return body;
}

function identifierOf(data: unknown, pointer: string): Identifier {
  const { type, id } = membersOf(data, `${pointer}/data`, ["type", "id"]);
  if (typeof type !== "string" || typeof id !== "string") throw invalid(pointer, pointer.split("/").at(-1)!);
  return { type, id };
}

const ITEM = [
  "sku_id",
  "qty",
  "did_reservation_id",
  "available_did_id",
  "nanpa_prefix_id",
  "billing_cycles_count",
];
const SOURCES = ["qty", "did_reservation_id", "available_did_id"];
const MOST_REFERENCE = 100;

export interface OrderBody {
  wanted: Wanted[];
  externalReference: string | null;
}

/** Only items that name their number: this server sells nothing else, and never later. */
export function readOrder({ attributes }: Body): OrderBody {
  const { items, external_reference_id: reference = null, allow_back_ordering: isBack = true } = attributes;
  if (!Array.isArray(items) || items.length === 0)
    throw new DidwwError(400, "106", "The required parameter, items, is missing.", {
      title: "Missing Parameter",
    });
  const isText = typeof reference === "string" && reference.length <= MOST_REFERENCE;
  if (reference !== null && !isText)
    throw invalid("/data/attributes/external_reference_id", "external_reference_id");
  if (isBack !== false) throw invalid("/data/attributes/allow_back_ordering", "allow_back_ordering");
  return { wanted: items.map(readItem), externalReference: reference };
}

function readItem(item: unknown, at: number): Wanted {
  const pointer = `/data/attributes/items/${at}`;
  const { type, attributes } = membersOf(item, pointer, ["type", "attributes"]);
  if (type !== "did_order_items") throw invalid(`${pointer}/type`, `items/${at}/type`);
  const given = membersOf(attributes, `${pointer}/attributes`, ITEM);
  const sources = SOURCES.filter((name) => name in given);
  const { sku_id: skuId, available_did_id: availableId, did_reservation_id: holdId } = given;
  if (sources.length !== 1 || "qty" in given) throw notAllowed(sources.at(-1) ?? "items");
  if (typeof skuId !== "string") throw invalid(`${pointer}/sku_id`, `items/${at}/sku_id`, "can't be blank");
  return {
    skuId,
    ...(availableId !== undefined && { availableId: textOf(availableId, pointer) }),
    ...(holdId !== undefined && { holdId: textOf(holdId, pointer) }),
  };
}

function textOf(value: unknown, pointer: string): string {
  if (typeof value !== "string") throw invalid(pointer, "id");
  return value;
}

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  try {
    return JSON.parse((await readAll(request)).toString());
  } catch {
    throw new DidwwError(400, "105", "The body is not JSON.", { title: "Bad request" });
  }
}

function membersOf(value: unknown, pointer: string, names: readonly string[]): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DidwwError(400, "106", `${pointer || "/"} must be an object.`, { pointer });
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw notAllowed(unknown);
  return value as Members;
}
