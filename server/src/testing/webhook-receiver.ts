import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

export interface Received {
  id: string;
  body: { id: string; type: string; subject: string; environment: string; data: Record<string, unknown> };
  signatures: number;
}

export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  /** Everything that came and was signed with a good secret, also what was then refused. */
  received: Received[];
  /** Of what came, what was not signed with it. */
  forged: number;
  secret: string;
  /** How to answer; `cut` closes the connection without an answer. */
  answer(received: Received, count: number): number | { redirect: string } | "cut";
}

/** A customer's receiver, which believes nothing that the official library does not verify. */
export async function receiveWebhooks(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    forged: 0,
    secret: "",
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
    const answer = receiver.answer(one, receiver.received.length);
    if (answer === "cut") request.socket.destroy();
    else if (typeof answer === "number") response.writeHead(answer).end();
    else response.writeHead(302, { location: answer.redirect }).end();
  }
  return receiver;
}
