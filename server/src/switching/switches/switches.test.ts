import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";
import type { Sent } from "../../../testing/send.ts";
import { standing } from "../../../testing/walls/switch-requests.ts";
import { isCredential, newSwitchCredential } from "./switches.format.ts";
import { shownState } from "./switches.rules.ts";

let service: Service;
let operator: Person;
beforeAll(async () => {
  service = await startService();
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(() => service[Symbol.asyncDispose]());

const ask = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, `/operator/v1${path}`, {
    headers: bearer(operator.token),
    ...(body !== undefined && { body }),
  });

let names = 0;
let name: string;
beforeEach(() => void (name = `name ${++names}`));

describe("groups of switches", () => {
  test("has one for each environment from the start, and the operator creates more for live", async () => {
    const made = await ask("POST", "/switch-groups", { name, shards: 3 });
    const usual = await ask("POST", "/switch-groups", { name: `${name} too`, environment: "live" });
    const listed = await ask("GET", "/switch-groups");

    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name, environment: "live", is_default: false, shards: 3 });
    expect(usual.body.shards).toBe(64);
    expect((await ask("GET", `/switch-groups/${made.body.id}`)).body).toEqual(made.body);
    expect((await ask("GET", "/switch-groups/nowhere")).body.code).toBe("switch_group_not_found");
    expect(listed.body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "default", environment: "live", is_default: true, shards: 256 }),
        expect.objectContaining({ name: "simulated", environment: "test", is_default: true, shards: 64 }),
        made.body,
      ]),
    );
  });

  test("rejects duplicate names, the test environment, and invalid counts of shards", async () => {
    await ask("POST", "/switch-groups", { name, shards: 1 });

    expect((await ask("POST", "/switch-groups", { name })).body.code).toBe("switch_name_taken");
    expect((await ask("POST", "/switch-groups", { name: "x", environment: "test" })).status).toBe(400);
    expect((await ask("POST", "/switch-groups", { name: "x", shards: 0 })).status).toBe(400);
    expect((await ask("POST", "/switch-groups", { name: "x", shards: 1025 })).status).toBe(400);
  });

  test("made at the same moment share no shard", async () => {
    await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        ask("POST", "/switch-groups", { name: `${name}.${at}`, shards: 7 }),
      ),
    );

    const [count] = await service.database.admin<{ shards: number; ids: number; highest: number }>(
      "select count(*)::integer as shards, count(distinct id)::integer as ids, max(id) as highest from feed_shards",
    );
    expect(count!.ids).toBe(count!.shards);
    expect(count!.highest).toBe(count!.shards - 1);
  });
});

describe("a switch", () => {
  test("is registered in the default group with a credential that is shown once and kept as a MAC only", async () => {
    const made = await ask("POST", "/switches", { name });
    const listed = await ask("GET", "/switches");

    expect(made.status).toBe(201);
    const { credential, ...shown } = made.body;
    expect(isCredential(credential)).toBe(true);
    expect(shown).toMatchObject({
      name,
      group: { name: "default" },
      state: "active",
      is_synced: false,
      last_seen_at: null,
      lag: expect.any(Number),
      exceptions: 0,
      alarms: [],
      agent_version: null,
      boot: null,
    });
    expect(listed.body.data).toContainEqual(shown);
    expect(listed.text).not.toContain(credential);
    const [audit] = await service.database.admin(
      "select action, actor_kind, detail from audit_entries where subject = $1",
      [shown.id],
    );
    expect(audit).toEqual({
      action: "switch.created",
      actor_kind: "operator",
      detail: { name, group_id: shown.group.id },
    });
  });

  test("shows alarms of a wrong clock or a full disk until they are fixed", async () => {
    const { body: made } = await ask("POST", "/switches", { name });
    const alarmsAfter = async (said: Parameters<typeof standing>[0]): Promise<string[]> => {
      const headers = bearer(made.credential);
      await service.send("PUT", "/switch/v1/call-standing", { headers, body: standing(said) });
      const { body } = await ask("GET", "/switches?limit=1000");
      return body.data.find(({ id }: { id: string }) => id === made.id).alarms;
    };
    expect(await alarmsAfter({ clock_offset_ms: -1_000 })).toEqual([]);
    expect(await alarmsAfter({ clock_offset_ms: -1_001, is_disk_full: true })).toEqual([
      "clock_wrong",
      "disk_full",
    ]);
    expect(await alarmsAfter({ is_disk_full: true })).toEqual(["disk_full"]);
    expect(await alarmsAfter({ is_disk_full: false })).toEqual([]);
  });

  test("of the test environment cannot be registered", async () => {
    const [simulated] = await service.database.admin<{ id: string }>(
      "select id from switch_groups where environment = 'test'",
    );

    expect((await ask("POST", "/switches", { name, group_id: simulated!.id })).body.code).toBe(
      "switch_group_not_found",
    );
  });

  test("shares its name with no other of its group, and with as many as there are groups", async () => {
    const group = await ask("POST", "/switch-groups", { name, shards: 1 });
    await ask("POST", "/switches", { name });

    expect((await ask("POST", "/switches", { name })).body.code).toBe("switch_name_taken");
    expect((await ask("POST", "/switches", { name, group_id: group.body.id })).status).toBe(201);
  });

  test("can be drained, retired and activated, each with an audit entry", async () => {
    const { id } = (await ask("POST", "/switches", { name })).body;

    for (const state of ["draining", "retired", "active"])
      expect((await ask("PATCH", `/switches/${id}`, { state })).body.state).toBe(state);

    const entries = await service.database.admin<{ action: string }>(
      "select action from audit_entries where subject = $1 order by id",
      [id],
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "switch.created",
      "switch.drained",
      "switch.retired",
      "switch.activated",
    ]);
  });

  test("may be silent for as long as the operator says before it counts as unreachable", async () => {
    const usual = (await ask("POST", "/switches", { name })).body;
    const patient = await ask("POST", "/switches", { name: `${name} too`, unreachable_after_seconds: 3600 });
    expect([usual.unreachable_after_seconds, patient.body.unreachable_after_seconds]).toEqual([30, 3600]);

    const changed = await ask("PATCH", `/switches/${usual.id}`, { unreachable_after_seconds: 60 });
    const both = await ask("PATCH", `/switches/${usual.id}`, {
      state: "draining",
      unreachable_after_seconds: 90,
    });

    expect(changed.body).toMatchObject({ state: "active", unreachable_after_seconds: 60 });
    expect(both.body).toMatchObject({ state: "draining", unreachable_after_seconds: 90 });
    for (const body of [{}, { unreachable_after_seconds: 0 }, { unreachable_after_seconds: 86_401 }])
      expect((await ask("PATCH", `/switches/${usual.id}`, body)).status).toBe(400);
    const entries = await service.database.admin<{ action: string }>(
      "select action, detail from audit_entries where subject = $1 order by id offset 1",
      [usual.id],
    );
    expect(entries).toEqual([
      { action: "switch.limit_set", detail: { unreachable_after_seconds: 60 } },
      { action: "switch.drained", detail: {} },
      { action: "switch.limit_set", detail: { unreachable_after_seconds: 90 } },
    ]);
  });

  test("that is retired gets only this error, and no new credential", async () => {
    const { id, credential } = (await ask("POST", "/switches", { name })).body;
    await ask("PATCH", `/switches/${id}`, { state: "retired" });
    const report = (): Promise<Sent> =>
      service.send("POST", "/switch/v1/reports", { headers: bearer(credential), body: {} });

    await until(async () => (await report()).body.code === "switch_retired");
    expect((await ask("POST", `/switches/${id}/rotate`, {})).body.code).toBe("switch_not_found");
    await ask("PATCH", `/switches/${id}`, { state: "active" });
    await until(async () => (await report()).status === 400);
  });

  test("'s credential works nowhere else, and no other works for it", async () => {
    const { credential } = (await ask("POST", "/switches", { name })).body;
    const organisationId = await service.organisation();
    const owner = await service.person({ [organisationId]: "owner" });
    const { secret } = await service.key(owner, organisationId, ["full"]);
    const reportAs = async (token: string): Promise<number> =>
      (await service.send("POST", "/switch/v1/reports", { headers: bearer(token), body: {} })).status;

    expect((await service.send("GET", "/v1/me", { headers: bearer(credential) })).status).toBe(401);
    expect((await service.send("GET", "/operator/v1/switches", { headers: bearer(credential) })).status).toBe(
      401,
    );
    for (const token of [secret, owner.token, operator.token, newSwitchCredential(), "svc_switch_x"])
      expect(await reportAs(token)).toBe(401);
  });
});

test.each([
  ["active", 29, "active"],
  ["active", 31, "unreachable"],
  ["draining", 31, "unreachable"],
  ["draining", 0, "draining"],
  ["retired", 31, "retired"],
] as const)("%s, last seen or registered %s seconds ago, is shown as %s", (state, secondsAgo, shown) => {
  const now = new Date();
  const before = new Date(now.getTime() - secondsAgo * 1000);
  const longAgo = new Date(0);
  const row = { state, unreachable_after_seconds: 30 };

  expect(shownState({ ...row, last_seen_at: before, created_at: longAgo }, now)).toBe(shown);
  expect(shownState({ ...row, last_seen_at: null, created_at: before }, now)).toBe(shown);
});

test("one mistyped character makes a credential unlike any", () => {
  const credential = newSwitchCredential();
  const other = (at: number): string =>
    credential.slice(0, at) + (credential[at] === "a" ? "b" : "a") + credential.slice(at + 1);

  expect(isCredential(credential)).toBe(true);
  for (let at = 0; at < credential.length; at++) expect(isCredential(other(at))).toBe(false);
});
