import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCarrierServer } from "../../../../examples/carrier-server/carrier-server.ts";
import { MemoryCarrier } from "../../../../examples/carrier-server/memory-carrier.ts";
import { type CarrierDesk, openCarrierDesk } from "../../../testing/carrier-desk.ts";
import { pdfOf } from "../../../testing/evidence.ts";
import { until } from "../../../testing/service.ts";

const PATH = "/operator/v1/carriers";
const SECRET = "of-client-and-server";
const NUMBERS = ["+493010000001", "+493010000002", "+493010000003"];

/** The example server of the carrier protocol, as any company could run it. */
async function startExample(secret = SECRET) {
  const memory = new MemoryCarrier([{ id: "trunk-1", name: "Frankfurt" }]);
  memory.stock(NUMBERS.map((number) => ({ number, country: "DE", type: "local", capabilities: ["voice"] })));
  const server = createCarrierServer(memory, secret).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    memory,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a server with the carrier protocol", () => {
  let desk: CarrierDesk;
  let example: Awaited<ReturnType<typeof startExample>>;
  beforeAll(async () => {
    desk = await openCarrierDesk();
    example = await startExample();
  });
  afterAll(async () => {
    example.stop();
    await desk[Symbol.asyncDispose]();
  });
  const connect = (more: object) =>
    desk.call("POST", PATH, {
      name: "example",
      kind: "http",
      url: example.url,
      credentials: { secret: SECRET },
      ...more,
    });

  test.each([
    ["a wrong secret", { credentials: { secret: "of-another-installation" } }, "invalid_signature"],
    ["an address without a server", { url: "http://127.0.0.1:9" }, "did not respond"],
  ])("is not connected with %s", async (_, more, said) => {
    expect(await connect(more)).toMatchObject({
      status: 422,
      body: { code: "carrier_check_failed", detail: expect.stringContaining(said) },
    });
    expect((await desk.call("GET", PATH)).body.data).toEqual([]);
  });

  test("needs address and secret", async () => {
    expect(await connect({ url: undefined })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "#/url", code: "required" }] },
    });
    expect(await connect({ credentials: { api_key: "KEY0198" } })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "#/credentials", detail: "A carrier of kind http needs secret." }] },
    });
  });

  test("is searched, sells, takes returns and is reconciled like the others", async () => {
    const { status, body: carrier } = await connect({});
    expect(status).toBe(201);
    expect(carrier).toMatchObject({
      kind: "http",
      features: ["inventory", "restore", "delivery", "requirements"],
    });
    expect(JSON.stringify(carrier)).not.toContain(SECRET);

    const found = await desk.call("GET", "/v1/numbers/inventory?country=DE");
    expect(found.body.data.map(({ e164 }: { e164: string }) => e164)).toEqual(NUMBERS);

    const order = await desk.ended({ numbers: NUMBERS.slice(0, 2) });
    expect(order.status).toBe("completed");
    const owned = example.memory.list("", 10).numbers;
    expect(owned).toMatchObject(
      NUMBERS.slice(0, 2).map((number) => ({ number, organisation: desk.organisation })),
    );

    const report = await desk.call("POST", "/operator/v1/reconciliations", { carrier: "example" });
    expect(report.body).toMatchObject({ status: "finished", held: 2, owned: 2, open_findings: 0 });
  });

  test("gets the evidence that it needs before it sells a number", async () => {
    const number = "+493010000009";
    example.memory.stock([{ number, country: "DE", type: "local", capabilities: ["voice"] }]);
    const needed = { country: null, document_kinds: [], description: "Needed in Germany." };
    example.memory.requirements.regulate(
      [number],
      [
        { ...needed, id: "person", type: "end_user" },
        { ...needed, id: "register", type: "document" },
      ],
    );
    const placed = (await desk.order({ numbers: [number] })).body;
    const read = async () => (await desk.call("GET", `/v1/numbers/orders/${placed.id}`)).body;
    await until(async () => (await read()).items[0].status === "action_required", 30_000);

    const document = { kind: "identity", file_name: "large.pdf", content: pdfOf("", 4 * 1024 * 1024) };
    const { id } = (await desk.call("POST", "/v1/documents", document)).body;
    const submit = (...submissions: object[]) =>
      desk.call("POST", `/v1/numbers/orders/${placed.id}/requirements`, { submissions });
    await submit(
      { requirement_id: "person", end_user: { name: "Rejected" } },
      { requirement_id: "register", document_id: id },
    );
    const person = async () => (await read()).items[0].requirements[0];
    await until(async () => (await person()).status === "rejected", 30_000);
    expect(await person()).toMatchObject({ rejected_reason: "The evidence says that it is rejected." });

    await submit({ requirement_id: "person", end_user: { name: "Ada Lovelace", company: "Northwind" } });
    await until(async () => (await read()).status === "completed", 30_000);
    expect(example.memory.list("", 10).numbers.map((one) => one.number)).toContain(number);
    const kept = "select 1 from order_requirements where order_id = $1 and end_user is not null";
    expect(await desk.service.database.admin(kept, [placed.id])).toEqual([]);
    const entries = await desk.service.database.admin(
      "select 1 from audit_entries where detail::text ~ 'Lovelace|large.pdf'",
    );
    expect(entries).toEqual([]);
  });

  test("keeps its features until URL or credentials are sent", async () => {
    const [{ id }] = (await desk.call("GET", PATH)).body.data;
    example.stop();
    const drained = await desk.call("PATCH", `${PATH}/${id}`, { state: "draining" });
    expect(drained.body).toMatchObject({
      state: "draining",
      features: ["inventory", "restore", "delivery", "requirements"],
    });
    const moved = await desk.call("PATCH", `${PATH}/${id}`, { credentials: { secret: SECRET } });
    expect(moved).toMatchObject({ status: 422, body: { code: "carrier_check_failed" } });
  });
});
