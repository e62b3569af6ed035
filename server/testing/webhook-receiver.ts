import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface Received {
  id: string;
  body: {
    id: string;
    sequence: number;
    type: string;
    subject: string;
    environment: string;
    data: Record<string, unknown>;
  };
  signatures: number;
}

export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  /** Everything that came and was signed with a good secret, also what was then rejected. */
  received: Received[];
  /** Deliveries without a valid signature. */
  forged: number;
  secret: string;
  /** Deliveries that it has not answered yet, and how many there were at once. */
  open: number;
  mostOpen: number;
  answer(received: Received, count: number): Answer;
}

/**
 * `cut` closes the connection without a response, `hang` leaves it open. An endless body starts and never
 * ends.
 */
type Answer =
  | number
  | { redirect: string }
  | { status: number; headers?: Record<string, string>; body?: string; isEndless?: boolean }
  | "cut"
  | "hang";

/** A customer's receiver, which believes nothing that the official library does not verify. */
export async function receiveWebhooks(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    forged: 0,
    secret: "",
    open: 0,
    mostOpen: 0,
    answer: () => 204,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const headers = request.headers as Record<string, string>;
    try {
      new Webhook(receiver.secret).verify(text, headers);
    } catch {
      receiver.forged += 1;
      response.writeHead(400).end();
      return;
    }
    const one = {
      id: headers["webhook-id"]!,
      body: JSON.parse(text) as Received["body"],
      signatures: headers["webhook-signature"]!.split(" ").length,
    };
    receiver.received.push(one);
    receiver.open += 1;
    receiver.mostOpen = Math.max(receiver.mostOpen, receiver.open);
    response.once("close", () => (receiver.open -= 1));
    give(response, receiver.answer(one, receiver.received.length));
  }
  return receiver;
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === "hang") return;
  if (answer === "cut") return void response.destroy();
  if (typeof answer === "number") return void response.writeHead(answer).end();
  if ("redirect" in answer) return void response.writeHead(302, { location: answer.redirect }).end();
  response.writeHead(answer.status, answer.headers).write(answer.body ?? " ");
  if (!answer.isEndless) response.end();
}
