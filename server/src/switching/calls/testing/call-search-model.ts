import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callRecord, momentOf } from "../../../../testing/call-record.ts";
import { MODEL_SEED } from "../../../../testing/model-seed.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { bearer, type Person, type Service, startService } from "../../../../testing/service.ts";
import { makeSwitch, type TestSwitch } from "../../../../testing/walls/switch-callers.ts";
import { seedNumbers } from "../../../seed.ts";
import { resultOf } from "../calls.records.rules.ts";
import type { CallSearch } from "../calls.search.schema.ts";
import { searchCalls } from "../calls.search.ts";

type CallRecord = ReturnType<typeof callRecord>;

/** A call as the test knows it. Its parties are absent after their retention period. */
interface ModelCall extends CallRecord {
  switch: string;
  switchId: string;
  hasParties: boolean;
  connectionId: string | null;
}

const DAY_MS = 86_400_000;
const CALLERS = ["+442079460000", "+442079460001", "+44207946", "+33100000001", null];
const OUTCOMES: Partial<CallRecord>[] = [
  {},
  { ending: "refused", answered_at: null, code: 486 },
  { ending: "refused", answered_at: null, code: 480 },
  { ending: "refused", answered_at: null, code: 503, why: "draining" },
];

/** Random filters give the same calls, in the same order, as a plain look at all of them. */
export function describeCallSearch({ calls, searches }: { calls: number; searches: number }): void {
  const random = randomFrom(MODEL_SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

  describe(`searches of calls, MODEL_SEED=${MODEL_SEED}`, () => {
    let world: World;
    beforeAll(async () => {
      world = await openWorld(pick, random, calls);
    });
    afterAll(() => world.service[Symbol.asyncDispose]());

    test(`${searches} random searches find what a model finds`, async () => {
      for (let done = 0; done < searches; done++) {
        const search = randomSearch(world, pick, random);
        const expected = world.calls.filter((call) => matches(call, search)).map(({ id }) => id);
        expect({ search, found: await found(world, search, pick) }).toEqual({ search, found: expected });
      }
    });

    test("searches over HTTP find the same", async () => {
      for (let done = 0; done < 20; done++) {
        const search = randomSearch(world, pick, random);
        const expected = world.calls.filter((call) => matches(call, search)).map(({ id }) => id);
        expect({ search, found: await foundOverHttp(world, search) }).toEqual({ search, found: expected });
      }
    });
  });
}

interface World {
  service: Service;
  organisationId: string;
  owner: Person;
  numbers: string[];
  connectionId: string;
  /** Newest first. */
  calls: ModelCall[];
}

type Pick = <Item>(items: readonly Item[]) => Item;

async function openWorld(pick: Pick, random: () => number, count: number): Promise<World> {
  const service = await startService();
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const numbers = (await seedNumbers(service.app, organisationId, "live", 4)).map(({ id }) => id);
  const headers = bearer(owner.token);
  const body = { name: "Trunk", targets: [{ host: "pbx.example.com" }] };
  const connectionId = (await service.send("POST", "/v1/connections", { headers, body })).body.id as string;
  const routing = { mode: "connection", connection_id: connectionId };
  const put = await service.send("PUT", `/v1/numbers/${numbers[0]}/routing`, {
    headers: { ...headers, "idempotency-key": randomUUID() },
    body: routing,
  });
  expect(put.status).toBe(200);
  const world = { service, organisationId, owner, numbers, connectionId };
  const calls: ModelCall[] = [];
  for (const own of [await makeSwitch(service), await makeSwitch(service)])
    calls.push(...(await reportCalls(world, own, { pick, random, count: Math.ceil(count / 2) })));
  return { ...world, calls: calls.toSorted(newestFirst) };
}

async function reportCalls(
  { service, numbers, connectionId }: Omit<World, "calls">,
  own: TestSwitch,
  { pick, random, count }: { pick: Pick; random: () => number; count: number },
): Promise<ModelCall[]> {
  const partiesDays = service.app.config.callPartiesDays;
  const records: CallRecord[] = [];
  const calls = Array.from({ length: count }, (): ModelCall => {
    // Few days, because each has a partition. None is near the end of the retention period.
    const hasParties = random() < 0.8;
    const days = hasParties ? pick([0, 1, 2, 20, 40, partiesDays - 3]) : partiesDays + pick([3, 35]);
    const started = Date.now() - DAY_MS - days * DAY_MS - Math.floor(random() * 5) * 1_000;
    const isConnected = random() < 0.3;
    const record = callRecord({
      id: randomBytes(16).toString("hex"),
      started_at: momentOf(started, Math.floor(random() * 2)),
      answered_at: momentOf(started + 1_000),
      ended_at: momentOf(started + 1_000 + Math.floor(random() * 120) * 500),
      number_id: isConnected ? numbers[0]! : pick(numbers),
      caller: pick(CALLERS),
      called: pick(["+4930901820", "+4420999"]),
      sip_call_id: pick(["1@sip.example.com", "2@sip.example.com", null]),
      ...(isConnected ? { mode: "connection", generation: pick([1, 2]) } : {}),
      ...pick(OUTCOMES),
    });
    records.push(record);
    return {
      ...record,
      switch: `switch ${own.id.slice(-8)}`,
      switchId: own.id,
      hasParties,
      connectionId: isConnected && record.generation === 2 ? connectionId : null,
    };
  });
  for (let first = 0; first < records.length; first += 1_000) {
    const sent = await service.send("POST", "/switch/v1/call-records", {
      headers: bearer(own.credential),
      body: { records: records.slice(first, first + 1_000) },
    });
    expect([sent.status, sent.body.rejected]).toEqual([200, []]);
  }
  return calls;
}

function newestFirst(one: ModelCall, other: ModelCall): number {
  const key = ({ started_at, switchId, id }: ModelCall): string => `${started_at}/${switchId}/${id}`;
  return key(one) < key(other) ? 1 : -1;
}

function randomSearch({ numbers, connectionId, calls }: World, pick: Pick, random: () => number): CallSearch {
  const some = <Value extends object>(share: number, value: () => Value): Value | object =>
    random() < share ? value() : {};
  const moment = (): string => `${pick(calls).started_at.slice(0, 23)}Z`;
  return {
    ...some(0.3, () => ({ from: moment() })),
    ...some(0.3, () => ({ to: moment() })),
    ...some(0.2, () => ({
      q: pick(["+44", "442079460001", "+33 1", "+49309", "2@sip.example.com", "+999"]),
    })),
    ...some(0.2, () => ({ number_id: pick([...numbers, randomUUID()]) })),
    ...some(0.2, () => ({ caller: pick([...CALLERS.filter((one) => one !== null), "+1"]) })),
    ...some(0.2, () => ({ result: pick(["answered", "busy", "no_answer", "failed"] as const) })),
    ...some(0.2, () => ({ code: pick([200, 486, 480, 404]) })),
    ...some(0.2, () => ({ connection_id: pick([connectionId, connectionId, randomUUID()]) })),
    ...some(0.2, () => ({ switch: pick([pick(calls).switch, pick(calls).switch, "none"]) })),
    ...some(0.2, () => ({ sip_call_id: pick(["1@sip.example.com", "3@sip.example.com"]) })),
    ...some(0.2, () => ({ min_seconds: pick([0, 1, 20, 59, 100]) })),
    ...some(0.2, () => ({ misrouted: random() < 0.5 })),
  };
}

function matches(call: ModelCall, search: CallSearch): boolean {
  const { from, to, number_id, caller, result, code, connection_id, sip_call_id, min_seconds = 0 } = search;
  const startedMs = Date.parse(call.started_at);
  const isAfter = from === undefined || startedMs >= Date.parse(from);
  const isBefore = to === undefined || startedMs < Date.parse(to);
  const is = (wanted: unknown, value: unknown): boolean => wanted === undefined || wanted === value;
  const party = (value: string | null): string | null => (call.hasParties ? value : null);
  return (
    resultOf(call) !== "not_served" &&
    isAfter &&
    isBefore &&
    is(number_id, call.number_id) &&
    is(caller, party(call.caller)) &&
    is(result, resultOf(call)) &&
    is(code, call.code) &&
    is(connection_id, call.connectionId) &&
    is(search.switch, call.switch) &&
    is(sip_call_id, party(call.sip_call_id)) &&
    is(search.misrouted, misroutedOf(call)) &&
    talkSeconds(call) >= min_seconds &&
    isSearched(call, search.q)
  );
}

/** Numbers are unrouted at first. The only attempt of a call that was sent to the connection is its target. */
function misroutedOf({ hasParties, generation, target }: ModelCall): boolean | null {
  if (!hasParties || target === null) return null;
  return generation === 1 ? true : null;
}

function isSearched({ hasParties, caller, called, sip_call_id }: ModelCall, q: string | undefined): boolean {
  if (q === undefined) return true;
  if (!hasParties) return false;
  if (q.includes("@")) return sip_call_id === q;
  const prefix = `+${q.replaceAll(/[ +]/g, "")}`;
  return [caller, called].some((number) => number?.startsWith(prefix));
}

function talkSeconds({ answered_at, ended_at }: ModelCall): number {
  if (answered_at === null || ended_at === null) return 0;
  return Math.max(0, Math.ceil((Date.parse(ended_at) - Date.parse(answered_at)) / 1_000));
}

/** Follows the pages, with bounds so small that scans reach them. */
async function found({ service, organisationId }: World, search: CallSearch, pick: Pick): Promise<string[]> {
  const limit = pick([3, 7, 50, 500]);
  const bounds = pick([
    { rows: limit + 1, lookups: limit + 1 },
    { rows: 600, lookups: limit + 20 },
  ]);
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const page = { after, limit, bounds };
    const { data, last } = await searchCalls(
      service.app,
      { organisationId, environment: "live" },
      search,
      page,
    );
    ids.push(...(JSON.parse(data) as { id: string }[]).map(({ id }) => id));
    if (last === null) return ids;
    after = last;
  }
}

async function foundOverHttp({ service, owner }: World, search: CallSearch): Promise<string[]> {
  const ids: string[] = [];
  const query = new URLSearchParams(
    Object.entries(search).map(([name, value]): [string, string] => [name, String(value)]),
  );
  for (;;) {
    const { status, body } = await service.send("GET", `/v1/calls?${query.toString()}`, {
      headers: bearer(owner.token),
    });
    expect(status).toBe(200);
    ids.push(...(body.data as { id: string }[]).map(({ id }) => id));
    if (body.next_cursor === null) return ids;
    query.set("cursor", body.next_cursor as string);
  }
}
