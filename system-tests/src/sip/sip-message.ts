export interface SipMessage {
  /** Null for a reply. */
  method: string | null;
  /** Null for a request. */
  status: number | null;
  startLine: string;
  headers: [name: string, value: string][];
  body: string;
}

export function parseMessage(text: string): SipMessage {
  const end = text.indexOf("\r\n\r\n");
  const [startLine = "", ...lines] = (end < 0 ? text : text.slice(0, end)).split("\r\n");
  const isReply = startLine.startsWith("SIP/2.0 ");
  return {
    method: isReply ? null : startLine.split(" ")[0]!,
    status: isReply ? Number(startLine.split(" ")[1]) : null,
    startLine,
    headers: lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
    body: end < 0 ? "" : text.slice(end + 4),
  };
}

export function headersOf(message: SipMessage, name: string): string[] {
  return message.headers
    .filter(([one]) => one.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
}

export const headerOf = (message: SipMessage, name: string): string => headersOf(message, name)[0] ?? "";

export const branchOf = (message: SipMessage): string =>
  /;branch=([^;,\s]+)/.exec(headerOf(message, "Via"))?.[1] ?? "";

const tagOf = (value: string): string => /;tag=([^;>\s]+)/.exec(value)?.[1] ?? "";

export const uriIn = (value: string): string => /<([^>]*)>/.exec(value)?.[1] ?? value;

/** Proxies may put several into one line. */
export const routesOf = (message: SipMessage, name: "Route" | "Record-Route"): string[] =>
  headersOf(message, name).flatMap((value) => value.match(/<[^>]*>[^,]*/g) ?? []);

export function writeMessage(startLine: string, headers: [string, string][], body = ""): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [startLine, ...lines, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n");
}

/** A reply copies the headers that identify its request. */
export function writeReply(
  request: SipMessage,
  status: string,
  more: [string, string][],
  tag: string,
): string {
  const repeated = ["Via", "Record-Route", "From", "To", "Call-ID", "CSeq"].flatMap((name) =>
    headersOf(request, name).map((value): [string, string] =>
      name === "To" && tagOf(value) === "" && !status.startsWith("100")
        ? [name, `${value};tag=${tag}`]
        : [name, value],
    ),
  );
  return writeMessage(`SIP/2.0 ${status}`, [...repeated, ...more]);
}
