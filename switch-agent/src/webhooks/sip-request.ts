/** A request as far as a redirect server looks at it. */
export interface SipRequest {
  method: string;
  /** By long name in small letters; values as they came, in their order. */
  headers: Map<string, string[]>;
}

/** More than the switch can send: its own limit is 64 KB, and what it adds for the agent is at most a few. */
export const MOST_BYTES = 128 * 1024;

/** RFC 3261, 7.3.3: those that matter here. */
const LONG_NAMES: Record<string, string> = {
  v: "via",
  f: "from",
  t: "to",
  i: "call-id",
  l: "content-length",
};

/** Splits a TCP stream into requests (RFC 3261, 18.3). Throws if it cannot find the next start. */
export class RequestStream {
  #bytes: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): SipRequest[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const requests: SipRequest[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) requests.push(next);
    if (this.#bytes.length > MOST_BYTES) throw new Error("A message is too long.");
    return requests;
  }

  #take(): SipRequest | undefined {
    // Empty lines between messages keep a connection alive.
    let start = 0;
    while (this.#bytes[start] === 0x0d || this.#bytes[start] === 0x0a) start += 1;
    if (start > 0) this.#bytes = this.#bytes.subarray(start);
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const request = parseHead(this.#bytes.toString("latin1", 0, end));
    const length = only(request, "content-length") ?? "0";
    if (!/^\d{1,6}$/.test(length)) throw new Error("A message has no Content-Length.");
    const whole = end + 4 + Number(length);
    if (whole > MOST_BYTES) throw new Error("A message is too long.");
    if (this.#bytes.length < whole) return undefined;
    this.#bytes = this.#bytes.subarray(whole);
    return request;
  }
}

/** The value of a header that is there once; undefined if it is not, or several times. */
export function only({ headers }: SipRequest, name: string): string | undefined {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
}

/** Returns the transaction's branch. A CANCEL has the branch of its INVITE (RFC 3261, 9.1). */
export function branchOf({ headers }: SipRequest): string {
  return /;\s*branch=([^;,\s]+)/i.exec(headers.get("via")?.[0] ?? "")?.[1] ?? "";
}

/** Copies the headers that identify the request (RFC 3261, 8.2.6.2). */
export function replyTo(
  request: SipRequest,
  status: string,
  more: [name: string, value: string][] = [],
): string {
  const repeated = (["Via", "From", "To", "Call-ID", "CSeq"] as const).flatMap((name) =>
    (request.headers.get(name.toLowerCase()) ?? []).map((value) => {
      const isUntagged = name === "To" && !status.startsWith("100") && !/;\s*tag=/i.test(value);
      return `${name}: ${value}${isUntagged ? ";tag=agent" : ""}`;
    }),
  );
  const added = more.map(([name, value]) => `${name}: ${value}`);
  return [`SIP/2.0 ${status}`, ...repeated, ...added, "Content-Length: 0", "", ""].join("\r\n");
}

function parseHead(text: string): SipRequest {
  // A line that begins with a space continues with the one before.
  const [first = "", ...lines] = text.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  const method = /^([A-Z]{1,32}) \S+ SIP\/2\.0$/.exec(first)?.[1];
  if (method === undefined) throw new Error("A message is not a request.");
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const given = line.slice(0, colon).trim().toLowerCase();
    const name = LONG_NAMES[given] ?? given;
    const value = line.slice(colon + 1).trim();
    const values = headers.get(name);
    if (values) values.push(value);
    else headers.set(name, [value]);
  }
  return { method, headers };
}
