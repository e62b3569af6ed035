import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { exceptionOf, shardReport } from "../../../testing/switch-reports.ts";
import { visitsOf } from "../../../testing/visits.ts";
import { makeSwitch, type TestSwitch } from "../../../testing/walls/switch-callers.ts";
import { PLANNED } from "../../platform/db/door-settings.ts";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import { exceptionsStatement } from "./switches.exceptions.store.ts";
import { recordReport } from "./switches.ts";

let service: Service;
let organisationId: string;
let operator: Person;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation("Northwind");
  owner = await service.person({ [organisationId]: "owner" });
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(() => service[Symbol.asyncDispose]());

let own: TestSwitch;
beforeEach(async () => void (own = await makeSwitch(service)));

const get = (path = "", { id = own.id, token = operator.token } = {}): Promise<Sent> =>
  service.send("GET", `/operator/v1/switches/${id}${path}`, { headers: bearer(token) });
const listed = async (query = ""): Promise<Record<string, unknown>[]> =>
  (await get(`/exceptions${query}`)).body.data;

interface Routed {
  id: string;
  e164: string;
  shard: number;
  version: number;
}

async function routedNumber(): Promise<Routed> {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  const routed = await service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": newId() },
    body: { mode: "sip_uri", sip_uri: "sip:desk@8.8.8.8" },
  });
  expect(routed.status, routed.text).toBe(200);
  const [row] = await service.database.admin<{ shard: number; version: string }>(
    "select shard, version from routings where holding_id = $1",
    [number!.id],
  );
  return { ...number!, shard: row!.shard, version: Number(row!.version) };
}

async function report(
  { shard, version }: Routed,
  exceptions: ReturnType<typeof exceptionOf>[],
): Promise<void> {
  const who = { switchId: own.id, groupId: own.groupId, name: "edge", credentialVersion: 1 };
  await recordReport(service.app, who, {
    epoch: service.app.feed.epoch()!,
    boot: "boot",
    agent_version: "1",
    is_complete: false,
    shards: [shardReport(shard, version, exceptions, service.clock.now())],
  });
}

const held = ({ e164 }: Routed, uri: string) => ({
  generation: 1,
  value: { e164, mode: "sip_uri" as const, sip_uri: uri },
});
const drifted = (number: Routed, uri: string) =>
  exceptionOf(number.id, number.version, {
    state: "drifted",
    applied: held(number, uri),
    error: `The switch held ${uri}.`,
    observed_at: service.clock.now().toISOString(),
  });
const EXPECTED = { mode: "sip_uri", sip_uri: "sip:desk@8.8.8.8", generation: 2 };

describe("a switch", () => {
  test("is shown as in the list", async () => {
    const all = await service.send("GET", "/operator/v1/switches?limit=1000", {
      headers: bearer(operator.token),
    });
    const { status, body } = await get();
    expect([status, body]).toEqual([
      200,
      (all.body.data as { id: string }[]).find(({ id }) => id === own.id),
    ]);
  });

  test("is not found under another ID, nor are its exceptions", async () => {
    for (const path of ["", "/exceptions"])
      expect((await get(path, { id: newId() })).body).toMatchObject({ code: "switch_not_found" });
    expect((await get("/exceptions")).body).toEqual({ data: [], next_cursor: null });
  });

  test("is shown to operators only, as are its exceptions", async () => {
    for (const path of ["", "/exceptions"])
      expect((await get(path, { token: owner.token })).body).toMatchObject({ code: "operator_only" });
  });
});

describe("exceptions", () => {
  test("show the value that the switch rejected, and the one it holds", async () => {
    const number = await routedNumber();
    const failed = {
      state: "failed" as const,
      applied: held(number, "sip:old@8.8.8.8"),
      error: "Out of memory.",
    };
    await report(number, [exceptionOf(number.id, number.version, failed)]);
    expect(await listed()).toEqual([
      {
        kind: "number",
        id: number.id,
        label: number.e164,
        organisation: { id: organisationId, name: "Northwind" },
        environment: "live",
        state: "failed",
        since: expect.any(String),
        found: { mode: "sip_uri", sip_uri: "sip:old@8.8.8.8", generation: 1 },
        expected: EXPECTED,
        error: "Out of memory.",
        times_found: null,
        last_at: expect.any(String),
      },
    ]);
  });

  test("count a drift that returns, and show it after its repair", async () => {
    const number = await routedNumber();
    const since: unknown[] = [];
    for (let time = 0; time < 3; time += 1) {
      await report(number, [drifted(number, "sip:somebody@8.8.4.4")]);
      const found = { mode: "sip_uri", sip_uri: "sip:somebody@8.8.4.4", generation: 1 };
      const drift = { found, expected: EXPECTED, times_found: time + 1 };
      expect(await listed()).toMatchObject([{ ...drift, state: "drifted" }]);
      service.clock.advance(1_000);
      await report(number, []);
      const [repaired, ...others] = await listed();
      expect([repaired, others]).toMatchObject([{ ...drift, state: "repaired" }, []]);
      since.push(repaired!.since);
      service.clock.advance(1_000);
    }
    expect(new Set(since).size).toBe(1);
    expect((await get()).body).toMatchObject({ exceptions: 0 });
    await service.database.admin("update drift_episodes set closed_at = now(), wrong_since = null");
    expect(await listed()).toEqual([]);
  });

  test("list an item once, with the value that was found last", async () => {
    const number = await routedNumber();
    for (const uri of ["sip:a@8.8.4.4", "sip:b@8.8.4.4", "sip:a@8.8.4.4"]) {
      await report(number, [drifted(number, uri)]);
      service.clock.advance(1_000);
    }
    await report(number, [drifted(number, "sip:c@8.8.4.4")]);
    expect(await listed()).toMatchObject([{ found: { sip_uri: "sip:c@8.8.4.4" }, times_found: 4 }]);
  });

  test("include connections by name", async () => {
    const connection = (
      await service.send("POST", "/v1/connections", {
        headers: bearer(owner.token),
        body: { name: "Hamburg office", targets: [{ host: "8.8.8.8" }] },
      })
    ).body as { id: string };
    await service.database.admin(
      `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
       select $1, $2, id, 'connection', $3, 'live', 1, 'pending', '', now(), now() from feed_shards where group_id = $4 limit 1`,
      [own.id, connection.id, organisationId, own.groupId],
    );
    expect(await listed()).toMatchObject([
      {
        kind: "connection",
        id: connection.id,
        label: "Hamburg office",
        state: "pending",
        found: null,
        error: null,
      },
    ]);
  });

  test("continue after a page, whether they come from a report or an episode", async () => {
    const numbers = [];
    for (let at = 0; at < 5; at += 1) numbers.push(await routedNumber());
    for (const [at, number] of numbers.entries()) {
      await report(number, [drifted(number, "sip:somebody@8.8.4.4")]);
      if (at % 2 === 0) await report(number, []);
    }
    const states: unknown[] = [];
    let cursor: string | null = null;
    do {
      const { body }: Sent = await get(`/exceptions?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      states.push(...(body.data as { id: string; state: string }[]).map(({ id, state }) => [id, state]));
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(states).toEqual(
      numbers
        .map(({ id }, at) => [id, at % 2 === 0 ? "repaired" : "drifted"])
        .toSorted(([one], [other]) => (one! < other! ? -1 : 1)),
    );
  });

  test("cost as much with thousands of them as with a few", async () => {
    const other = await makeSwitch(service);
    const number = await routedNumber();
    for (const { id } of [own, other])
      await service.database.admin(
        `with items as (select gen_random_uuid() as id, n from generate_series(1, 3000) n), failed as (
           insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
           select $1, id, $2, 'route', $3, 'live', 1, 'failed', '', now(), now() from items where n <= 2000)
         insert into drift_episodes (id, switch_id, item_id, shard, kind, organisation_id, environment, error, is_various, first_at, last_at)
         select gen_random_uuid(), $1, id, $2, 'route', $3, 'live', '', n % 2 = 0, now(), now() from items where n > 1000`,
        [id, number.shard, organisationId],
      );
    await service.database.admin("analyze applied_exceptions, drift_episodes");
    const LIMIT = 20;
    for (const after of [undefined, "80000000-0000-4000-8000-000000000000"])
      await service.app.db.forSystem("operator", async (tx) => {
        for (const [name, value] of PLANNED) await tx.query("select set_config($1, $2, true)", [name, value]);
        const { text, values } = exceptionsStatement(own.id, after, LIMIT);
        const visits = await visitsOf(
          (counters) => tx.query(counters),
          async () => {
            expect(await tx.query(text, values)).toHaveLength(LIMIT + 1);
          },
        );
        expect(visits).toBeLessThan(LIMIT * 30);
      });
  });
});
