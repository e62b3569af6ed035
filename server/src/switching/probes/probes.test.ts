import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { startSimulatedSwitch } from "../switches/switches.ts";
import { endOverdueProbes, placeDueProbes, sweepProbes } from "./probes.jobs.ts";
import type { Probe } from "./probes.schema.ts";
import type { ProbeReport, ProbeTasks, SeenProbe } from "./probes.wire.schema.ts";

const URI = "sip:alice@sbc1.example.com";
const CALLER = { trunk: "acme", caller: "+493010009999" };

let service: Service;
let operator: Person;
let owner: Person;
let organisationId: string;
let numberId: string;
let switches: [TestSwitch, TestSwitch] = [] as never;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  operator = await service.person({});
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  await service.database.admin("update switches set state = 'retired' where credential_mac is not null");
  switches = [await makeSwitch(service), await makeSwitch(service)];
  await service.database.admin(
    "update switches set features = '{probes}', last_seen_at = $1 where id = any ($2)",
    [service.clock.now(), switches.map(({ id }) => id)],
  );
  await service.database.admin("delete from probes");
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  numberId = (await seedNumbers(service.app, organisationId, "live", 1))[0]!.id;
  await setLimit(10);
  await setRoute();
  service.clock.advance(1_000);
});
afterAll(() => service[Symbol.asyncDispose]());

const as = ({ cookie }: Person, method: string, path: string, body?: object): Promise<Sent> =>
  service.send(method, path, { headers: browser(cookie), ...(body && { body }) });
const setLimit = (probes_per_day: number): Promise<Sent> =>
  as(operator, "PUT", `/operator/v1/organisations/${organisationId}/probes`, { probes_per_day });
async function setRoute(): Promise<void> {
  const set = await service.send("PUT", `/v1/numbers/${numberId}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": crypto.randomUUID() },
    body: { mode: "sip_uri", sip_uri: URI },
  });
  expect(set.status).toBe(200);
}
const place = (body: object = {}, id = numberId): Promise<Sent> =>
  as(owner, "POST", `/v1/numbers/${id}/probes`, body);
const probeOf = async (id: string): Promise<Probe> => (await as(owner, "GET", `/v1/probes/${id}`)).body;

async function sync(of: TestSwitch, report: Partial<ProbeReport> = {}): Promise<ProbeTasks> {
  const { status, body } = await service.send("PUT", "/switch/v1/probes", {
    headers: bearer(of.credential),
    body: { expecting: [], placed: [], seen: [], ...report },
  });
  expect(status).toBe(200);
  return body;
}
const placedBy = (id: string) => ({ probe_id: id, code: 480, has_rung: false, took_ms: 300 });
async function seenBy(id: string, more: Partial<SeenProbe> = {}): Promise<SeenProbe> {
  const [row] = await service.database.admin<{ generation: string }>(
    "select generation from routings where holding_id = $1",
    [numberId],
  );
  return {
    probe_id: id,
    at: new Date().toISOString(),
    trunk: null,
    code: 480,
    reason: "probe",
    mode: "sip_uri",
    generation: Number(row!.generation),
    target: URI,
    address: "198.51.100.20:5060",
    transport: "udp",
    target_code: 200,
    target_ms: 12,
    ...more,
  };
}

describe("a probe without a carrier", () => {
  test("is placed by each switch of the number once it recognises the call, and ends with the last report", async () => {
    const { status, body, headers } = await place();
    expect({ status, body }).toMatchObject({
      status: 202,
      body: { status: "running", via: "switch", links: [] },
    });
    expect(headers["location"]).toMatch(new RegExp(`/v1/probes/${body.id}$`));
    for (const one of switches) {
      const first = await sync(one);
      expect(first.expect).toMatchObject([{ id: body.id, caller: null }]);
      expect(first.place).toEqual([]);
      expect((await sync(one, { expecting: [body.id] })).place).toMatchObject([
        { id: body.id, gateway: null },
      ]);
      // A lost response must not place a second call.
      expect((await sync(one, { expecting: [body.id] })).place).toEqual([]);
    }
    const report = { placed: [placedBy(body.id)], seen: [await seenBy(body.id)] };
    await sync(switches[0], report);
    expect((await probeOf(body.id)).status).toBe("running");
    await sync(switches[1], report);
    const ended = await probeOf(body.id);
    expect(ended).toMatchObject({ status: "proved", number_id: numberId });
    expect(ended.links.map(({ link, status: of }) => `${link} ${of}`)).toEqual([
      "switch proved",
      "destination proved",
      "switch proved",
      "destination proved",
    ]);
    expect((await sync(switches[0])).expect).toEqual([]);
  });

  test("names a switch that no longer reports, and one with another route", async () => {
    await service.database.admin("update switches set last_seen_at = $2 where id = $1", [
      switches[1].id,
      new Date(service.clock.now().getTime() - 120_000),
    ]);
    const { body } = await place();
    await sync(switches[0], { expecting: [body.id] });
    const drifted = await seenBy(body.id, { target: "sip:old@example.com" });
    await sync(switches[0], { placed: [placedBy(body.id)], seen: [drifted] });
    const { status, links } = await probeOf(body.id);
    expect(status).toBe("broken");
    expect(links.map(({ detail }) => detail).toSorted()).toEqual([
      "The switch holds another route than it should.",
      "The switch is unreachable.",
    ]);
    const events = await as(owner, "GET", "/v1/events?type=probe.broken");
    expect(events.body.data).toMatchObject([{ subject: body.id, data: { number_id: numberId } }]);
  });

  test("fails if a reachable switch does not report in time", async () => {
    const { body } = await place();
    await endOverdueProbes(service.app);
    expect((await probeOf(body.id)).status).toBe("running");
    service.clock.advance(30_001);
    await service.database.admin("update switches set last_seen_at = $1", [service.clock.now()]);
    await endOverdueProbes(service.app);
    expect(await probeOf(body.id)).toMatchObject({
      status: "failed",
      summary: expect.stringMatching(/^switch \w+ did not report in time\. Place the probe again\.$/),
      links: [],
    });
  });

  test("says nothing about a number whose route has changed since", async () => {
    const { body } = await place();
    service.clock.advance(30_001);
    await setRouteTo("sip:bob@example.com");
    await endOverdueProbes(service.app);
    expect(await probeOf(body.id)).toMatchObject({ status: "failed", links: [] });
  });
});

async function setRouteTo(sip_uri: string): Promise<void> {
  await service.send("PUT", `/v1/numbers/${numberId}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": crypto.randomUUID() },
    body: { mode: "sip_uri", sip_uri },
  });
}

describe("a probe through a carrier", () => {
  const groupPath = (): string => `/operator/v1/switch-groups/${switches[0].groupId}/probe-caller`;
  beforeEach(async () => {
    expect((await as(operator, "PUT", groupPath(), CALLER)).status).toBe(200);
  });

  test("is placed by one switch, once every reachable switch recognises the call", async () => {
    const { body } = await place({ via: "carrier" });
    expect((await sync(switches[0], { expecting: [body.id] })).place).toEqual([]);
    const { place: tasks } = await sync(switches[1], { expecting: [body.id] });
    expect(tasks).toMatchObject([{ id: body.id, caller: CALLER.caller, gateway: CALLER.trunk }]);
    expect((await sync(switches[0])).place).toEqual([]);
    await sync(switches[1], { placed: [placedBy(body.id)] });
    expect((await probeOf(body.id)).status).toBe("running");
    await sync(switches[0], { seen: [await seenBy(body.id, { trunk: "acme" })] });
    expect(await probeOf(body.id)).toMatchObject({
      status: "proved",
      summary: expect.stringMatching(/^carrier → switch \w+ → 198/),
    });
  });

  test("is not assigned to switches of the test environment", async () => {
    const { body } = await place({ via: "carrier" });
    expect((await sync(switches[0])).expect).toMatchObject([{ id: body.id }]);
    const inTest = await makeSwitch(service, { environment: "test" });
    expect(await sync(inTest)).toEqual({ expect: [], place: [] });
  });

  test("does not wait long for a switch, nor for a call that does not arrive", async () => {
    const { body } = await place({ via: "carrier" });
    expect((await sync(switches[0], { expecting: [body.id] })).place).toEqual([]);
    service.clock.advance(6_001);
    expect((await sync(switches[0])).place).toHaveLength(1);
    await sync(switches[0], { placed: [placedBy(body.id)] });
    await endOverdueProbes(service.app);
    expect((await probeOf(body.id)).status).toBe("running");
    service.clock.advance(9_000);
    await endOverdueProbes(service.app);
    expect(await probeOf(body.id)).toMatchObject({
      status: "broken",
      summary: "carrier acme: No switch received the call. It got status 480.",
    });
  });

  test("needs the caller of the switch group, and a trunk with a gateway", async () => {
    await service.database.admin("delete from probe_callers");
    expect((await place({ via: "carrier" })).body.code).toBe("probes_disabled");
    expect((await as(operator, "GET", groupPath())).body).toMatchObject({ trunk: null, caller: null });
    await service.database.admin(
      `insert into trunk_revisions (switch_group_id, revision, document, opened_networks, created_at)
       values ($1, 1, '{"trunks": [{"name": "acme", "gateway": null}], "forwarding": null}', '{}', now())`,
      [switches[0].groupId],
    );
    expect((await as(operator, "PUT", groupPath(), CALLER)).body.code).toBe("trunk_not_found");
    await service.database.admin("delete from trunk_revisions");
  });
});

describe("limits", () => {
  test("no organisation probes before the operator allows it, nor more than that on a day", async () => {
    await setLimit(0);
    expect((await place()).body.code).toBe("probes_disabled");
    await setLimit(2);
    const ids = (await seedNumbers(service.app, organisationId, "live", 3)).map(({ id }) => id);
    const tried = await Promise.all(ids.map((id) => place({}, id)));
    expect(tried.map(({ status }) => status).toSorted()).toEqual([202, 202, 409]);
    const policy = await as(operator, "GET", `/operator/v1/organisations/${organisationId}/probes`);
    expect(policy.body).toMatchObject({ probes_per_day: 2, used_today: 2 });
    service.clock.advance(86_400_000);
    const next = tried.findIndex(({ status }) => status === 409);
    expect((await place({}, ids[next])).status).toBe(202);
  });

  test("a number has one running probe, keys place none, and a suspended number has none", async () => {
    const tried = await Promise.all([place(), place()]);
    expect(tried.map(({ body }) => body.code ?? body.status).toSorted()).toEqual([
      "probe_in_progress",
      "running",
    ]);
    await service.database.admin(
      "update holdings set status = 'suspended', status_reason = 'x' where id = $1",
      [numberId],
    );
    expect((await place()).body.code).toBe("number_not_active");
  });

  test("the same key places one probe", async () => {
    const headers = { ...browser(owner.cookie), "idempotency-key": crypto.randomUUID() };
    const once = () => service.send("POST", `/v1/numbers/${numberId}/probes`, { headers, body: {} });
    const [first, second] = [await once(), await once()];
    expect([second.status, second.body.id]).toEqual([202, first.body.id]);
  });
});

test("numbers of the test environment prove how their simulated switch routes them", async () => {
  const [good, bad] = await seedNumbers(service.app, organisationId, "test", 2);
  const inTest = { ...browser(owner.cookie), "x-service-environment": "test" };
  const simulated = startSimulatedSwitch(service.app);
  try {
    const route = (id: string, sip_uri: string): Promise<Sent> =>
      service.send("PUT", `/v1/numbers/${id}/routing`, {
        headers: { ...inTest, "idempotency-key": crypto.randomUUID(), prefer: "wait=10" },
        body: { mode: "sip_uri", sip_uri },
      });
    const routed = [
      await route(good!.id, "sip:alice@pbx.example.com"),
      await route(bad!.id, "sip:alice@down.example.com"),
    ];
    expect(routed.map(({ body }) => body.status)).toEqual(["in_sync", "in_sync"]);
    service.clock.advance(1_000);
    const ended: string[] = [];
    for (const { id } of [good!, bad!]) {
      const { body } = await service.send("POST", `/v1/numbers/${id}/probes`, { headers: inTest, body: {} });
      const read = async () => (await service.send("GET", `/v1/probes/${body.id}`, { headers: inTest })).body;
      await until(async () => (await read()).status !== "running", 20_000);
      ended.push((await read()).status);
    }
    expect(ended).toEqual(["proved", "broken"]);
  } finally {
    await simulated.close();
  }
});

describe("a schedule", () => {
  test("probes each number with the tag once per round, within the day's limit", async () => {
    const ids = (await seedNumbers(service.app, organisationId, "live", 14)).map(({ id }) => id);
    await service.database.admin("update holdings set tags = '{berlin}' where id = any ($1)", [ids]);
    await setLimit(13);
    const set = await as(owner, "POST", "/v1/probe-schedules", { tag: "berlin", every_hours: 24 });
    expect(set).toMatchObject({ status: 201, body: { tag: "berlin", via: "switch", every_hours: 24 } });
    for (let run = 0; run < 4; run++) await placeDueProbes(service.app);
    expect(await countProbes()).toBe(13);
    service.clock.advance(86_400_000);
    await endOverdueProbes(service.app);
    for (let run = 0; run < 4; run++) await placeDueProbes(service.app);
    expect(await countProbes()).toBe(14 + 12);
    const listed = await as(owner, "GET", `/v1/numbers/${ids[0]}/probes?limit=1`);
    expect(listed.body.data).toMatchObject([{ is_scheduled: true }]);
  });

  test("does nothing for a suspended organisation, and ends when it is deleted", async () => {
    await service.database.admin("update holdings set tags = '{berlin}' where id = $1", [numberId]);
    const { body } = await as(owner, "POST", "/v1/probe-schedules", { tag: "berlin", every_hours: 1 });
    const again = await as(owner, "POST", "/v1/probe-schedules", { tag: "berlin", every_hours: 2 });
    expect(again.body).toMatchObject({ id: body.id, every_hours: 2 });
    await service.database.admin("update organisations set suspended_at = now() where id = $1", [
      organisationId,
    ]);
    await placeDueProbes(service.app);
    expect(await countProbes()).toBe(0);
    await service.database.admin("update organisations set suspended_at = null where id = $1", [
      organisationId,
    ]);
    expect((await as(owner, "DELETE", `/v1/probe-schedules/${body.id}`)).status).toBe(204);
    await placeDueProbes(service.app);
    expect(await countProbes()).toBe(0);
    expect((await as(owner, "GET", "/v1/probe-schedules")).body).toEqual({ data: [] });
  });
});

test("probes are deleted 90 days after their end", async () => {
  const { body } = await place();
  service.clock.advance(60_001);
  await endOverdueProbes(service.app);
  await sweepProbes(service.app);
  expect((await probeOf(body.id)).id).toBe(body.id);
  service.clock.advance(91 * 86_400_000);
  await sweepProbes(service.app);
  expect(await countProbes()).toBe(0);
});

async function countProbes(): Promise<number> {
  const [row] = await service.database.admin<{ count: number }>(
    "select count(*)::int as count from probes where organisation_id = $1",
    [organisationId],
  );
  return row!.count;
}
