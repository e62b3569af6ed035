import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCarrierServer } from "../../../../../examples/carrier-server/carrier-server.ts";
import { MemoryCarrier } from "../../../../../examples/carrier-server/memory-carrier.ts";
import type { Requirement } from "../../../../../examples/carrier-server/memory-requirements.ts";
import { newId } from "../../../platform/ids.ts";
import type { OrderingCarrier, Side } from "../carrier.ts";
import { describeDelivery } from "../testing/delivery-contract.ts";
import { describeInventory } from "../testing/inventory-contract.ts";
import { describeOrdering } from "../testing/ordering-contract.ts";
import { describeRequirements } from "../testing/requirements-contract.ts";
import { PROTOCOL_EXAMPLES, SIGNATURE_EXAMPLE } from "./http-carrier.examples.ts";
import { PROTOCOL_OPERATIONS } from "./http-carrier.operations.ts";
import { signatureHeaders } from "./http-carrier.signature.ts";
import { describeHttpCarrier, openHttpCarrier } from "./http-carrier.ts";

const SECRET = "of both sides";
const FEATURES = ["inventory", "restore", "delivery", "requirements"];
const OF: Side = { organisationId: newId(), environment: "live" };
const NUMBER = "+442079460000";
const NEEDED: Requirement[] = [
  { id: "address", type: "address", description: "Address.", country: "US", document_kinds: [] },
  { id: "passport", type: "document", description: "Passport.", country: null, document_kinds: ["identity"] },
];
const UNKNOWN = { name: "CarrierFault", kind: "unknown" };
const NOT_SENT = { name: "CarrierFault", kind: "not_sent" };
const REFUSED = { name: "CarrierFault", kind: "refused" };

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serveMemory() {
  const memory = new MemoryCarrier([
    { id: "trunk-1", name: "Frankfurt" },
    { id: "trunk-2", name: "Vienna" },
  ]);
  const inner = createCarrierServer(memory, SECRET);
  const served = await serve((request, response) => inner.emit("request", request, response));
  return { memory, ...served };
}

function open(url: string, { secret = SECRET, timeoutMs = 5_000 } = {}): OrderingCarrier {
  return openHttpCarrier({ name: "example", url, secret, features: FEATURES, timeoutMs });
}

describeOrdering("a carrier that implements the protocol", async () => {
  const { memory, url, [Symbol.asyncDispose]: dispose } = await serveMemory();
  return {
    carrier: open(url),
    organisations: [newId(), newId()],
    environment: "live",
    async stock(_, e164s) {
      memory.stock(
        e164s.map((number) => ({ number, country: "US", type: "local", capabilities: ["voice"] })),
      );
    },
    [Symbol.asyncDispose]: dispose,
  };
});

describeInventory(
  "a carrier that implements the protocol",
  async () => {
    let shiftMs = 0;
    const { memory, url, [Symbol.asyncDispose]: dispose } = await serveMemory();
    memory.now = () => Date.now() + shiftMs;
    return {
      inventory: open(url).inventory!,
      organisations: [newId(), newId()],
      async stock(_, numbers) {
        memory.stock(
          numbers.map(({ e164, country = "GB", type = "local" }) => ({
            number: e164,
            country,
            type,
            capabilities: ["voice"],
          })),
        );
      },
      now: () => new Date(Date.now() + shiftMs),
      advance(ms) {
        shiftMs += ms;
      },
      [Symbol.asyncDispose]: dispose,
    };
  },
  { lacks: ["a test side"] },
);

describeDelivery("a carrier that implements the protocol", async () => {
  const { memory, url, [Symbol.asyncDispose]: dispose } = await serveMemory();
  const carrier = open(url);
  let bought = 0;
  return {
    delivery: carrier.delivery!,
    async number() {
      const number = `+4420794600${String(10 + ++bought)}`;
      memory.stock([{ number, country: "GB", type: "local", capabilities: ["voice"] }]);
      await carrier.ordering.order(OF, { reference: newId(), e164s: [number] });
      return number;
    },
    foreign: "+442079469999",
    trunks: ["trunk-1", "trunk-2"],
    changeByHand: async (e164, trunk) => void memory.deliver(e164, trunk),
    [Symbol.asyncDispose]: dispose,
  };
});

describeRequirements("a carrier that implements the protocol", async () => {
  const { memory, url, [Symbol.asyncDispose]: dispose } = await serveMemory();
  let [shiftMs, stocked] = [0, 0];
  memory.now = () => Date.now() + shiftMs;
  memory.requirements.reviewMs = 60_000;
  const free = (): string => {
    const number = `+4420794601${String(10 + ++stocked)}`;
    memory.stock([{ number, country: "GB", type: "local", capabilities: ["voice"] }]);
    return number;
  };
  const carrier = open(url);
  return {
    carrier: { ...carrier, requirements: carrier.requirements! },
    of: OF,
    free,
    number() {
      const number = free();
      memory.requirements.regulate([number], NEEDED);
      return number;
    },
    review: () => void (shiftMs += 61_000),
    [Symbol.asyncDispose]: dispose,
  };
});

describe("delivery", () => {
  test("is set, read back and listed", async () => {
    await using served = await serveMemory();
    const { delivery, ordering } = open(served.url);
    served.memory.stock([{ number: NUMBER, country: "GB", type: "local", capabilities: ["voice"] }]);
    await ordering.order(OF, { reference: newId(), e164s: [NUMBER] });

    expect(await delivery!.trunks()).toEqual([
      { id: "trunk-1", name: "Frankfurt" },
      { id: "trunk-2", name: "Vienna" },
    ]);
    expect(await delivery!.deliveryOf(NUMBER)).toEqual({ trunk: null });
    expect(await delivery!.deliver({ e164: NUMBER, trunk: "trunk-1" })).toEqual({ trunk: "trunk-1" });
    expect(await delivery!.deliveryOf(NUMBER)).toEqual({ trunk: "trunk-1" });
    expect(await delivery!.listDeliveries(undefined)).toEqual({
      numbers: [{ e164: NUMBER, trunk: "trunk-1" }],
      next: undefined,
    });
    expect(await delivery!.deliveryOf("+442079460001")).toBeUndefined();
    await expect(delivery!.deliver({ e164: NUMBER, trunk: "trunk-9" })).rejects.toMatchObject(REFUSED);
    await expect(delivery!.deliver({ e164: "+442079460001", trunk: "trunk-1" })).rejects.toMatchObject(
      REFUSED,
    );
  });
});

describe("what a carrier supports", () => {
  let served: Awaited<ReturnType<typeof serveMemory>>;
  beforeAll(async () => {
    served = await serveMemory();
  });
  afterAll(() => served[Symbol.asyncDispose]());

  test("is read from it", async () => {
    expect(await describeHttpCarrier({ name: "example", url: served.url, secret: SECRET })).toEqual({
      name: "Example carrier",
      features: FEATURES,
    });
  });

  test("is all that is used", () => {
    const carrier = openHttpCarrier({ name: "example", url: served.url, secret: SECRET, features: [] });
    expect(carrier.inventory).toBeUndefined();
    expect(carrier.delivery).toBeUndefined();
    expect(carrier.ordering.restore).toBeUndefined();
  });

  test("is not read with another secret", async () => {
    await expect(
      describeHttpCarrier({ name: "example", url: served.url, secret: "another" }),
    ).rejects.toMatchObject({ ...NOT_SENT, message: expect.stringContaining("invalid_signature") });
  });
});

describe("a response", () => {
  const order = { reference: newId(), e164s: [NUMBER] };

  test.each([
    [400, { code: "invalid", message: "No." }, REFUSED],
    [409, { code: "reference_used", message: "No." }, REFUSED],
    [422, { code: "invalid", message: "No." }, REFUSED],
    [401, { code: "invalid_signature", message: "No." }, NOT_SENT],
    [403, {}, NOT_SENT],
    [404, { code: "not_found", message: "No." }, NOT_SENT],
    [429, {}, NOT_SENT],
    [503, {}, NOT_SENT],
    [302, {}, UNKNOWN],
    [408, {}, UNKNOWN],
    [500, { code: "internal", message: "No." }, UNKNOWN],
    [502, {}, UNKNOWN],
    [200, {}, UNKNOWN],
    [200, { items: [{ number: NUMBER, outcome: "sold" }] }, UNKNOWN],
  ])("of %s %j to an order is classified", async (status, body, fault) => {
    await using served = await serve((_, response) => {
      response.writeHead(status, { location: "/elsewhere" }).end(JSON.stringify(body));
    });
    await expect(open(served.url).ordering.order(OF, order)).rejects.toMatchObject(fault);
  });

  test("that does not come leaves the outcome unknown", async () => {
    await using served = await serve(() => {});
    await expect(open(served.url, { timeoutMs: 50 }).ordering.order(OF, order)).rejects.toMatchObject(
      UNKNOWN,
    );
  });

  test("that breaks off leaves the outcome unknown", async () => {
    await using served = await serve((request) => request.socket.destroy());
    await expect(open(served.url).ordering.order(OF, order)).rejects.toMatchObject(UNKNOWN);
  });

  test("is not possible where no server listens", async () => {
    const served = await serve(() => {});
    await served[Symbol.asyncDispose]();
    await expect(open(served.url).ordering.order(OF, order)).rejects.toMatchObject(NOT_SENT);
  });

  test("of 404 means an unknown order only with the code for it", async () => {
    let code = "unknown";
    await using served = await serve((_, response) => {
      response.writeHead(404).end(JSON.stringify({ code, message: "Not here." }));
    });
    const { ordering } = open(served.url);
    expect(await ordering.orderStatus(OF, newId())).toBeUndefined();
    code = "no_such_page";
    await expect(ordering.orderStatus(OF, newId())).rejects.toMatchObject(NOT_SENT);
  });
});

test("the test environment never reaches a carrier", async () => {
  const { ordering, inventory } = open("http://127.0.0.1:9");
  const of: Side = { ...OF, environment: "test" };
  await expect(ordering.order(of, { reference: newId(), e164s: [NUMBER] })).rejects.toMatchObject(REFUSED);
  await expect(inventory!.search(of, { limit: 1 })).rejects.toMatchObject(REFUSED);
});

test.each(PROTOCOL_OPERATIONS)("the examples of $id fit its schemas", ({ id, body, answer }) => {
  const example = PROTOCOL_EXAMPLES[id]!;
  expect(Compile(answer).Check(example.answer)).toBe(true);
  if (body) expect(Compile(body).Check(example.body)).toBe(true);
  else expect(example.body).toBeUndefined();
});

test("the published signature is that of the published request", () => {
  const { secret, timestamp, signature, ...request } = SIGNATURE_EXAMPLE;
  expect(signatureHeaders(secret, request, new Date(Number(timestamp) * 1_000))).toEqual({
    "dialplane-timestamp": timestamp,
    "dialplane-signature": signature,
  });
  const guide = readFileSync(`${import.meta.dirname}/../../../../../docs/carrier-protocol.md`, "utf8");
  const { method, target, body } = request;
  for (const part of [secret, `${timestamp}.${method}.${target}.${body}`, signature])
    expect(guide).toContain(part);
});
