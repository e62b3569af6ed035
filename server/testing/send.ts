import { type Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";

export interface Sent {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  body: any;
}

export interface SendOptions {
  /** A list sends the header that many times. */
  headers?: Record<string, string | string[]>;
  /** An object goes as JSON; text goes as it is. */
  body?: unknown;
  /** Disconnects at the end of a line: the response may never end. */
  isEndless?: true;
  /** Keeps connections for many requests. By default each request has its own. */
  agent?: Agent;
}

/** One request over a real socket, with nothing added that the test did not ask for. */
export function send(
  url: string,
  method: string,
  path: string,
  { headers = {}, body, isEndless, agent }: SendOptions = {},
): Promise<Sent> {
  const isJson = body !== undefined && typeof body !== "string";
  const payload = isJson ? JSON.stringify(body) : body;
  const sent = {
    ...(isJson && { "content-type": "application/json" }),
    // Node leaves it out for GET and DELETE, and the body would be taken for a second request.
    ...(payload !== undefined &&
      headers["transfer-encoding"] === undefined && { "content-length": Buffer.byteLength(payload) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL(path, url),
      { method, headers: sent, agent: agent ?? false },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        const answered = (): void =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            body: parsed(text, response.headers),
          });
        response.on("data", (chunk: string) => {
          text += chunk;
          if (!isEndless || !text.endsWith("\n")) return;
          answered();
          request.destroy();
        });
        response.on("end", answered);
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(payload);
  });
}

function parsed(text: string, headers: IncomingHttpHeaders): unknown {
  return /\bjson\b/.test(headers["content-type"] ?? "") && text !== "" ? JSON.parse(text) : undefined;
}
