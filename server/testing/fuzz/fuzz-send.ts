import { type Agent, request as httpRequest } from "node:http";
import type { Judged } from "./fuzz-judge.ts";

export interface FuzzRequest {
  method: string;
  /** Path as sent: escapes may be invalid. */
  path: string;
  headers: Record<string, string | string[]>;
  body: string | undefined;
  /** The client leaves after the first bytes. */
  isEndless: boolean;
}

const TIMEOUT_MS = 60_000;

/** Rejects if no response comes. */
export async function sendFuzz(url: URL, agent: Agent, request: FuzzRequest): Promise<Judged> {
  try {
    return await sendOnce(url, agent, request);
  } catch (error) {
    // The server may close an idle connection at the moment when the client reuses it.
    if ((error as { isReused?: boolean }).isReused) return sendOnce(url, agent, request);
    throw error;
  }
}

function sendOnce(
  { hostname, port }: URL,
  agent: Agent,
  { method, path, headers, body, isEndless }: FuzzRequest,
): Promise<Judged> {
  const sent = {
    ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers: sent, agent, timeout: TIMEOUT_MS };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      const finish = (isCut: boolean): void =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
          isCut,
        });
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isEndless || response.statusCode !== 200) return;
        finish(true);
        request.destroy();
      });
      response.on("end", () => finish(false));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
    request.on("error", (error) => reject(Object.assign(error, { isReused: request.reusedSocket })));
    request.end(body);
  });
}
