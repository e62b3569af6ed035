import { afterAll, beforeAll, expect, test } from "vitest";
import { systemAuthor } from "../../events/audit/audit.ts";
import { until } from "../../../testing/service.ts";
import { type CarrierDesk, openCarrierDesk } from "../../../testing/carrier-desk.ts";
import { reconcile } from "../reconciliations/reconciliations.ts";

const PATH = "/operator/v1/carriers";
const AUTHOR = systemAuthor("test");

let desk: CarrierDesk;
let group: string;
let id: string;
let fra: string;
let vie: string;
beforeAll(async () => {
  desk = await openCarrierDesk();
  [fra, vie] = [desk.us.connection("fra-1"), desk.us.connection("vie-1")];
  ({ id } = await desk.connect("telnyx-us", desk.us, { countries: ["US"] }));
  await desk.connect("telnyx-gb", desk.gb, { countries: ["GB"] });
  await desk.call("POST", PATH, { name: "pool", kind: "pool", countries: ["DE"] });
  const { body } = await desk.call("GET", "/operator/v1/switch-groups");
  group = body.data.find(
    (one: { is_default: boolean; environment: string }) => one.is_default && one.environment === "live",
  ).id;
});
afterAll(() => desk[Symbol.asyncDispose]());

const change = (body: object) => desk.call("PATCH", `${PATH}/${id}`, body);
const toTrunk = (trunk: string) => change({ deliveries: [{ switch_group_id: group, trunk }] });
const chainOf = async (numberId: string) =>
  (await desk.call("GET", `/v1/numbers/${numberId}/routing`)).body.chain;
const connectionOf = (e164: string) => desk.us.owned.find((one) => one.e164 === e164)!.connectionId;
const bought = async (): Promise<{ e164: string; numberId: string }> => {
  const { status, items } = await desk.ended({ numbers: desk.stock("us", 1) });
  expect(status).toBe("completed");
  return { e164: items[0].e164, numberId: items[0].number_id };
};
const findings = async () => {
  const report = await reconcile(desk.service.app, AUTHOR, "telnyx-us");
  expect(report).toMatchObject({ status: "finished", error: null });
  const listed = await desk.call("GET", `/operator/v1/reconciliations/${report.id}/findings`);
  return { open: report.open_findings, data: listed.body.data };
};
/** As an operator does to end with a clean account. */
const repairAll = async (): Promise<void> => {
  for (const finding of (await findings()).data)
    await desk.call("POST", `/operator/v1/findings/${finding.id}/repair`);
};

test("lists the trunks of a carrier, and none of the pool", async () => {
  expect((await desk.call("GET", `${PATH}/${id}/trunks`)).body).toEqual({
    data: [
      { id: fra, name: "fra-1" },
      { id: vie, name: "vie-1" },
    ],
  });
  const { body } = await desk.call("GET", PATH);
  const pool = body.data.find(({ name }: { name: string }) => name === "pool");
  expect((await desk.call("GET", `${PATH}/${pool.id}/trunks`)).body).toEqual({ data: [] });
  expect(
    await desk.call("PATCH", `${PATH}/${pool.id}`, { deliveries: [{ switch_group_id: group, trunk: fra }] }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: "#/deliveries" }] },
  });
  desk.us.trouble("GET /connections", "500_after");
  expect(await desk.call("GET", `${PATH}/${id}/trunks`)).toMatchObject({
    status: 503,
    body: { code: "unavailable" },
  });
});

test("completes an order without a trunk, and says that none is configured", async () => {
  const { numberId, e164 } = await bought();
  expect(await chainOf(numberId)).toMatchObject([
    { link: "carrier", desired: null, applied: null, status: "unsupported", reason: "no_trunk" },
    { link: "switch", desired: { generation: 1 } },
  ]);
  expect(connectionOf(e164)).toBeNull();
});

test("rejects a switch group that does not exist, or is listed twice", async () => {
  const one = { switch_group_id: group, trunk: fra };
  const unknown = { switch_group_id: id, trunk: fra };
  for (const deliveries of [[unknown], [one, one]])
    expect(await change({ deliveries })).toMatchObject({ status: 400, body: { code: "invalid_request" } });
});

test("delivers a bought number to the trunk of its switch group before its item succeeds", async () => {
  expect((await toTrunk(fra)).body.deliveries).toEqual([{ switch_group_id: group, trunk: fra }]);
  const { numberId, e164 } = await bought();

  expect(connectionOf(e164)).toBe(fra);
  expect((await chainOf(numberId))[0]).toEqual({
    link: "carrier",
    desired: { trunk: fra },
    applied: { trunk: fra },
    status: "in_sync",
    reason: null,
    error: null,
    observed_at: expect.any(String),
  });
});

test("waits with a reason while the carrier does not confirm, and continues", async () => {
  desk.us.trouble("PATCH /phone_numbers/{id}", { status: 422, code: "10015" });
  const { body: order } = await desk.order({ numbers: desk.stock("us", 1) });
  const jobOf = async () => (await desk.call("GET", `/v1/jobs/${order.job_id}`)).body;
  await until(async () => (await jobOf()).reason === "delivery_refused");

  const waiting = (await desk.call("GET", `/v1/numbers/orders/${order.id}`)).body;
  expect(waiting).toMatchObject({ status: "processing", items: [{ status: "submitted" }] });
  expect(await jobOf()).toMatchObject({ progress: { succeeded: 0 } });
  const [link] = await chainOf(waiting.items[0].number_id);
  expect(link).toMatchObject({ status: "failed", error: expect.stringContaining("422") });

  await until(async () => {
    desk.service.clock.advance(61_000);
    return (await desk.call("GET", `/v1/numbers/orders/${order.id}`)).body.status === "completed";
  });
  expect((await chainOf(waiting.items[0].number_id))[0]).toMatchObject({ status: "in_sync", error: null });
});

test("ends an order whose number was released before its delivery", async () => {
  desk.us.outage((route) =>
    route === "PATCH /phone_numbers/{id}" ? { status: 422, code: "10015" } : undefined!,
  );
  const { body: order } = await desk.order({ numbers: desk.stock("us", 1) });
  const read = async () => (await desk.call("GET", `/v1/numbers/orders/${order.id}`)).body;
  const number = await until(async () => (await read()).items[0].number_id);
  expect((await desk.call("POST", `/v1/numbers/${number}/release`)).status).toBe(202);
  await until(async () => {
    desk.service.clock.advance(61_000);
    return (await read()).status === "completed";
  });
  desk.us.outage(undefined);
});

test("finds a number that was changed by hand, and changes nothing without permission", async () => {
  await repairAll();
  const { e164, numberId } = await bought();
  desk.us.connect(e164, vie);

  for (let night = 0; night < 2; night++)
    expect(await findings()).toMatchObject({
      open: 1,
      data: [
        { kind: "delivered_elsewhere", e164, number_id: numberId, found_trunk: vie, expected_trunk: fra },
      ],
    });
  expect(connectionOf(e164)).toBe(vie);
  expect((await chainOf(numberId))[0]).toMatchObject({
    status: "drifting",
    desired: { trunk: fra },
    applied: { trunk: vie },
  });

  const [finding] = (await findings()).data;
  const repaired = await desk.call("POST", `/operator/v1/findings/${finding.id}/repair`);
  expect(repaired).toMatchObject({ status: 200, body: { repaired_at: expect.any(String) } });
  expect(connectionOf(e164)).toBe(fra);
  expect((await chainOf(numberId))[0]).toMatchObject({ status: "in_sync", applied: { trunk: fra } });
  expect((await findings()).open).toBe(0);
});

test("repairs it at once where the carrier allows it", async () => {
  const { e164, numberId } = await bought();
  expect((await change({ repairs_delivery: true })).body.repairs_delivery).toBe(true);
  desk.us.connect(e164, null);

  expect(await findings()).toMatchObject({
    open: 0,
    data: [{ kind: "delivered_elsewhere", e164, found_trunk: null, repaired_at: expect.any(String) }],
  });
  expect(connectionOf(e164)).toBe(fra);
  expect((await chainOf(numberId))[0]!.status).toBe("in_sync");
  await change({ repairs_delivery: false });
});

test("shows numbers as drifting after the trunk of their group has changed, and moves none", async () => {
  const { e164, numberId } = await bought();
  await toTrunk(vie);
  expect((await chainOf(numberId))[0]).toMatchObject({
    status: "drifting",
    desired: { trunk: vie },
    applied: { trunk: fra },
  });
  expect(connectionOf(e164)).toBe(fra);
  expect((await bought()).e164).not.toBe(e164);

  await toTrunk(fra);
  expect((await chainOf(numberId))[0]).toMatchObject({ status: "in_sync" });
});

test("has nothing to repair if the number was set right since", async () => {
  await repairAll();
  const { e164 } = await bought();
  desk.us.connect(e164, vie);
  const [finding] = (await findings()).data;
  desk.us.connect(e164, fra);
  expect(await desk.call("POST", `/operator/v1/findings/${finding.id}/repair`)).toMatchObject({
    status: 409,
    body: { code: "finding_outdated" },
  });
});
