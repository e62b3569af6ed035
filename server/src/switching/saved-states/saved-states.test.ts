import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  httpControlPlane,
  httpStateService,
  simulatedSwitch,
  startAgent,
  startStateUploads,
} from "@dialplane/switch-agent";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { runCommand } from "../../../testing/command.ts";
import { TEST_SECRET } from "../../../testing/test-config.ts";
import { type Person, bearer, type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { beginEpochByHand } from "../epochs/epochs.ts";
import type { SavedState, SavedStateItem } from "./saved-states.schema.ts";

const AUTHOR = systemAuthor("test");
const log = { info: () => {}, warn: () => {}, error: () => {} };

let service: Service;
let operator: Person;
let organisationId: string;
let folder: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  operator = await service.person({});
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "dialplane-states-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const asOperator = (method: string, path: string) =>
  service.send(method, `/operator/v1/saved-states${path}`, { headers: bearer(operator.token) });
const asSwitch = (credential: string, method: string, path: string, body: unknown) =>
  service.send(method, `/switch/v1/saved-states${path}`, { headers: bearer(credential), body });
const statesOf = async (switchId: string): Promise<SavedState[]> =>
  ((await asOperator("GET", `?switch_id=${switchId}`)).body as { data: SavedState[] }).data;

const savedAt = "2026-11-16T10:00:00.000Z";
const item = (at: number) => ({
  kind: "route",
  id: `0198c5f2-7c1e-7a33-9d3f-${String(at).padStart(12, "0")}`,
  shard: 3,
  version: at,
  generation: 2,
  value: {
    e164: `+4930555${String(at).padStart(4, "0")}`,
    mode: "sip_uri",
    sip_uri: "sip:lost@pbx.example.com",
  },
});

/** A switch that announced one state, and the id of that state. */
async function announced(items: number): Promise<{ credential: string; switchId: string; stateId: string }> {
  const { credential, id: switchId } = await makeSwitch(service);
  const states = [{ epoch: "ended", saved_at: savedAt, items }];
  const sent = await asSwitch(credential, "PUT", "", { states });
  expect(sent.body).toEqual({ requested: [] });
  const [state] = await statesOf(switchId);
  return { credential, switchId, stateId: state!.id };
}

test("what an agent saved when an epoch ended can be requested and read, number by number", async () => {
  const { credential, id: switchId } = await makeSwitch(service);
  const storePath = join(folder, "agent.sqlite");
  const [number] = await seedNumbers(service.app, organisationId, "live", ["+4930555100"]);
  const where = { url: service.url, credential };
  const agent = startAgent({ control: httpControlPlane(where), driver: simulatedSwitch(), storePath, log });
  const uploads = startStateUploads({ storePath, service: httpStateService(where), log, everyMs: 20 });
  try {
    const routed = async (): Promise<number> => {
      const rows = await service.database.admin<{ count: string }>(
        "select count(*) from applied_watermarks where switch_id = $1",
        [switchId],
      );
      return Number(rows[0]!.count);
    };
    await until(async () => (await routed()) > 0);
    await beginEpochByHand(service.app, AUTHOR);
    service.app.feed.checkEpoch();
    const state = await until(async () => (await statesOf(switchId))[0]);
    expect(state).toMatchObject({ switch_id: switchId, status: "on_switch", uploaded_at: null });
    expect(state.items).toBeGreaterThan(0);

    const requested = await asOperator("POST", `/${state.id}/request`);
    expect(requested.body).toMatchObject({ id: state.id, status: "requested" });
    await until(async () => (await statesOf(switchId))[0]?.status === "uploaded");
    const { body } = await asOperator("GET", `/${state.id}/items?number=%2B4930555100`);
    const { data } = body as { data: SavedStateItem[] };
    expect(data).toMatchObject([
      { kind: "route", id: number!.id, value: { e164: "+4930555100", mode: "unrouted" } },
    ]);
    const run = (...words: string[]) => runCommand(words, settings);
    const settings = {
      DIALPLANE_MODE: "development",
      BASE_URL: service.url,
      MASTER_SECRET: TEST_SECRET,
      DATABASE_URL: service.database.url,
    };
    const listed = await run("saved-states");
    expect(listed.stdout, listed.stderr).toContain(`${state.id}  switch ${switchId}`);
    expect((await run("show-state", state.id)).stdout).toContain('"e164":"+4930555100"');
    expect(await run("request-state", "other")).toMatchObject({
      code: 1,
      stderr: "No saved state with this ID.\n",
    });
    const acts = await service.database.admin(
      "select 1 from audit_entries where action = 'saved_state.requested' and subject = $1",
      [state.id],
    );
    expect(acts).toHaveLength(1);
  } finally {
    await uploads.stop();
    await agent.stop();
  }
});

test("parts may come twice, and pages show every item once", async () => {
  const { credential, stateId } = await announced(3);
  await asOperator("POST", `/${stateId}/request`);
  const again = await asSwitch(credential, "PUT", "", {
    states: [{ epoch: "ended", saved_at: savedAt, items: 3 }],
  });
  expect(again.body).toEqual({ requested: ["ended"] });
  for (const part of [
    { items: [item(1), item(2)], is_last: false },
    { items: [item(1), item(2)], is_last: false },
    { items: [item(3)], is_last: true },
    { items: [item(3)], is_last: true },
  ])
    expect((await asSwitch(credential, "POST", "/ended/parts", part)).status).toBe(204);

  const first = (await asOperator("GET", `/${stateId}/items?limit=2`)).body as {
    data: SavedStateItem[];
    next_cursor: string;
  };
  const rest = (await asOperator("GET", `/${stateId}/items?limit=2&cursor=${first.next_cursor}`)).body as {
    data: SavedStateItem[];
    next_cursor: null;
  };
  expect([...first.data, ...rest.data]).toEqual([item(1), item(2), item(3)]);
  expect(rest.next_cursor).toBeNull();
});

test("a state that is not complete is not shown, and its upload begins again", async () => {
  const { credential, stateId } = await announced(2);
  await asOperator("POST", `/${stateId}/request`);
  const sent = await asSwitch(credential, "POST", "/ended/parts", { items: [item(1)], is_last: true });
  expect(sent.body).toMatchObject({ status: 409, code: "saved_state_incomplete" });
  expect((await asOperator("GET", `/${stateId}/items`)).body).toMatchObject({
    code: "saved_state_not_uploaded",
  });
  await asSwitch(credential, "POST", "/ended/parts", { items: [item(1), item(2)], is_last: true });
  expect((await asOperator("GET", `/${stateId}/items`)).status).toBe(200);
});

test("nothing is taken that was not requested, nor for another switch", async () => {
  const { credential, stateId } = await announced(1);
  const part = { items: [item(1)], is_last: true };
  expect((await asSwitch(credential, "POST", "/ended/parts", part)).status).toBe(404);
  await asOperator("POST", `/${stateId}/request`);
  const { credential: other } = await makeSwitch(service);
  expect((await asSwitch(other, "POST", "/ended/parts", part)).status).toBe(404);
  expect((await asSwitch(credential, "POST", "/ended/parts", part)).status).toBe(204);
});

test("what an agent deleted is forgotten; what it uploaded stays, the last three of each switch", async () => {
  const { credential, id: switchId } = await makeSwitch(service);
  const epochs = ["a", "b", "c", "d"];
  for (const [at, epoch] of epochs.entries()) {
    const states = [{ epoch, saved_at: new Date(Date.parse(savedAt) + at * 1000).toISOString(), items: 1 }];
    await asSwitch(credential, "PUT", "", { states });
    const [state] = await statesOf(switchId);
    await asOperator("POST", `/${state!.id}/request`);
    await asSwitch(credential, "POST", `/${epoch}/parts`, { items: [item(at)], is_last: true });
  }
  await asSwitch(credential, "PUT", "", { states: [{ epoch: "e", saved_at: savedAt, items: 1 }] });
  await asSwitch(credential, "PUT", "", { states: [] });
  expect((await statesOf(switchId)).map(({ epoch, status }) => `${epoch} ${status}`)).toEqual([
    "d uploaded",
    "c uploaded",
    "b uploaded",
  ]);
});

test("a state is uploaded while switches are held", async () => {
  const { credential, stateId } = await announced(1);
  await service.database.admin("update feed_epoch set is_held = true");
  try {
    await asOperator("POST", `/${stateId}/request`);
    const states = [{ epoch: "ended", saved_at: savedAt, items: 1 }];
    expect((await asSwitch(credential, "PUT", "", { states })).body).toEqual({ requested: ["ended"] });
    const part = { items: [item(1)], is_last: true };
    expect((await asSwitch(credential, "POST", "/ended/parts", part)).status).toBe(204);
  } finally {
    await service.database.admin("update feed_epoch set is_held = false");
  }
  expect((await asOperator("GET", `/${stateId}/items`)).body).toMatchObject({ data: [item(1)] });
});
