import { createServer, type Server, type Socket } from "node:net";
import { type AgentLog, textOf } from "../agent-log.ts";
import { type CallQuestion, questionOf } from "./call-question.ts";
import { branchOf, replyTo, RequestStream, type SipRequest } from "./sip-request.ts";

/** Routing decision for a call. */
export type Verdict =
  | { verb: "dial"; uri: string; addresses: string[] }
  | { verb: "forward"; to: string }
  | { verb: "reject"; code: number }
  | { verb: "fall_back" };

export interface RedirectOptions {
  /** Of 127.0.0.1; the switch alone connects to it. */
  port: number;
  /** Never rejects. The signal says that the caller has hung up. */
  decide(question: CallQuestion, signal: AbortSignal): Promise<Verdict>;
  log: AgentLog;
}

/** The switch needs one, or one for each of its processes. */
const MOST_CONNECTIONS = 64;
const LISTEN_AGAIN_MS = 1_000;

/** The switch treats this reply as the end of the webhook. See docs/kamailio-internals.md. */
const FALL_BACK = "500 Fall Back";

/** A SIP redirect server (RFC 3261, 8.3) for the switch next to it: each INVITE is a question, answered once. */
export class RedirectServer {
  readonly #options: RedirectOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isClosed = false;

  constructor(options: RedirectOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
    this.#server.maxConnections = MOST_CONNECTIONS;
    // Another agent that is about to end may still have it.
    this.#server.on("error", (error) => {
      options.log.error({ error: textOf(error) }, "routing webhooks cannot listen on their port; retrying");
      setTimeout(() => this.#listen(), LISTEN_AGAIN_MS).unref();
    });
    this.#listen();
  }

  /** Questions that are open get no answer: the switch falls back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = Promise.withResolvers<void>();
    this.#server.close(() => closed.resolve());
    for (const socket of this.#sockets) socket.destroy();
    await closed.promise;
  }

  #listen(): void {
    if (!this.#isClosed) this.#server.listen(this.#options.port, "127.0.0.1");
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const stream = new RequestStream();
    const open = new Map<string, AbortController>();
    socket.on("data", (chunk) => {
      try {
        for (const request of stream.push(chunk)) this.#take(request, socket, open);
      } catch (error) {
        this.#options.log.warn({ error: textOf(error) }, "rejected a connection that is not the switch's");
        socket.destroy();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.#sockets.delete(socket);
      for (const asking of open.values()) asking.abort();
    });
  }

  #take(request: SipRequest, socket: Socket, open: Map<string, AbortController>): void {
    const branch = branchOf(request);
    const send = (text: string): void => void (socket.writable && socket.write(text, "latin1"));
    switch (request.method) {
      case "ACK":
        return;
      case "CANCEL":
        send(replyTo(request, open.has(branch) ? "200 OK" : "481 Call Does Not Exist"));
        open.get(branch)?.abort();
        return;
      case "INVITE": {
        if (open.has(branch)) return; // said twice
        const asking = new AbortController();
        open.set(branch, asking);
        send(replyTo(request, "100 Trying"));
        void this.#answer(request, asking.signal).then((text) => {
          open.delete(branch);
          send(text);
        });
        return;
      }
      default:
        send(replyTo(request, "405 Method Not Allowed"));
    }
  }

  async #answer(invite: SipRequest, hungUp: AbortSignal): Promise<string> {
    const question = questionOf(invite);
    if (!question) return replyTo(invite, FALL_BACK);
    const verdict = await this.#options.decide(question, hungUp);
    if (hungUp.aborted) return replyTo(invite, "487 Request Terminated");
    switch (verdict.verb) {
      case "dial":
        return replyTo(invite, "302 Moved Temporarily", [
          ["X-Dialplane-Verb", "dial"],
          ["X-Dialplane-To", verdict.uri],
          ["X-Dialplane-Addresses", verdict.addresses.join(",")],
        ]);
      case "forward":
        return replyTo(invite, "302 Moved Temporarily", [
          ["X-Dialplane-Verb", "forward"],
          ["X-Dialplane-To", verdict.to],
        ]);
      case "reject":
        return replyTo(invite, `${verdict.code} ${REJECTIONS[verdict.code]}`);
      default:
        return replyTo(invite, FALL_BACK);
    }
  }
}

/**
 * The codes a customer may reject a call with. Not among them: what asks the carrier for something (401, 407), what
 * speaks of the transaction (408, 481–491), and 5xx, by which a carrier takes the whole switch for broken.
 */
export const REJECTIONS: Record<number, string> = {
  403: "Forbidden",
  404: "Not Found",
  410: "Gone",
  480: "Temporarily Unavailable",
  486: "Busy Here",
  600: "Busy Everywhere",
  603: "Decline",
  604: "Does Not Exist Anywhere",
  607: "Unwanted",
};
