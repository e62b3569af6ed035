import http from "node:http";
import { text } from "node:stream/consumers";

/** Summing up or searching a table of a million takes seconds. */
const ANSWER_MS = 60_000;

/** The switch's HTTP side, for what is rare: one request at a time on a connection, never an array of calls. */
export class SwitchRpc {
  readonly #port: number;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  async call(method: string, params: (string | number)[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { status, words } = await this.#send("POST", "/rpc", body);
    const answer = parsed(words);
    if (answer?.error) throw new Error(`${method}: ${answer.error.message ?? "refused"}`);
    if (status !== 200 || answer === undefined || !("result" in answer))
      throw new Error(`${method}: returned ${status}`);
    return answer.result;
  }

  async get(path: string): Promise<string> {
    const { status, words } = await this.#send("GET", path);
    if (status !== 200) throw new Error(`${path}: returned ${status}`);
    return words;
  }

  close(): void {
    this.#agent.destroy();
  }

  /** A connection that was kept may be one to a switch that is no more: then once again on a new one. */
  async #send(method: string, path: string, body = ""): Promise<{ status: number; words: string }> {
    try {
      return await this.#sendOnce(method, path, body);
    } catch (error) {
      if (!(error instanceof StaleConnectionError)) throw error;
      return this.#sendOnce(method, path, body);
    }
  }

  #sendOnce(method: string, path: string, body: string): Promise<{ status: number; words: string }> {
    return new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const options = { host: "127.0.0.1", port: this.#port, method, path, headers, agent: this.#agent };
      const request = http.request(options, (response) => {
        text(response).then((words) => resolve({ status: response.statusCode ?? 0, words }), reject);
      });
      request.setTimeout(ANSWER_MS, () => request.destroy(new Error(`No response to ${path}.`)));
      request.on("error", (error) => reject(request.reusedSocket ? new StaleConnectionError() : error));
      request.end(body);
    });
  }
}

class StaleConnectionError extends Error {}

function parsed(words: string): { result?: unknown; error?: { message?: string } } | undefined {
  try {
    return JSON.parse(words) as { result?: unknown; error?: { message?: string } };
  } catch {
    return undefined;
  }
}
