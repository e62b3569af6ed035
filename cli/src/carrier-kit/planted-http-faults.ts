import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";

interface Received {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
  /** Whether the client closed the connection. */
  isGone(): boolean;
}

interface Sent {
  status: number;
  body: string;
}

type Ask = (received: Received) => Promise<Sent>;

/** A mistake between network and carrier: it handles a request, and may pass it on to a sound server. */
type HttpFault = (received: Received, ask: Ask, secret: string) => Promise<Sent>;

/** A server in front of a sound one. */
function inFrontOf(sound: Server, handle: (received: Received, ask: Ask) => Promise<Sent>): Server {
  const front = createServer((request, response) => {
    receive(request)
      .then((received) => handle(received, askOf(sound)))
      .then(({ status, body }) => send(response, status, body))
      .catch(() => response.destroy());
  });
  front.once("listening", () => sound.listen(0, "127.0.0.1"));
  front.once("close", () => {
    sound.closeAllConnections();
    sound.close();
  });
  return front;
}

function askOf(sound: Server): Ask {
  return async ({ method, target, headers, body }) => {
    const { port } = sound.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}${target}`, {
      method,
      headers,
      ...(body && { body }),
    });
    return { status: response.status, body: await response.text() };
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => name.startsWith("dialplane-")),
  ) as Record<string, string>;
  return {
    method: request.method!,
    target: request.url!,
    headers,
    body: Buffer.concat(chunks).toString(),
    isGone: () => request.socket.destroyed,
  };
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" }).end(body);
}

/** Signs a request for the sound server, whatever signature it came with. */
function signed(received: Received, secret: string): Received {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const { method, target, body } = received;
  const hmac = createHmac("sha256", secret).update(`${timestamp}.${method}.${target}.${body}`).digest("hex");
  return {
    ...received,
    headers: { "dialplane-timestamp": timestamp, "dialplane-signature": `v1=${hmac}` },
  };
}

/** Whether the signature fits, if `parts` are what is signed. */
function fits({ headers }: Received, secret: string, parts: string): boolean {
  const timestamp = headers["dialplane-timestamp"];
  const hmac = createHmac("sha256", secret).update(`${timestamp}.${parts}`).digest("hex");
  return headers["dialplane-signature"] === `v1=${hmac}`;
}

function fault(
  finds: string,
  handle: HttpFault,
): { finds: string; fault: (sound: Server, secret: string) => Server } {
  return {
    finds,
    fault: (sound, secret) => inFrontOf(sound, (received, ask) => handle(received, ask, secret)),
  };
}

export const HTTP_FAULTS = {
  "accepts requests without a signature": fault(
    "rejects a request without a signature",
    (received, ask, secret) =>
      ask(received.headers["dialplane-signature"] ? received : signed(received, secret)),
  ),
  "accepts any signature": fault("rejects a signature with another secret", (received, ask, secret) =>
    ask(received.headers["dialplane-signature"] ? signed(received, secret) : received),
  ),
  "accepts signatures of any age": fault(
    "rejects a signature that is 10 minutes old",
    (received, ask, secret) => {
      const { method, target, body } = received;
      return ask(fits(received, secret, `${method}.${target}.${body}`) ? signed(received, secret) : received);
    },
  ),
  "rejects signatures after a minute": fault(
    "accepts a signature that is 2 minutes old",
    async (received, ask) => {
      const age = Date.now() / 1_000 - Number(received.headers["dialplane-timestamp"]);
      return age > 60 ? { status: 401, body: "{}" } : ask(received);
    },
  ),
  "buys before it checks the signature": fault(
    "rejects a signature of another body",
    async (received, ask, secret) => {
      if (received.method === "PUT") await ask(signed(received, secret));
      return ask(received);
    },
  ),
  "responds to everything it does not know with an empty 404": fault(
    "does not know an order that it never received",
    async (received, ask) => {
      const sent = await ask(received);
      return sent.status === 404 ? { ...sent, body: "" } : sent;
    },
  ),
  "responds to an invalid order with 500": fault(
    "rejects an invalid order without an effect",
    async (received, ask) => {
      const sent = await ask(received);
      return sent.status === 422 ? { ...sent, status: 500 } : sent;
    },
  ),
  "says unknown for a path that it does not know": fault(
    "uses the code unknown only for references and numbers",
    async (received, ask) => {
      const sent = await ask(received);
      return { ...sent, body: sent.body.replace("no_such_operation", "unknown") };
    },
  ),
  "rejects properties that it does not know": fault(
    "ignores properties that it does not know",
    async (received, ask) => {
      const isKnown = !received.body.includes("of_a_later_version");
      return isKnown ? ask(received) : { status: 422, body: '{"code": "invalid", "message": "No."}' };
    },
  ),
  "calls an order unknown while the order is in progress": fault(
    "does not call an order unknown while the order is in progress",
    async (received, ask) => {
      if (isOrder(received)) await setTimeout(UNTIL_GONE_MS);
      return ask(received);
    },
  ),
  "leaves out a field of its list": fault(
    "buys the numbers of an order, and lists them with reference and organisation",
    async (received, ask) => {
      const sent = await ask(received);
      return { ...sent, body: sent.body.replaceAll('"bought_at"', '"boughtAt"') };
    },
  ),
  "undoes the purchase of a client that is gone, but not its record": fault(
    "buys once if the response is lost and the order repeated",
    async (received, ask, secret) => {
      if (!isOrder(received)) return ask(received);
      await setTimeout(UNTIL_GONE_MS);
      const sent = await ask(received);
      if (received.isGone()) await ask(signed(releaseOf(received), secret));
      return sent;
    },
  ),
};

function isOrder({ method, target }: Received): boolean {
  return method === "PUT" && target.startsWith("/orders/");
}

/** A server that has none of the optional features. */
export function withoutFeatures(sound: Server): Server {
  return inFrontOf(sound, async (received, ask) => {
    const sent = await ask(received);
    const isDescription = received.target === "/carrier";
    return isDescription ? { ...sent, body: sent.body.replace(/"features":\[.*?\]/, '"features":[]') } : sent;
  });
}

/** Sound servers that take time for an order, by how they respond to `GET` until then. */
export const SLOW_SERVERS: Record<string, (sound: Server) => Server> = {
  "wait for the order": slowServer((work, ask) => work.then(ask)),
  "respond with 503": slowServer(async () => ({
    status: 503,
    body: '{"code": "busy", "message": "The order is in progress."}',
  })),
};

function slowServer(handleGet: (work: Promise<void>, ask: () => Promise<Sent>) => Promise<Sent>) {
  const inProgress = new Map<string, Promise<void>>();
  return (sound: Server) =>
    inFrontOf(sound, async (received, ask) => {
      const { target } = received;
      const work = inProgress.get(target);
      if (!isOrder(received)) return work ? handleGet(work, () => ask(received)) : ask(received);
      const sent = setTimeout(UNTIL_GONE_MS).then(() => ask(received));
      inProgress.set(
        target,
        sent.then(() => {}).finally(() => inProgress.delete(target)),
      );
      return sent;
    });
}

/** Longer than a client takes that closes the connection on purpose. */
const UNTIL_GONE_MS = 120;

function releaseOf(order: Received): Received {
  const { organisation, numbers } = JSON.parse(order.body) as { organisation: string; numbers: string[] };
  return {
    ...order,
    target: `/releases/${randomUUID()}`,
    body: JSON.stringify({ organisation, number: numbers[0], bought_as: null }),
  };
}
