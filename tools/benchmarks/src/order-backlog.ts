import { randomUUID } from "node:crypto";
import type { Config } from "@dialplane/server/config";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "@dialplane/server/seed";
import { openApp } from "@dialplane/server/start";
import type { ServerUnderLoad } from "./bench-processes.ts";

/** Enough that orders do not queue for one organisation's next event. */
export const BUYERS = 20;
const AT_ONCE = 16;

/** One session each, of the owners of as many organisations. */
export async function seedBuyers(config: Config): Promise<string[]> {
  const app = await openApp(config);
  try {
    const tokens: string[] = [];
    for (let at = 0; at < BUYERS; at++) {
      const organisationId = await seedOrganisation(app, `Buyer ${at}`);
      const owner = await seedPerson(app, { name: `Buyer ${at}`, email: `buyer-${at}@example.com` });
      await seedMembership(app, organisationId, owner.userId, "owner");
      tokens.push(await seedSession(app, owner, "tool"));
    }
    return tokens;
  } finally {
    await app.close();
  }
}

/** Area codes whose numbers need evidence. */
const REGULATED = [628, 629];

/** Fictional, and without a script: the sandbox sells each of them at once. */
export function* plainNumbers(): Generator<string, undefined> {
  for (let area = 200; area <= 999; area++) {
    if (REGULATED.includes(area)) continue;
    for (let last = 30; last <= 99; last++) yield `+1${area}55501${last}`;
  }
}

export const MOST_ORDERS = (800 - REGULATED.length) * 70;

export interface Backlog {
  api: ServerUnderLoad;
  tokens: readonly string[];
  numbers: Iterator<string, undefined>;
  signal: AbortSignal;
}

/** One number each, in the test environment, by the buyers in turn. */
export async function placeOrders({ api, tokens, numbers, signal }: Backlog, count: number): Promise<void> {
  let placed = 0;
  const placeOn = async (): Promise<void> => {
    while (placed < count) {
      const token = tokens[placed++ % tokens.length]!;
      signal.throwIfAborted();
      const answer = await fetch(`http://127.0.0.1:${api.port}/v1/numbers/orders`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "x-service-environment": "test",
          "idempotency-key": randomUUID(),
        },
        body: JSON.stringify({ numbers: [numbers.next().value] }),
      });
      const text = await answer.text();
      if (answer.status !== 202) throw new Error(`an order was answered ${answer.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, placeOn));
}
