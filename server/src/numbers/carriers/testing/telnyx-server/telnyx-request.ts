import type { IncomingMessage } from "node:http";
import { TelnyxError } from "./telnyx-errors.ts";

/** Allowed query parameters: names, and patterns of their values. */
export type Parameters = Record<string, RegExp>;

export const ANY = /^.+$/s;
export const BOOLEAN = /^(true|false)$/;
export const WHOLE = /^[1-9]\d{0,6}$/;
export const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
export const PAGES: Parameters = {
  "page[number]": WHOLE,
  "page[size]": /^([1-9]|[1-9]\d|1\d\d|2[0-4]\d|250)$/,
};
const E164 = /^\+[1-9]\d{6,14}$/;

export function readQuery(query: URLSearchParams, known: Parameters): Map<string, string> {
  const read = new Map<string, string>();
  for (const [name, value] of query) {
    const shape = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!shape) throw new TelnyxError(400, "10015", `Unknown parameter ${name}.`, { parameter: name });
    if (!shape.test(value) || read.has(name))
      throw new TelnyxError(400, "10015", `Invalid value of ${name}.`, { parameter: name });
    read.set(name, value);
  }
  return read;
}

export function checkKey({ headers }: IncomingMessage, apiKey: string): void {
  if (headers.authorization !== `Bearer ${apiKey}`)
    throw new TelnyxError(401, "10009", "Could not find any usable credentials in the request.");
}

export interface NumbersBody {
  e164s: string[];
  reference: string | undefined;
}

/** Body of a reservation or an order: two common members, and for orders some that are only validated. */
export async function readNumbersBody(
  request: IncomingMessage,
  { members, ofNumber }: { members: readonly string[]; ofNumber: readonly string[] },
): Promise<NumbersBody> {
  const body = objectOf(await readJson(request), "", ["phone_numbers", "customer_reference", ...members]);
  const { phone_numbers: numbers, ...texts } = body;
  for (const [name, value] of Object.entries(texts))
    if (typeof value !== "string") throw invalid(`/${name}`, "must be a string");
  if (!Array.isArray(numbers) || numbers.length === 0)
    throw new TelnyxError(422, "10004", "phone_numbers must be present.", { pointer: "/phone_numbers" });
  const e164s = numbers.map((one: unknown, at) => {
    const place = `/phone_numbers/${at}`;
    const { phone_number: e164 } = objectOf(one, place, ["phone_number", ...ofNumber]);
    if (typeof e164 === "string" && E164.test(e164)) return e164;
    throw new TelnyxError(422, "10016", "must be in +E.164 format", { pointer: `${place}/phone_number` });
  });
  if (new Set(e164s).size < e164s.length) throw invalid("/phone_numbers", "has a number twice");
  return { e164s, reference: texts["customer_reference"] as string | undefined };
}

/** Changes of a number. A connection is an ID, and cannot be removed. */
export async function readNumberChange(
  request: IncomingMessage,
): Promise<{ connectionId: string | undefined }> {
  const texts = [
    "id",
    "customer_reference",
    "external_pin",
    "connection_id",
    "billing_group_id",
    "address_id",
  ];
  const body = objectOf(await readJson(request), "", [...texts, "tags", "hd_voice_enabled"]);
  for (const name of texts)
    if (name in body && typeof body[name] !== "string") throw invalid(`/${name}`, "must be a string");
  if ("tags" in body && !Array.isArray(body["tags"])) throw invalid("/tags", "must be an array");
  return { connectionId: body["connection_id"] as string | undefined };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const [type] = (request.headers["content-type"] ?? "").split(";");
  if (type!.trim().toLowerCase() !== "application/json")
    throw new TelnyxError(415, "10014", "The body must be application/json.");
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new TelnyxError(400, "10023", "The body is not JSON.");
  }
}

function objectOf(value: unknown, pointer: string, members: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(pointer, "must be an object");
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined) throw invalid(`${pointer}/${unknown}`, "is not known");
  return value as Record<string, unknown>;
}

function invalid(pointer: string, fault: string): TelnyxError {
  return new TelnyxError(422, "10015", `${pointer} ${fault}.`, { pointer });
}
