import type { IncomingMessage } from "node:http";
import { DidwwError, invalid, notAllowed } from "./didww-errors.ts";
import { readAll } from "./didww-request.ts";

const FIELDS = ["encryption_fingerprint", "description", "file"].map((name) => `encrypted_files[${name}]`);
const MOST_BYTES = 20 * 1024 * 1024;

export interface Upload {
  fingerprint: string;
  description: string | null;
  content: Buffer;
}

/** One file for each request. */
export async function readUpload(request: IncomingMessage): Promise<Upload> {
  const parts = partsOf(await readAll(request), request.headers["content-type"]!);
  const unknown = parts.find(({ name }) => !FIELDS.includes(name));
  if (unknown || new Set(parts.map(({ name }) => name)).size < parts.length)
    throw notAllowed(unknown?.name ?? "encrypted_files");
  const [fingerprint, description, file] = FIELDS.map((name) => parts.find((part) => part.name === name));
  if (!fingerprint) throw invalid("/data", "encryption_fingerprint", "can't be blank");
  if (!file?.isFile || file.content.length > MOST_BYTES) throw invalid("/data", "file", "can't be blank");
  return {
    fingerprint: fingerprint.content.toString(),
    description: description?.content.toString() ?? null,
    content: file.content,
  };
}

interface Part {
  name: string;
  isFile: boolean;
  content: Buffer;
}

const LINE = "\r\n";

/** The parts of a form (RFC 7578). */
function partsOf(body: Buffer, contentType: string): Part[] {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) throw new DidwwError(400, "105", "The form has no boundary.");
  const delimiter = Buffer.from(`${LINE}--${boundary}`);
  const all = Buffer.concat([Buffer.from(LINE), body]);
  const parts: Part[] = [];
  for (let from = all.indexOf(delimiter); ;) {
    const begin = from + delimiter.length;
    const until = all.indexOf(delimiter, begin);
    if (from === -1 || until === -1) return parts;
    const part = all.subarray(begin + LINE.length, until);
    const headersEnd = part.indexOf(LINE + LINE);
    const headers = part.subarray(0, headersEnd).toString();
    const name = /[; ]name="([^"]*)"/i.exec(headers)?.[1] ?? "";
    const content = part.subarray(headersEnd + 2 * LINE.length);
    parts.push({ name, isFile: /filename="/i.test(headers), content });
    from = until;
  }
}
