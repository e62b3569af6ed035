import { afterAll, beforeAll, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { type CarrierDesk, openCarrierDesk } from "../../../testing/carrier-desk.ts";
import { pdfOf } from "../../../testing/evidence.ts";
import { until } from "../../../testing/service.ts";
import { USUAL_REQUIREMENT } from "../carriers/testing/didww-server/didww-regulation.ts";
import type { RequirementOptions } from "../carriers/testing/didww-server/didww-records.ts";
import { type DidwwServer, startDidwwServer } from "../carriers/testing/didww-server/didww-server.ts";
import { reconcile } from "../reconciliations/reconciliations.ts";

const PATH = "/operator/v1/carriers";
const RESERVATIONS = "/v1/numbers/reservations";
const MINUTE_MS = 60_000;

let desk: CarrierDesk;
let didww: DidwwServer;
let id: string;
let trunk: string;
let stocked = 0;
beforeAll(async () => {
  didww = await startDidwwServer({ now: () => desk.service.clock.now(), mostHeld: 2 });
  desk = await openCarrierDesk();
  ({ id } = await desk.connect("didww-gb", didww, { kind: "didww", countries: ["GB"] }));
  trunk = didww.trunk("lon-1");
});
afterAll(async () => {
  await desk[Symbol.asyncDispose]();
  await didww[Symbol.asyncDispose]();
});

const stock = (count: number, of: { requirement?: RequirementOptions } = {}): string[] => {
  const e164s = Array.from({ length: count }, () => `+${442_079_460_000 + ++stocked}`);
  didww.stock(e164s.map((e164) => ({ e164, country: "GB", ...of })));
  return e164s;
};
const ownedOf = (e164: string) => didww.owned.find(({ number }) => number === e164.slice(1))!;
const reserve = (numbers: string[]) => desk.call("POST", RESERVATIONS, { numbers });

test("is connected with a key, and without a URL for the public API", async () => {
  const created = await desk.call("POST", PATH, {
    name: "didww-fr",
    kind: "didww",
    credentials: { api_key: "0123456789ABCDEF" },
    countries: ["FR"],
  });
  expect(created).toMatchObject({
    status: 201,
    body: { kind: "didww", url: null, credentials: { ends_with: "CDEF" } },
  });
  const incomplete = await desk.call("POST", PATH, { name: "x", kind: "didww" });
  expect(incomplete).toMatchObject({ status: 400, body: { errors: [{ pointer: "#/credentials" }] } });
});

test("delivers a bought number to the trunk of its switch group, and returns it to the carrier", async () => {
  const { body: groups } = await desk.call("GET", "/operator/v1/switch-groups");
  const group = groups.data.find(
    (one: { is_default: boolean; environment: string }) => one.is_default && one.environment === "live",
  );
  expect((await desk.call("GET", `${PATH}/${id}/trunks`)).body).toEqual({
    data: [{ id: trunk, name: "lon-1" }],
  });
  await desk.call("PATCH", `${PATH}/${id}`, { deliveries: [{ switch_group_id: group.id, trunk }] });

  const [e164] = stock(1) as [string];
  const order = await desk.ended({ numbers: [e164] });
  expect(order).toMatchObject({ status: "completed" });
  expect(ownedOf(e164)).toMatchObject({
    trunk: { id: trunk },
    order: { externalReference: expect.any(String) },
  });
  const number = order.items[0].number_id;
  const { body: routing } = await desk.call("GET", `/v1/numbers/${number}/routing`);
  expect(routing.chain[0]).toMatchObject({ link: "carrier", status: "in_sync", applied: { trunk } });

  expect((await desk.call("POST", `/v1/numbers/${number}/release`)).status).toBe(202);
  await until(() => ownedOf(e164).isTerminated, 30_000);
  const read = async () => (await desk.call("GET", `/v1/numbers/${number}`)).body;
  await until(async () => (await read()).status === "quarantined", 30_000);
  expect(await read()).toMatchObject({ restore_until: null });
});

test("orders by criteria, from the search", async () => {
  const e164s = stock(2);
  const { body: found } = await desk.call("GET", "/v1/numbers/inventory?country=GB&type=local");
  expect(found.data).toMatchObject(
    e164s.map((e164) => ({ e164, capabilities: ["voice", "sms", "emergency"] })),
  );
  const order = await desk.ended({ criteria: { country: "GB", type: "local" }, quantity: 2 });
  expect(order).toMatchObject({ status: "completed" });
});

test("reserves numbers for as long as the carrier holds them", async () => {
  const [e164] = stock(1) as [string];
  const reserved = await reserve([e164]);
  expect(reserved).toMatchObject({ status: 201, body: { numbers: [e164], status: "active" } });
  const { created_at: from, expires_at: until } = reserved.body;
  const lastsMs = Date.parse(until) - Date.parse(from);
  expect(lastsMs).toBeGreaterThan(9 * MINUTE_MS);
  expect(lastsMs).toBeLessThan(11 * MINUTE_MS);

  const order = await desk.ended({ reservation_id: reserved.body.id });
  expect(order).toMatchObject({ status: "completed" });
});

test("rejects a reservation that the carrier rejects, with the carrier's text", async () => {
  const e164s = stock(3);
  expect(await reserve(e164s)).toMatchObject({
    status: 409,
    body: {
      code: "carrier_refused",
      detail: "The carrier rejected the reservation: did_reservation - limit of reservations is reached.",
    },
  });
  const reserved = await reserve(e164s.slice(0, 2));
  expect(reserved.status).toBe(201);
  expect((await desk.call("DELETE", `${RESERVATIONS}/${reserved.body.id}`)).status).toBe(204);
});

test("rejects a number that cannot be registered here, and says why, before it costs anything", async () => {
  const personal = { ...USUAL_REQUIREMENT.personal, fields: ["Shoe Size"] };
  const requirement = { ...USUAL_REQUIREMENT, identityType: "personal" as const, personal };
  const [e164] = stock(1, { requirement }) as [string];
  const [other] = stock(1) as [string];
  const reason =
    "the number needs data of the end user that cannot be submitted here (Shoe Size). An end user with an address in the country is required.";
  expect(await reserve([e164])).toMatchObject({
    status: 409,
    body: { code: "carrier_refused", detail: `The carrier rejected the reservation: ${reason}` },
  });
  const order = await desk.ended({ numbers: [e164, other] });
  expect(order).toMatchObject({
    status: "partially_completed",
    items: [
      {
        status: "failed",
        error: { code: "carrier_refused", detail: `The carrier rejected the order: ${reason}` },
      },
      { status: "succeeded" },
    ],
  });
  expect(ownedOf(e164)).toBeUndefined();
});

test("registers the end user of a number when all evidence is there, and again after a rejection", async () => {
  const [e164] = stock(1, { requirement: USUAL_REQUIREMENT }) as [string];
  const placed = (await desk.order({ numbers: [e164] })).body;
  const read = async () => (await desk.call("GET", `/v1/numbers/orders/${placed.id}`)).body;
  const needed = async (): Promise<string[]> =>
    (await read()).items[0].requirements.map(
      (one: { id: string; status: string }) => `${one.id} ${one.status}`,
    );
  const isNeeded = async (...expected: string[]) => {
    desk.service.clock.advance(61_000);
    return (await needed()).join() === expected.join();
  };
  const submit = (...submissions: object[]) =>
    desk.call("POST", `/v1/numbers/orders/${placed.id}/requirements`, { submissions });
  await until(() => isNeeded("address missing", "end_user missing"), 30_000);

  const street = { street: "1 High Street", city: "London", postal_code: "SW1A 1AA", country: "GB" };
  const address = (await desk.call("POST", "/v1/addresses", { name: "Northwind", ...street })).body;
  const kind = "trade_license";
  const file = { kind, file_name: "license.pdf", content: pdfOf("License") };
  const document = (await desk.call("POST", "/v1/documents", file)).body;
  await submit({ requirement_id: "address", address_id: address.id });
  await until(() => isNeeded("address pending", "end_user missing"), 30_000);
  expect(didww.regulation.identities).toEqual([]);

  const endUser = { company: "Northwind Ltd", registration_number: "01234567", phone: "+442079460000" };
  const identify = (name: string) => ({ requirement_id: "end_user", end_user: { name, ...endUser } });
  await submit(identify("Ada Rejected"));
  await until(() => isNeeded("address pending", "business_proof missing", "end_user pending"), 30_000);
  await submit({ requirement_id: "business_proof", document_id: document.id });
  await until(() => didww.regulation.verifications.length === 1, 30_000);
  didww.regulation.review();
  await until(() => isNeeded("address rejected", "business_proof rejected", "end_user rejected"), 30_000);

  await submit(
    identify("Ada Lovelace"),
    { requirement_id: "address", address_id: address.id },
    { requirement_id: "business_proof", document_id: document.id },
  );
  await until(() => didww.regulation.verifications.length === 2, 30_000);
  didww.regulation.review();
  await until(async () => {
    desk.service.clock.advance(61_000);
    return (await read()).status === "completed";
  }, 30_000);
  expect(didww.regulation.identities).toHaveLength(2);
  expect(ownedOf(e164)).toMatchObject({ isTerminated: false, isAwaitingRegistration: false });
}, 120_000);

test("keeps the order of a number waiting while the account has no money", async () => {
  const [e164] = stock(1) as [string];
  didww.setBalance(0);
  const { body: placed } = await desk.order({ numbers: [e164] });
  const jobOf = async () => (await desk.call("GET", `/v1/jobs/${placed.job_id}`)).body;
  await until(async () => (await jobOf()).reason === "carrier_unreachable", 30_000);
  didww.setBalance(100);
  await until(async () => {
    desk.service.clock.advance(61_000);
    return (await desk.call("GET", `/v1/numbers/orders/${placed.id}`)).body.status === "completed";
  }, 30_000);
});

test("buys once if DIDWW falls silent after a sale, and continues when it responds again", async () => {
  const [e164] = stock(1) as [string];
  didww.trouble("POST /orders", "hang_after");
  const { body: placed } = await desk.order({ numbers: [e164] });
  await until(() => ownedOf(e164) !== undefined, 30_000);
  didww.outage(() => "hang_before");
  await until(async () => {
    const metrics = await desk.service.app.metrics.registry.metrics();
    desk.service.clock.advance(5_000);
    return metrics.includes('carrier_away{carrier="didww-gb"} 1');
  }, 90_000);

  didww.outage(undefined);
  await until(async () => {
    desk.service.clock.advance(61_000);
    return (await desk.call("GET", `/v1/numbers/orders/${placed.id}`)).body.status === "completed";
  }, 90_000);
  expect(didww.owned.filter(({ number }) => number === e164.slice(1))).toHaveLength(1);
}, 240_000);

test("is reconciled: a number bought elsewhere and a changed trunk are found", async () => {
  const author = systemAuthor("test");
  expect(await reconcile(desk.service.app, author, "didww-gb")).toMatchObject({
    status: "finished",
    error: null,
    open_findings: 0,
  });
  const [e164] = stock(1) as [string];
  await desk.ended({ numbers: [e164] });
  const vie = didww.trunk("vie-1");
  didww.deliver(e164, vie);

  const report = await reconcile(desk.service.app, author, "didww-gb");
  const { body } = await desk.call("GET", `/operator/v1/reconciliations/${report.id}/findings`);
  expect(body.data).toMatchObject([
    { kind: "delivered_elsewhere", e164, found_trunk: vie, expected_trunk: trunk },
  ]);
});
