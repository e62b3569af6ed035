import { randomUUID } from "node:crypto";
import type { Forgery } from "./carrier-client.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { expectError, isUnknown } from "./expected-errors.ts";
import { described, expectTrue, Violation } from "./violation.ts";
import type { Checks } from "./carrier-check.ts";

const MINUTE_MS = 60_000;

/** Sends an order with a forged signature, and checks that it bought nothing. */
async function expectForgeryFails(tried: TriedCarrier, forgery: Forgery): Promise<void> {
  const [number] = (await tried.take(1)) as [string];
  const body = { organisation: tried.one, numbers: [number], reservations: [] };
  const reply = await tried.client.send("PUT", `/orders/${randomUUID()}`, body, forgery);
  expectTrue(reply.status === 401, `Expected 401, got ${described(reply)}.`);
  expectTrue((await tried.ownedAs(number)).length === 0, "It returned 401, but bought the number.");
}

export const SIGNATURE_CHECKS: Checks = {
  "rejects a request without a signature": {
    run: (tried) => expectForgeryFails(tried, { isUnsigned: true }),
  },
  "rejects a signature with another secret": {
    run: (tried) => expectForgeryFails(tried, { secret: "another secret" }),
  },
  "rejects a signature of another body": {
    run: (tried) => expectForgeryFails(tried, { signedBody: "{}" }),
  },
  "rejects a signature of another path": {
    run: (tried) => expectForgeryFails(tried, { signedTarget: `/orders/${randomUUID()}` }),
  },
  "rejects a signature that is 10 minutes old": {
    run: (tried) => expectForgeryFails(tried, { at: new Date(Date.now() - 10 * MINUTE_MS) }),
  },
  "rejects a signature from 10 minutes in the future": {
    run: (tried) => expectForgeryFails(tried, { at: new Date(Date.now() + 10 * MINUTE_MS) }),
  },
  "accepts a signature that is 2 minutes old": {
    async run({ client }) {
      const reply = await client.send("GET", "/carrier", undefined, {
        at: new Date(Date.now() - 2 * MINUTE_MS),
      });
      expectTrue(reply.status === 200, `Expected 200, got ${described(reply)}.`);
    },
  },
  "describes itself": {
    async run(tried) {
      await tried.ask("GET", "/carrier", "describeCarrier");
    },
  },
  "ignores properties that it does not know": {
    async run(tried) {
      const [number] = (await tried.take(1)) as [string];
      const body = { organisation: tried.one, numbers: [number], reservations: [], of_a_later_version: true };
      await tried.ask("PUT", `/orders/${randomUUID()}`, "order", body);
      await tried.ask("GET", "/numbers?limit=1&of_a_later_version=1", "listNumbers");
    },
  },
  "uses the code unknown only for references and numbers": {
    async run({ client }) {
      for (const target of [`/no-such-path/${randomUUID()}`, `/no-such-path/orders/${randomUUID()}`]) {
        const reply = await client.send("GET", target);
        const isOther = reply.status === 404 && !isUnknown(reply);
        expectTrue(
          isOther,
          `Expected 404 with another code than "unknown" from GET ${target}, got ${described(reply)}.`,
        );
      }
    },
  },
  "rejects an invalid order without an effect": {
    async run({ client, one }) {
      const bodies = [{ organisation: one }, { organisation: one, numbers: "all", reservations: [] }];
      for (const body of bodies) {
        const reply = await client.send("PUT", `/orders/${randomUUID()}`, body);
        if (reply.status !== 400 && reply.status !== 422)
          throw new Violation(`Expected 400 or 422 for ${JSON.stringify(body)}, got ${described(reply)}.`);
        expectError(reply.body);
      }
    },
  },
};
