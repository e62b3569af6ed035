import { afterAll, beforeAll, expect, test } from "vitest";
import type { Secrets } from "../../platform/secrets.ts";
import type { Sent } from "../../../testing/send.ts";
import { newCellKey } from "./testing/new-root-key.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { openSwitchCredentials } from "./switches.credentials.ts";
import { newSwitchCredential } from "./switches.format.ts";
import { rotateCredential } from "./switches.ts";

const AUTHOR = systemAuthor("test");

let service: Service;
beforeAll(async () => void (service = await startService({ settings: { LIMIT_FLOOD_PER_SECOND: "2" } })));
afterAll(() => service[Symbol.asyncDispose]());

/** 400 if authenticated, because the body is not a report. */
const reportAs = (credential: string): Promise<Sent> =>
  service.send("POST", "/switch/v1/reports", { headers: bearer(credential), body: {} });
const times = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

test("switches are not limited by their address, however many begin at once behind it", async () => {
  const switches = await Promise.all(times(50, () => makeSwitch(service)));

  const answers = await Promise.all(switches.map(({ credential }) => reportAs(credential)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
});

test("stops an address that floods with invalid credentials, except switches known from it", async () => {
  const [known, unknown] = await Promise.all([makeSwitch(service), makeSwitch(service)]);
  await reportAs(known.credential);

  const statuses: number[] = [];
  for (let at = 0; at < 6; at++) statuses.push((await reportAs(newSwitchCredential())).status);

  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  expect((await reportAs("not even well-formed")).status).toBe(429);
  expect((await reportAs(known.credential)).status).toBe(400);
  expect((await reportAs(unknown.credential)).body).toMatchObject({
    code: "rate_limited",
    policy: "address",
  });
  service.clock.advance(60_000);
  expect((await reportAs(unknown.credential)).status).toBe(400);
});

test("looks up thousands of unknown credentials together, and evicts no known switch", async () => {
  const { db, secrets, log } = service.app;
  let lookUps = 0;
  const authenticate: typeof db.authenticate = (...asked) => {
    lookUps++;
    return db.authenticate(...asked);
  };
  const whose = openSwitchCredentials({ db: { ...db, authenticate }, secrets, log });
  const { id, credential } = await makeSwitch(service);
  const askAsSwitch = () => whose(credential, { isFlooding: false });
  expect(await askAsSwitch()).toMatchObject({ switchId: id });

  const strangers = times(12_000, () => whose(newSwitchCredential(), { isFlooding: false }));
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([undefined]));

  expect(lookUps).toBeLessThan(20);
  expect(await whose(credential, { isFlooding: true })).toMatchObject({ switchId: id });
  expect(await whose(newSwitchCredential(), { isFlooding: true })).toBeUndefined();
});

test("a credential that was replaced stays worthless although a process was about to move it to a new root key", async () => {
  const { app } = service;
  const { id, credential } = await makeSwitch(service);
  const before = app.secrets.current("switch-credential").rootId;
  await newCellKey(service);
  // One process has read the new root key, and is slow to write; another has not.
  const gate = Promise.withResolvers<void>();
  const moves: Promise<unknown>[] = [];
  const forSystem = Object.assign((...asked: Parameters<typeof app.db.forSystem>) => {
    const move = gate.promise.then(() => app.db.forSystem(...asked));
    moves.push(move);
    return move;
  }, app.db.forSystem) as typeof app.db.forSystem;
  const ahead = openSwitchCredentials({ ...app, db: { ...app.db, forSystem } });
  const current = () => app.secrets.all("switch-credential").find(({ rootId }) => rootId === before)!;
  const behind = { ...app, secrets: Object.assign(Object.create(app.secrets), { current }) as Secrets };

  expect(await ahead(credential, { isFlooding: false })).toMatchObject({ switchId: id });
  const replaced = await rotateCredential(behind, AUTHOR, id);
  gate.resolve();
  await Promise.all(moves);

  const whose = openSwitchCredentials(app);
  expect(moves).toHaveLength(1);
  expect(await whose(credential, { isFlooding: false })).toBeUndefined();
  expect(await whose(replaced.credential, { isFlooding: false })).toMatchObject({ switchId: id });
});
