import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";
import type { ControlPlane, FeedMessage } from "./control-plane.ts";
import { ControlPlaneError, NO_CODE } from "./control-plane-error.ts";

/** A report is answered within this, or counts as lost and is sent again. */
const REPORT_TIMEOUT_MS = 15_000;
/** The head of the stream's answer; after that the agent watches for silence. */
const CONNECT_TIMEOUT_MS = 15_000;

const NEWLINE = 0x0a;

// Shared by all agents of a process: each keeps one stream open and sends its reports over a few others.
const httpAgent = new HttpAgent({ keepAlive: true, maxFreeSockets: 1_024 });
const httpsAgent = new HttpsAgent({ keepAlive: true, maxFreeSockets: 1_024 });

/** The service over HTTP. Only the agent opens connections, so a switch needs no open port. */
export function httpControlPlane({ url, credential }: { url: string; credential: string }): ControlPlane {
  const base = url.replace(/\/+$/, "");
  return {
    async *follow(position, signal) {
      const timeout = new AbortController();
      const timer = setTimeout(
        () => timeout.abort(new Error("The service did not respond in time.")),
        CONNECT_TIMEOUT_MS,
      );
      const line = AbortSignal.any([signal, timeout.signal]);
      let answer: IncomingMessage;
      try {
        answer = await post(`${base}/switch/v1/streams`, credential, position, line);
      } finally {
        clearTimeout(timer);
      }
      if (answer.statusCode !== 200) throw await problemOf(answer);
      for await (const line of linesOf(answer)) yield JSON.parse(line) as FeedMessage;
    },
    async report(report) {
      const signal = AbortSignal.timeout(REPORT_TIMEOUT_MS);
      const answer = await post(`${base}/switch/v1/reports`, credential, report, signal);
      if (answer.statusCode !== 204) throw await problemOf(answer);
      answer.resume();
    },
  };
}

function post(url: string, credential: string, body: unknown, signal: AbortSignal): Promise<IncomingMessage> {
  const isSecure = url.startsWith("https:");
  const json = JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options = {
    method: "POST",
    agent: isSecure ? httpsAgent : httpAgent,
    signal,
    headers: {
      authorization: `Bearer ${credential}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      accept: "application/x-ndjson, application/json",
    },
  };
  const request = isSecure ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve);
  // Aborted, Node's error says only that; why it was aborted is in the signal.
  request.on("error", (error) => reject(signal.aborted ? asError(signal.reason) : error));
  request.end(json);
  return promise;
}

/** A line may be megabytes long and come in many pieces: they are joined once, at its end. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      start = end + 1;
      if (line !== "") yield line;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
}

async function problemOf(answer: IncomingMessage): Promise<ControlPlaneError> {
  const status = answer.statusCode ?? 0;
  const body = await text(answer).catch(() => "");
  try {
    const problem = JSON.parse(body) as { code?: string; detail?: string; title?: string };
    return new ControlPlaneError(status, problem.code ?? NO_CODE, problem.detail ?? problem.title ?? "");
  } catch {
    return new ControlPlaneError(status, NO_CODE, body.slice(0, 200));
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
