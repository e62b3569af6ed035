import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askCli } from "./service/cli.ts";
import { type Customer, type Routing, signUp } from "./service/customer.ts";
import { movedClock } from "./service/moved-clock.ts";
import type { Environment, Program } from "./service/program.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { listCalls, type ShownCall, totalsOf } from "./service/shown-calls.ts";
import { uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { openPhone, type Phone } from "./sip/phone.ts";
import { type Call, placeCall, writeInvite } from "./sip/sip-call.ts";
import { headerOf } from "./sip/sip-message.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

const NUMBER = "+4930901820";
/** In the pool, until a customer orders it. */
const STOCKED = "+4930901821";
const PATIENCE_MS = 40_000;
const THREE_HOURS_MS = 3 * 3_600_000;
const isoAt = (ms: number): string => new Date(ms).toISOString();

/** API, worker, agent and Kamailio as programs, with nothing between them that is not there in production. */
let service: RunningService;
let kamailio: SwitchProcess;
let agent: Program;
let credential: string;
let customer: Customer;
let [caller, office, home]: [Phone, Phone, Phone] = [] as never;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  const phone = async (): Promise<Phone> => running.use(await openPhone(newAddress()));
  [caller, office, home] = [await phone(), await phone(), await phone()];
  const start = async <One extends AsyncDisposable>(starting: Promise<One>): Promise<One> =>
    running.use(await starting);
  [service, kamailio] = await Promise.all([
    start(startService()),
    start(startSwitch([caller.transport.address])),
  ]);
  const [told, signedUp] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, NUMBER),
  ]);
  customer = signedUp;
  credential = /svc_switch_\S+/.exec(told)![0];
  agent = startAgent();
});
afterAll(() => running.disposeAsync(), 60_000);

const startAgent = (more: Environment = {}): Program =>
  running.use(service.startAgent(credential, kamailio.folder, { AUDIT_SECONDS: "5", ...more }));

/** Each call has a unique caller number, which identifies its record in the API. */
const callers = new Map<Call, string>();
const call = async (number = NUMBER): Promise<Call> => {
  const from = `+1555000${1_000 + callers.size}`;
  const made = await placeCall(caller, kamailio.at, number, { from });
  callers.set(made, from);
  return made;
};
const rang = (phone: Phone, { dialog }: Call, method = "INVITE"): boolean =>
  phone.requests(method).some((request) => headerOf(request, "Call-ID") === dialog.callId);

/** Whether the switch would take calls. */
const askOptions = async (): Promise<number> =>
  (await caller.ask(writeInvite(caller, "x").replaceAll("INVITE", "OPTIONS"), kamailio.at)).status!;

/** The switch's own row of the number. */
async function heldRow(number = NUMBER): Promise<string> {
  const { item } = (await kamailio.rpc("htable.get", ["rt", number])) as { item: { value: string } };
  return item.value;
}

const shownCalls = (): Promise<ShownCall[]> => listCalls(customer, customer.numberId);

async function expectOneRecord(one: Call): Promise<void> {
  const look = async (): Promise<ShownCall[] | undefined> => {
    agent.assertRunning();
    const records = (await shownCalls()).filter((shown) => shown.caller === callers.get(one));
    return records.length > 0 ? records : undefined;
  };
  const records = await until("the call's record", look, PATIENCE_MS);
  expect(records).toMatchObject([{ result: "answered", ending: "hung_up" }]);
  const [{ started_at: started, answered_at: answered, ended_at: ended } = {} as ShownCall] = records;
  expect([started <= answered!, answered! < ended!]).toEqual([true, true]);
}

async function switchId(): Promise<string> {
  await service.operator("grant", "owner@northwind.example");
  const { data: switches } = await customer.asPerson<{ data: { id: string; name: string }[] }>(
    "GET",
    "/operator/v1/switches",
  );
  return switches.find(({ name }) => name === "edge-1")!.id;
}

test("returns the value that the real switch holds after waiting, and routes calls there", async () => {
  const { status, routing } = await customer.routeTo(uriOf(office));
  expect({ status, routing }, agent.output()).toMatchObject({
    status: 200,
    routing: {
      status: "in_sync",
      applied: { mode: "sip_uri", sip_uri: uriOf(office), generation: routing.desired.generation },
      switches: [{ switch: "edge-1", applied: { sip_uri: uriOf(office) }, error: null }],
    },
  });
  expect(await heldRow()).toMatch(`u|${routing.desired.generation}|`);
  expect(await heldRow()).toContain(`|${customer.numberId}|${uriOf(office)}|`);

  const answered = await call();
  expect(answered.status).toBe(200);
  expect(rang(office, answered)).toBe(true);
  expect(await answered.bye()).toBe(200);
});

test("another target takes the next call, not the one that is up; each call is stored once, with its end", async () => {
  await customer.routeTo(uriOf(office));
  const before = await call();
  expect((await customer.routeTo(uriOf(home))).routing.status).toBe("in_sync");
  const after = await call();
  expect([before.status, after.status]).toEqual([200, 200]);
  expect([rang(office, before), rang(home, before), rang(office, after), rang(home, after)]).toEqual([
    true,
    false,
    false,
    true,
  ]);

  expect([await before.bye(), await after.bye()]).toEqual([200, 200]);
  expect([rang(office, before, "BYE"), rang(home, after, "BYE")]).toEqual([true, true]);
  await expectOneRecord(before);
  await expectOneRecord(after);
});

test("a switch that is killed answers calls as soon as it is back, and is in sync again; what was up ends in order", async () => {
  await customer.routeTo(uriOf(home));
  const up = await call();
  await kamailio.kill();
  const killedAtMs = Date.now();
  await kamailio.start();
  const answered = await call();
  expect(answered.status).toBe(200);
  expect(rang(home, answered)).toBe(true);

  const isInSyncAgain = async (): Promise<boolean> => {
    agent.assertRunning();
    const { status, applied } = await customer.routing();
    return status === "in_sync" && Date.parse(applied!.observed_at) > killedAtMs;
  };
  await until("the switch to be in sync again", isInSyncAgain, PATIENCE_MS);
  expect(await heldRow()).toContain(`|${customer.numberId}|${uriOf(home)}|`);
  expect([await up.bye(), await answered.bye()]).toEqual([200, 200]);
  await expectOneRecord(up);
  await expectOneRecord(answered);
  expect(await shownCalls()).toHaveLength(callers.size);
});

test("rejects new calls and keeps active ones while drained, until activated", async () => {
  await customer.routeTo(uriOf(office));
  const id = await switchId();
  const decide = (state: string) => customer.asPerson("PATCH", `/operator/v1/switches/${id}`, { state });
  const up = await call();

  await decide("draining");
  await until("the switch to drain", async () => (await askOptions()) === 503);
  expect((await call()).status).toBe(503);
  await kamailio.kill();
  await kamailio.start();
  await until("the switch to drain again", async () => (await askOptions()) === 503);
  expect(await up.bye()).toBe(200);

  await decide("active");
  await until("the switch to take calls", async () => (await askOptions()) === 200);
  const taken = await call();
  expect([taken.status, rang(office, taken)]).toEqual([200, true]);
  expect(await taken.bye()).toBe(200);
});

interface KeptCall {
  callId: string;
  caller: string | null;
  called: string | null;
  trunk: string | null;
  code: number;
  why: string | null;
}

/** Records without a holder. Only the operator has them, in the database. */
const operatorsCalls = (): Promise<KeptCall[]> =>
  service.query<KeptCall>(`
    select p.sip_call_id as "callId", p.caller_raw as caller, p.called, r.trunk, r.code, r.why
    from call_records r join call_parties p using (switch_id, id, started_at)
    where r.holding_id is null and p.holding_id is null`);

test("orders, routes, rings, counts, suspends, resumes and releases a number, and hides calls during quarantine", async () => {
  const table = join(service.mailFolder, "..", "stock.csv");
  writeFileSync(table, `number\n${STOCKED}\n`);
  await service.operator("stock-numbers", table);
  const { items } = await customer.asPerson<{ items: { number_id: string }[] }>(
    "POST",
    "/v1/numbers/orders",
    {
      numbers: [STOCKED],
    },
  );
  const id = items[0]!.number_id;
  const { status } = await customer.asPerson<Routing>("PUT", `/v1/numbers/${id}/routing`, {
    mode: "sip_uri",
    sip_uri: uriOf(office),
  });
  expect(status).toBe("in_sync");
  const reach = async (): Promise<{ made: Call; status: number; rang: boolean }> => {
    const made = await call(STOCKED);
    if (made.status === 200) expect(await made.bye()).toBe(200);
    return { made, status: made.status, rang: rang(office, made) };
  };
  const isHeldAs = (row: string) => async (): Promise<boolean> => (await heldRow(STOCKED)).startsWith(row);
  const expectCounted = (totals: object): Promise<void> =>
    expect.poll(() => totalsOf(customer, id), { interval: 100 }).toMatchObject(totals);

  expect(await reach()).toMatchObject({ status: 200, rang: true });
  await expectCounted({ calls: 1, answered: 1 });
  await service.operator("suspend-number", STOCKED);
  await until("the switch to be told", isHeldAs("n|"));
  expect(await reach()).toMatchObject({ status: 480, rang: false });
  await service.operator("resume-number", STOCKED);
  await until("the switch to be told", isHeldAs("u|"));
  expect(await reach()).toMatchObject({ status: 200, rang: true });
  await expectCounted({ calls: 3, answered: 2, rejected: 1 });

  expect(await customer.asPerson("POST", `/v1/numbers/${id}/release`)).toMatchObject({
    status: "quarantined",
  });
  await until("the switch to be told", async () => (await heldRow(STOCKED)).includes("|resting|"));
  const { made, ...last } = await reach();
  expect(last).toEqual({ status: 480, rang: false });
  const { callId } = made.dialog;
  await expect
    .poll(operatorsCalls)
    .toContainEqual(expect.objectContaining({ callId, called: STOCKED, why: "unrouted" }));
  expect(await totalsOf(customer, id)).toMatchObject({ calls: 3, answered: 2, rejected: 1 });
  expect((await listCalls(customer, id)).map((shown) => shown.caller)).not.toContain(callers.get(made));
});

/** Called strings that are not a number here, the switch's reason to reject them, and the stored value. */
const ODD_CALLS: { called: string; why: string; kept?: string }[] = [
  { called: "abc", why: "not_a_number" },
  { called: "004930901899", why: "not_a_number" },
  { called: "+4930901899", why: "unknown_number" },
  { called: "+4930901820~1", why: "not_a_number" },
  { called: "~~", why: "not_a_number" },
  { called: "a|b|c", why: "not_a_number" },
  { called: "a%7Cb", why: "not_a_number", kept: "a|b" },
  { called: "50%", why: "not_a_number" },
  { called: "%00%0a", why: "not_a_number" },
  { called: "%22it's%22", why: "not_a_number" },
  { called: Buffer.from("büro").toString("latin1"), why: "not_a_number", kept: "büro" },
  { called: "b\u00fcro", why: "not_a_number", kept: "b\ufffdro" },
  { called: "9".repeat(2_000), why: "not_a_number", kept: "9".repeat(255) },
];

test("records each rejected call once for the operator, for any caller and number", async () => {
  await until("the switch to know all numbers", async () => (await askOptions()) === 200);
  const stranger = running.use(await openPhone(newAddress()));
  const refused = new Map<string, Partial<KeptCall>>();
  const refuse = async (phone: Phone, called: string, kept: Partial<KeptCall>): Promise<void> => {
    const { status, dialog } = await placeCall(phone, kamailio.at, called, { from: "a~b%7C'" });
    expect({ called, status }).toEqual({ called, status: kept.code });
    refused.set(dialog.callId, { ...kept, caller: "a~b|'" });
  };
  for (const { called, why, kept = called } of ODD_CALLS) {
    await refuse(caller, called, { called: kept, why, code: 404, trunk: "carrier" });
    await refuse(stranger, called, { called: kept, why: "unknown_source", code: 403, trunk: null });
  }
  await refuse(stranger, NUMBER, { called: NUMBER, why: "unknown_source", code: 403, trunk: null });

  const keptOf = async (): Promise<KeptCall[]> =>
    (await operatorsCalls()).filter(({ callId }) => refused.has(callId));
  await expect.poll(async () => (await keptOf()).length).toBeGreaterThanOrEqual(refused.size);
  const byCallId = (one: { callId: string }, other: { callId: string }): number =>
    one.callId < other.callId ? -1 : 1;
  expect((await keptOf()).toSorted(byCallId)).toEqual(
    [...refused].map(([callId, kept]) => ({ callId, ...kept })).toSorted(byCallId),
  );
  expect(await service.query("select code, detail from rejected_records")).toEqual([]);
  expect(agent.output()).not.toContain("hold no whole row");
});

interface Reading {
  switch: string;
  state: string;
  addresses: { address: string; state: string }[];
  checked_at: string;
}

test("shows a target as up while it replies, down when it does not, and unknown without probes", async () => {
  const { address, port } = home.transport;
  const made = await customer.asPerson<{ id: string }>("POST", "/v1/connections", {
    name: "Head office",
    targets: [{ host: address, port }],
  });
  await customer.route(NUMBER, { mode: "connection", connection_id: made.id }, 20);
  const reading = async (): Promise<Reading> => {
    const path = `/v1/connections/${made.id}`;
    const { targets } = await customer.asPerson<{ targets: { health: { switches: Reading[] } }[] }>(
      "GET",
      path,
    );
    return targets[0]!.health.switches[0]!;
  };
  const expectShown = async (state: string): Promise<Reading> =>
    until(
      `the target to be ${state}`,
      async () => {
        await sleep(100); // a person may not ask without a pause
        const one = await reading();
        return one.state === state ? one : undefined;
      },
      PATIENCE_MS,
    );

  const at = `${address}:${port}`;
  expect(await expectShown("up")).toMatchObject({
    switch: "edge-1",
    addresses: [{ address: at, state: "up" }],
  });
  await home.close();
  expect(await expectShown("down")).toMatchObject({ addresses: [{ address: at, state: "down" }] });
  home = running.use(await openPhone(address, { port }));
  await expectShown("up");
  const { data: events } = await customer.asPerson<{ data: { type: string; subject: string }[] }>(
    "GET",
    "/v1/events",
  );
  expect(events.filter(({ subject }) => subject === made.id).map(({ type }) => type)).toEqual(
    expect.arrayContaining(["connection.unreachable", "connection.reachable"]),
  );

  const id = await switchId();
  await customer.asPerson("PATCH", `/operator/v1/switches/${id}`, { unreachable_after_seconds: 6 });
  await agent.kill();
  const last = await expectShown("unknown");
  expect(last.addresses).toEqual([]);
  expect(Date.now() - Date.parse(last.checked_at)).toBeGreaterThan(6_000);
});

const ask = <Answer>(argv: string[], more: Environment = {}): Promise<Answer> =>
  askCli<Answer>(argv, { url: service.url, key: customer.credentials.key }, more);

test("three hours after the repair of a manual change, the CLI shows where a call went and what had changed it", async () => {
  await agent.kill();
  agent = startAgent();
  await customer.routeTo(uriOf(office));
  const right = await heldRow();
  const wrong = right.replace(uriOf(office), uriOf(home));
  const stolen = await until("a call to the wrong target", async () => {
    await kamailio.rpc("htable.sets", ["rt", NUMBER, wrong]);
    const made = await call();
    expect(await made.bye()).toBe(200);
    return rang(home, made) ? made : undefined;
  });
  const drifts = (more?: Environment) =>
    ask<Record<string, unknown>[]>(["numbers", "timeline", NUMBER, "--kind", "drifted"], more);
  const isRepaired = async (): Promise<boolean> => (await drifts())[0]?.["until"] != null;
  await until("the repair", isRepaired, 2 * PATIENCE_MS);
  expect(await heldRow()).toBe(right);
  const stolenAt = Date.now();

  const later = movedClock(THREE_HOURS_MS);
  await Promise.all([agent.kill(), service.killServer()]);
  service.startServer(later);
  await service.ready();
  agent = startAgent(later);
  const current = (): Promise<Routing> => ask<Routing>(["routing", "get", NUMBER], later);
  await until("the switch to report again", async () => (await current()).status === "in_sync", PATIENCE_MS);
  expect(await current()).toMatchObject({
    switches: [{ switch: "edge-1", applied: { sip_uri: uriOf(office) }, took_ms: expect.any(Number) }],
  });
  const around = ["--from", isoAt(stolenAt - 600_000), "--to", isoAt(stolenAt + 60_000)];
  const [found] = await until(
    "the record of the call",
    async () => {
      const some = await ask<{ id: string }[]>(
        ["calls", "list", "--caller", callers.get(stolen)!, ...around],
        later,
      );
      return some.length > 0 && some;
    },
    PATIENCE_MS,
  );
  expect(await ask(["calls", "show", found!.id], later)).toMatchObject({
    misrouted: true,
    destination: { sip_uri: uriOf(office) },
    target: expect.stringContaining(home.transport.address),
  });
  const [drift] = await drifts(later);
  expect(drift).toMatchObject({
    switch: "edge-1",
    found: { sip_uri: uriOf(home) },
    expected: { sip_uri: uriOf(office) },
    count: expect.any(Number),
  });
  expect(Date.parse(String(drift!["at"]))).toBeLessThan(stolenAt);
  const applied = await ask<object[]>(["numbers", "timeline", NUMBER, "--kind", "applied"], later);
  expect(applied).toContainEqual(
    expect.objectContaining({ switch: "edge-1", found: expect.objectContaining({ sip_uri: uriOf(office) }) }),
  );
});
