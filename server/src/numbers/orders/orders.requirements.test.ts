import { afterAll, beforeAll, expect, test } from "vitest";
import { pdfOf } from "../../../testing/evidence.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { newId } from "../../platform/ids.ts";
import type { App } from "../../app.ts";
import { CarrierFault, type Requirements } from "../carriers/carrier.ts";
import { advanceOrderJob } from "./orders.jobs.ts";

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ settings: { REQUIREMENT_DAYS: "2" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const ORDERS = "/v1/numbers/orders";
const SAN_FRANCISCO = {
  name: "Northwind Telecom Inc.",
  street: "500 Howard Street",
  city: "San Francisco",
  postal_code: "94105",
  country: "US",
};
const PASSPORT = { kind: "identity", file_name: "passport.pdf", content: pdfOf("Passport") };

const call = (method: string, path: string, body?: object, { token } = owner): Promise<Sent> =>
  service.send(method, path, {
    headers: { ...bearer(token), "x-service-environment": "test", "idempotency-key": newId() },
    ...(body && { body }),
  });
const made = async (path: string, body: object): Promise<string> => (await call("POST", path, body)).body.id;
const addressOf = (more: object = {}) => made("/v1/addresses", { ...SAN_FRANCISCO, ...more });
const documentOf = (more: object = {}) => made("/v1/documents", { ...PASSPORT, ...more });

interface Placed {
  id: string;
  job_id: string;
}
const advance = ({ job_id }: Placed): Promise<void> => advanceOrderJob.run(service.app, { id: job_id });
const read = async ({ id }: Placed): Promise<Sent["body"]> => (await call("GET", `${ORDERS}/${id}`)).body;
const job = async ({ job_id }: Placed): Promise<Sent["body"]> =>
  (await call("GET", `/v1/jobs/${job_id}`)).body;
const submit = (order: Placed, ...submissions: object[]): Promise<Sent> =>
  call("POST", `${ORDERS}/${order.id}/requirements`, { submissions });
/** When everything that waits for the carrier is due. */
async function later(order: Placed, ms = 61_000): Promise<Sent["body"]> {
  service.clock.advance(ms);
  await advance(order);
  return read(order);
}
let last = 49;
const number = (area: 628 | 629): string => `+1${area}55501${++last}`;
async function ordered(numbers: string[], more: object = {}): Promise<Placed> {
  const { status, text, body } = await call("POST", ORDERS, { numbers, ...more });
  expect(status, text).toBe(202);
  await advance(body);
  return body;
}
const events = async (order: Placed): Promise<unknown[]> =>
  service.database.admin("select type, data from events where subject = $1 order by sequence", [order.id]);
const statuses = ({ items }: Sent["body"]): unknown =>
  items.map((item: { status: string; requirements: { status: string }[] }) => [
    item.status,
    ...item.requirements.map(({ status }) => status),
  ]);

test("waits for an address and a document, and continues when the carrier has accepted them", async () => {
  const e164 = number(629);
  const order = await ordered([e164]);
  const waiting = await read(order);
  expect(waiting.status).toBe("processing");
  expect(waiting.items).toEqual([
    {
      e164,
      status: "action_required",
      number_id: null,
      error: null,
      action_required_until: expect.any(String),
      requirements: [
        {
          id: "address",
          type: "address",
          description: "Address of the end user in the United States.",
          country: "US",
          document_kinds: [],
          status: "missing",
          rejected_reason: null,
          address_id: null,
          document_id: null,
          updated_at: expect.any(String),
        },
        expect.objectContaining({ id: "identity", type: "document", status: "missing" }),
      ],
    },
  ]);
  expect(await job(order)).toMatchObject({ status: "waiting", reason: "action_required" });

  const [address_id, document_id] = [await addressOf(), await documentOf()];
  const first = await submit(order, { requirement_id: "address", address_id });
  expect(first.status, first.text).toBe(202);
  expect(statuses(first.body)).toEqual([["action_required", "pending", "missing"]]);
  await advance(order);
  const second = await submit(order, { requirement_id: "identity", e164, document_id });
  expect(statuses(second.body)).toEqual([["submitted", "pending", "pending"]]);
  expect(second.headers["location"]).toContain(order.job_id);

  // The job is due at once, and again after a few seconds.
  await advance(order);
  expect(await job(order)).toMatchObject({ status: "waiting", reason: "carrier_pending" });
  await later(order, 4_000);
  const completed = await read(order);
  expect(completed.status).toBe("completed");
  expect(statuses(completed)).toEqual([["succeeded", "accepted", "accepted"]]);
  expect(completed.items[0].requirements[0]).toMatchObject({ address_id, document_id: null });
  expect(await job(order)).toMatchObject({ status: "succeeded", progress: { succeeded: 1 } });
  expect(await events(order)).toMatchObject([
    { type: "order.created" },
    { type: "order.action_required", data: { numbers: [e164], job_id: order.job_id } },
    { type: "order.requirements_submitted", data: { submissions: 1 } },
    { type: "order.requirements_submitted", data: { submissions: 1 } },
    { type: "order.completed" },
  ]);
});

test("returns to action_required with the carrier's reason, and takes other evidence", async () => {
  const order = await ordered([number(628)]);
  const wrong = await addressOf({ city: "Rejected" });
  await submit(order, { requirement_id: "address", address_id: wrong });
  await advance(order);
  const rejected = await later(order);
  expect(statuses(rejected)).toEqual([["action_required", "rejected"]]);
  expect(rejected.items[0].requirements[0]).toMatchObject({
    rejected_reason: "The address does not exist: its city is Rejected.",
    address_id: wrong,
  });
  expect(await job(order)).toMatchObject({ reason: "action_required" });
  const types = (await events(order)).map((event) => (event as { type: string }).type);
  expect(types.filter((type) => type === "order.action_required")).toHaveLength(2);

  const again = await submit(order, { requirement_id: "address", address_id: await addressOf() });
  expect(again.body.items[0].requirements[0]).toMatchObject({ status: "pending", rejected_reason: null });
  await advance(order);
  expect((await later(order)).status).toBe("completed");
});

test("sends one address for all numbers that need it, and each of them once", async () => {
  const numbers = [number(628), number(629), "+12125550177"];
  const order = await ordered(numbers);
  const before = await read(order);
  expect(statuses(before)).toEqual([
    ["action_required", "missing"],
    ["action_required", "missing", "missing"],
    ["succeeded"],
  ]);
  const [address_id, document_id] = [await addressOf(), await documentOf()];
  await submit(order, { requirement_id: "address", address_id }, { requirement_id: "identity", document_id });
  await advance(order);
  expect((await later(order)).status).toBe("completed");
  const sent = await service.database.admin(
    `select s.e164, s.requirement_id from sandbox_submissions s join order_items i on i.reference = s.order_reference
     and i.e164 = s.e164 where i.order_id = $1 order by 1, 2`,
    [order.id],
  );
  expect(sent).toEqual([
    { e164: numbers[0], requirement_id: "address" },
    { e164: numbers[1], requirement_id: "address" },
    { e164: numbers[1], requirement_id: "identity" },
  ]);
});

test("rejects evidence that does not fit, and requirements that are not open, without a trace", async () => {
  const order = await ordered([number(629)]);
  const address_id = await addressOf();
  const detailOf = async (submission: object): Promise<unknown[]> => {
    const { status, body } = await submit(order, submission);
    return [status, body.code, body.errors?.[0].pointer];
  };
  const unsuitable = (field: string) => [422, "evidence_not_suitable", `#/submissions/0/${field}`];
  const identity = { requirement_id: "identity" };
  expect(await detailOf({ ...identity, address_id })).toEqual(unsuitable("address_id"));
  expect(await detailOf({ ...identity, document_id: newId() })).toEqual(unsuitable("document_id"));
  const tax = await documentOf({ kind: "tax_registration" });
  expect(await detailOf({ ...identity, document_id: tax })).toEqual(unsuitable("document_id"));
  const abroad = await addressOf({ country: "DE" });
  expect(await detailOf({ requirement_id: "address", address_id: abroad })).toEqual(unsuitable("address_id"));
  const open = [409, "requirement_not_open", "#/submissions/0/requirement_id"];
  expect(await detailOf({ requirement_id: "unknown", address_id })).toEqual(open);
  expect(await detailOf({ requirement_id: "address", e164: "+12125550178", address_id })).toEqual(open);
  const address = { requirement_id: "address", address_id };
  expect((await submit(order, address, { ...address, e164: (await read(order)).items[0].e164 })).status).toBe(
    400,
  );
  expect((await submit(order, { ...address, document_id: tax })).status).toBe(400);
  expect(statuses(await read(order))).toEqual([["action_required", "missing", "missing"]]);

  expect((await submit(order, address)).status).toBe(202);
  expect(await detailOf(address)).toEqual(open);
});

test("is for owners and admins; every member reads what is missing", async () => {
  const order = await ordered([number(628)]);
  const member = await service.person({ [organisation]: "member" });
  const path = `${ORDERS}/${order.id}`;
  const evidence = { submissions: [{ requirement_id: "address", address_id: await addressOf() }] };
  expect((await call("POST", `${path}/requirements`, evidence, member)).body.code).toBe("role_not_allowed");
  expect(statuses((await call("GET", path, undefined, member)).body)).toEqual([
    ["action_required", "missing"],
  ]);
});

test("keeps an address while an open order uses it, and afterwards until it is deleted", async () => {
  const order = await ordered([number(628)]);
  const address_id = await addressOf();
  await submit(order, { requirement_id: "address", address_id });
  expect((await call("DELETE", `/v1/addresses/${address_id}`)).body.code).toBe("address_in_use");
  await advance(order);
  expect((await later(order)).status).toBe("completed");
  expect((await call("DELETE", `/v1/addresses/${address_id}`)).status).toBe(204);
  expect((await read(order)).items[0].requirements[0]).toMatchObject({
    status: "accepted",
    address_id: null,
  });
});

test("gives the number up when the evidence does not come in time, and the carrier never sells it", async () => {
  const e164 = number(628);
  const order = await ordered([e164]);
  const until = Date.parse((await read(order)).items[0].action_required_until);
  const days = (until - service.clock.now().getTime()) / 86_400_000;
  expect(Math.round(days)).toBe(2);
  expect(statuses(await later(order, 86_400_000))).toEqual([["action_required", "missing"]]);

  const given = await later(order, 86_400_000);
  expect(given.status).toBe("failed");
  expect(given.items[0]).toMatchObject({
    status: "failed",
    action_required_until: null,
    error: { code: "requirements_expired" },
  });
  expect(await job(order)).toMatchObject({ status: "failed", error: { code: "requirements_expired" } });
  expect(await service.app.carriers.named("sandbox")!.ordering.list(undefined)).toMatchObject({
    numbers: expect.not.arrayContaining([expect.objectContaining({ e164 })]),
  });
  // Another order can have it.
  expect(statuses(await read(await ordered([e164])))).toEqual([["action_required", "missing"]]);
});

test("cancels a number that waits for evidence if another number of an all-or-nothing order is lost", async () => {
  const order = await ordered([number(628), "+12125550112"], { all_or_nothing: true });
  const ended = await read(order);
  expect([ended.status, ...ended.items.map(({ error }: { error: { code: string } }) => error.code)]).toEqual([
    "failed",
    "order_incomplete",
    "number_not_available",
  ]);
});

test("orders numbers that need evidence by criteria, if the prefix names them", async () => {
  const { body } = await call("POST", ORDERS, {
    criteria: { country: "US", prefix: "1628" },
    quantity: 1,
  });
  await advance(body);
  const order = await read(body);
  expect(order.items[0].e164).toMatch(/^\+162855501/);
  expect(statuses(order)).toEqual([["action_required", "missing"]]);
});

test("responds to a wait when an order begins to need action", async () => {
  const placed = (await call("POST", ORDERS, { numbers: [number(628)] })).body;
  const waiting = service.send("GET", `/v1/jobs/${placed.job_id}`, {
    headers: { ...bearer(owner.token), prefer: "wait=20" },
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await advance(placed);
  expect((await waiting).body).toMatchObject({ status: "waiting", reason: "action_required" });
});

/** The service, with a sandbox of which some calls go otherwise. */
function withRequirements(change: (sound: Requirements) => Partial<Requirements>): App {
  const sandbox = service.app.carriers.named("sandbox")!;
  const sound = sandbox.requirements!;
  const carrier = { ...sandbox, requirements: { ...sound, ...change(sound) } };
  return { ...service.app, carriers: { ...service.app.carriers, named: () => carrier } };
}

test.each([
  ["not_sent", "carrier_unreachable"],
  ["unknown", "carrier_unknown"],
] as const)("repeats a submission that ended with %s under the same reference", async (kind, reason) => {
  const order = await ordered([number(628)]);
  await submit(order, { requirement_id: "address", address_id: await addressOf() });
  const app = withRequirements(({ submit: deliver }) => ({
    async submit(...wanted) {
      if (kind === "unknown") await deliver(...wanted);
      throw new CarrierFault(kind, "The connection broke.");
    },
  }));
  await advanceOrderJob.run(app, { id: order.job_id });
  expect(await job(order)).toMatchObject({ status: "waiting", reason });
  expect(statuses(await read(order))).toEqual([["submitted", "pending"]]);

  await later(order);
  expect((await later(order)).status).toBe("completed");
  const sent = await service.database.admin(
    `select 1 from sandbox_submissions s join order_items i on i.reference = s.order_reference where i.order_id = $1`,
    [order.id],
  );
  expect(sent).toHaveLength(1);
});

test("asks for other evidence if the carrier rejects the call, without its response", async () => {
  const order = await ordered([number(628)]);
  await submit(order, { requirement_id: "address", address_id: await addressOf() });
  const app = withRequirements(() => ({
    async submit() {
      throw new CarrierFault("refused", "Account 4711 may not submit.");
    },
  }));
  await advanceOrderJob.run(app, { id: order.job_id });
  expect((await read(order)).items[0].requirements[0]).toMatchObject({
    status: "rejected",
    rejected_reason: "The carrier does not take this evidence.",
  });
});

test("continues with evidence that came while a worker was about to wait", async () => {
  const order = await ordered([number(628)]);
  const address_id = await addressOf();
  // The customer submits between the worker's look at the carrier and its decision to wait.
  const app = withRequirements(({ requirementsOf }) => ({
    async requirementsOf(...of) {
      const listed = await requirementsOf(...of);
      expect((await submit(order, { requirement_id: "address", address_id })).status).toBe(202);
      return listed;
    },
  }));
  service.clock.advance(301_000);
  await advanceOrderJob.run(app, { id: order.job_id });
  expect(await job(order)).toMatchObject({ status: "waiting" });

  expect(statuses(await later(order, 2_000))).toEqual([["submitted", "pending"]]);
  expect((await later(order)).status).toBe("completed");
});
