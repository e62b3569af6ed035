import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Agent,
  httpControlPlane,
  httpStateService,
  type SimulatedSwitch,
  simulatedSwitch,
  startAgent,
  startStateUploads,
} from "@dialplane/switch-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backUp } from "../../../testing/back-up.ts";
import { onlyCarrier, type ScriptedCarrier, scriptedCarrier } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { examine } from "../../doctor.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { newId } from "../../platform/ids.ts";
import { seedSession } from "../../seed.ts";
import {
  adoptFinding,
  beginRestore,
  compareRestore,
  dropFinding,
  finishRestore,
  listRestoreFindings,
  listRestores,
} from "./restores.ts";

const AUTHOR = systemAuthor("test");
const log = { info: () => {}, warn: () => {}, error: () => {} };
const [CHANGED, RELEASED, SUSPENDED, KEPT, LOST, ORDERED, LATE] = Array.from(
  { length: 7 },
  (_, at) => `+44207946040${at}`,
) as [string, string, string, string, string, string, string];

interface Scene extends AsyncDisposable {
  service: Service;
  carrier: ScriptedCarrier;
  home: string;
  driver: SimulatedSwitch;
  token(): string;
  call(method: string, path: string, body?: unknown): Promise<Sent>;
  numberId(e164: string): Promise<string>;
  route(e164: string, uri: string): Promise<void>;
  held(e164: string): Promise<string | undefined>;
}

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "dialplane-restore-"))));
afterEach(() => rmSync(folder, { recursive: true }));

async function scene(rollbackPolicy: "restore" | "resync"): Promise<Scene> {
  const carrier = scriptedCarrier();
  const service = await startService({
    worker: true,
    settings: { ROLLBACK_POLICY: rollbackPolicy },
    overrides: { carriers: onlyCarrier(carrier) },
  });
  const home = await service.organisation();
  const owner = await service.person({ [home]: "owner" });
  const { credential } = await makeSwitch(service);
  const driver = simulatedSwitch();
  const where = { url: service.url, credential };
  const storePath = join(folder, "agent.sqlite");
  const agent: Agent = startAgent({
    control: httpControlPlane(where),
    driver,
    storePath,
    log,
    timing: { reconnectMaxMs: 200, auditMs: 500 },
  });
  const uploads = startStateUploads({ storePath, service: httpStateService(where), log, everyMs: 50 });
  let token = owner.token;
  const call = async (method: string, path: string, body?: unknown): Promise<Sent> => {
    const options = () => ({ headers: { ...bearer(token), "idempotency-key": newId() }, body });
    const sent = await service.send(method, path, options());
    if (sent.status !== 401) return sent;
    // A restore ends all sessions.
    token = await seedSession(service.app, owner, "tool");
    return service.send(method, path, options());
  };
  return {
    service,
    carrier,
    home,
    driver,
    token: () => token,
    call,
    numberId: async (e164) =>
      (await call("GET", `/v1/numbers?e164=${encodeURIComponent(e164)}`)).body.data[0]?.id,
    async route(e164, uri) {
      const path = `/v1/numbers/${encodeURIComponent(e164)}/routing`;
      const set = await call("PUT", path, { mode: "sip_uri", sip_uri: uri });
      expect(set.status, set.text).toBe(200);
    },
    async held(e164) {
      const held = [...driver.listHeld()].find((item) => "e164" in item.value && item.value.e164 === e164);
      return held && "e164" in held.value ? (held.value.sip_uri ?? held.value.mode) : undefined;
    },
    async [Symbol.asyncDispose]() {
      await uploads.stop();
      await agent.stop();
      await service[Symbol.asyncDispose]();
    },
  };
}

const uri = (name: string): string => `sip:${name}@pbx.example.com`;

test("a restore loses nothing that switches and carriers know, and calls are routed as before throughout", async () => {
  await using one = await scene("restore");
  const { service, carrier, home, call, held } = one;
  for (const e164 of [CHANGED, RELEASED, SUSPENDED, KEPT, LOST, ORDERED, LATE]) carrier.stock(e164);
  const first = await call("POST", "/v1/numbers/orders", { numbers: [CHANGED, RELEASED, SUSPENDED, KEPT] });
  expect(first.status, first.text).toBe(202);
  await until(async () => (await one.numberId(KEPT)) !== undefined);
  // Bought in the carrier's portal after the backup.
  await carrier.ordering.order(
    { organisationId: home, environment: "live" },
    { reference: newId(), e164s: [LOST] },
  );
  for (const e164 of [CHANGED, RELEASED, SUSPENDED, KEPT]) await one.route(e164, uri("before"));
  await until(async () => (await held(KEPT)) === uri("before"));
  const restore = backUp(service.database.url);

  await one.route(CHANGED, uri("after"));
  const ordered = await call("POST", "/v1/numbers/orders", { numbers: [ORDERED] });
  expect(ordered.status, ordered.text).toBe(202);
  await until(async () => (await one.numberId(ORDERED)) !== undefined);
  const orderedId = await one.numberId(ORDERED);
  await one.route(ORDERED, uri("ordered"));
  const released = await call("POST", `/v1/numbers/${encodeURIComponent(RELEASED)}/release`);
  expect(released.status, released.text).toBe(202);
  await until(async () => (await held(ORDERED)) === uri("ordered"));
  await until(async () => (await held(CHANGED)) === uri("after"));
  await until(async () => (await held(RELEASED)) === "unrouted");
  const before = [...one.driver.listHeld()];

  await restore();
  const open = await until(async () => {
    const [found] = await listRestores(service.app, { after: undefined, limit: 1 }).catch(() => []);
    return found;
  });
  expect(open).toMatchObject({ cause: "rollback", ended_at: null });
  const compared = async () => compareRestore(service.app, AUTHOR, open.id);
  await until(async () => (await compared()).switches.every(({ state }) => state === "compared"));
  expect([...one.driver.listHeld()]).toEqual(before);

  // Changes of single numbers are applied during the restore.
  await one.route(KEPT, uri("during"));
  await until(async () => (await held(KEPT)) === uri("during"));
  const { body: shown } = await call("GET", `/v1/numbers/${encodeURIComponent(KEPT)}`);
  expect(shown.routing.status).toBe("unknown");
  // A new order waits.
  const late = await call("POST", "/v1/numbers/orders", { numbers: [LATE] });
  expect(late.status).toBe(202);

  const findings = await listRestoreFindings(
    service.app,
    open.id,
    { state: "open" },
    { after: undefined, limit: 100 },
  );
  const named = findings.map(({ kind, e164, state }) => `${kind} ${e164} ${state}`).toSorted();
  expect(named).toEqual(
    [
      `newer_on_switch ${CHANGED} open`,
      `newer_on_switch ${RELEASED} open`,
      `only_on_switch ${ORDERED} open`,
      `not_here ${LOST} open`,
    ].toSorted(),
  );
  await expect(finishRestore(service.app, AUTHOR, open.id)).rejects.toThrow(/4 findings are open/);
  for (const { id, kind } of findings)
    await (kind === "not_here" ? dropFinding : adoptFinding)(service.app, AUTHOR, id);
  expect([...one.driver.listHeld()]).toHaveLength(before.length);
  await finishRestore(service.app, AUTHOR, open.id);

  await until(async () => {
    const { body } = await call("GET", "/v1/numbers");
    return body.data.every((number: { routing: { status: string } }) => number.routing.status === "in_sync");
  });
  expect(await held(CHANGED)).toBe(uri("after"));
  expect(await held(ORDERED)).toBe(uri("ordered"));
  expect(await held(KEPT)).toBe(uri("during"));
  expect(await one.numberId(ORDERED)).toBe(orderedId);
  expect(carrier.ledger.filter(({ returnedBy }) => returnedBy !== null)).toEqual([]);
  expect((await examine(service.app.db)).filter(({ rows }) => rows.length > 0)).toEqual([]);
});

test("begun by command before the API starts: sign-ins end, orders wait, and differences can be dropped", async () => {
  await using one = await scene("resync");
  const { service, carrier, call, held } = one;
  for (const e164 of [CHANGED, SUSPENDED, ORDERED, LATE]) carrier.stock(e164);
  await call("POST", "/v1/numbers/orders", { numbers: [CHANGED, SUSPENDED] });
  await until(async () => (await one.numberId(SUSPENDED)) !== undefined);
  const { body: old } = await call("POST", "/v1/connections", {
    name: "Old",
    targets: [{ host: "old.example.com" }],
  });
  await one.route(CHANGED, uri("before"));
  await one.route(SUSPENDED, uri("suspended"));
  await toConnection(one, SUSPENDED, old.id);
  await until(async () => (await held(SUSPENDED)) === "connection");
  const webhook = await call("POST", "/v1/webhook-endpoints", { url: "https://hooks.example.com/all" });
  expect(webhook.status, webhook.text).toBe(201);
  const restore = backUp(service.database.url);

  await one.route(CHANGED, uri("after"));
  await call("PATCH", `/v1/connections/${old.id}`, { targets: [{ host: "new.example.com" }] });
  const { body: added } = await call("POST", "/v1/connections", {
    name: "New",
    targets: [{ host: "more.example.com" }],
  });
  await call("POST", "/v1/numbers/orders", { numbers: [ORDERED] });
  await until(async () => (await one.numberId(ORDERED)) !== undefined);
  await toConnection(one, ORDERED, added.id);
  await until(
    async () =>
      (await held(ORDERED)) === "connection" && [...one.driver.listHeld()].some(({ id }) => id === added.id),
  );
  const before = [...one.driver.listHeld()];

  expect((await service.send("GET", "/v1/me", { headers: bearer(one.token()) })).status).toBe(200);
  await restore();
  const { id } = await until(() =>
    beginRestore(service.app, AUTHOR, service.clock.now()).catch(() => undefined),
  );
  expect((await service.send("GET", "/v1/me", { headers: bearer(one.token()) })).status).toBe(401);
  await expect(beginRestore(service.app, AUTHOR, null)).rejects.toThrow("A restore is already open.");
  const ordered = await call("POST", "/v1/numbers/orders", { numbers: [LATE] });
  expect(ordered.status, ordered.text).toBe(202);

  await until(async () =>
    (await compareRestore(service.app, AUTHOR, id)).switches.every(({ state }) => state === "compared"),
  );
  expect([...one.driver.listHeld()]).toEqual(before);
  const open = await listRestoreFindings(
    service.app,
    id,
    { state: "open" },
    { after: undefined, limit: 100 },
  );
  expect(
    open.map(({ kind, item_kind, e164, item_id }) => `${kind} ${item_kind} ${e164 ?? item_id}`).toSorted(),
  ).toEqual(
    [
      `newer_on_switch connection ${old.id}`,
      `newer_on_switch route ${CHANGED}`,
      `only_on_switch connection ${added.id}`,
      `only_on_switch route ${ORDERED}`,
    ].toSorted(),
  );
  const attempts = () => service.database.admin("select sum(attempts) from webhook_deliveries");
  const attempted = await attempts();
  for (const { id: finding, e164 } of open)
    await (e164 === CHANGED ? dropFinding : adoptFinding)(service.app, AUTHOR, finding);
  // The number's own value is under a generation that no switch has seen.
  const { body: kept } = await call("GET", `/v1/numbers/${encodeURIComponent(CHANGED)}/routing`);
  expect(kept).toMatchObject({ desired: { sip_uri: uri("before"), generation: 4 } });
  expect((await call("GET", `/v1/jobs/${ordered.body.job_id}`)).body.status).toBe("queued");
  expect(await attempts()).toEqual(attempted);
  await finishRestore(service.app, AUTHOR, id);

  await until(async () => (await call("GET", `/v1/jobs/${ordered.body.job_id}`)).body.status === "succeeded");
  await until(async () => (await held(CHANGED)) === uri("before"));
  const connections = await call("GET", "/v1/connections");
  expect(
    connections.body.data.map((connection: { id: string; targets: { host: string }[] }) => [
      connection.id,
      connection.targets[0]!.host,
    ]),
  ).toEqual([
    [old.id, "new.example.com"],
    [added.id, "more.example.com"],
  ]);
  expect(await held(ORDERED)).toBe("connection");
  expect(carrier.ledger.filter(({ returnedBy }) => returnedBy !== null)).toEqual([]);
  expect((await examine(service.app.db)).filter(({ rows }) => rows.length > 0)).toEqual([]);
});

async function toConnection({ call }: Scene, e164: string, id: string): Promise<void> {
  const path = `/v1/numbers/${encodeURIComponent(e164)}/routing`;
  const set = await call("PUT", path, { mode: "connection", connection_id: id });
  expect(set.status, set.text).toBe(200);
}
