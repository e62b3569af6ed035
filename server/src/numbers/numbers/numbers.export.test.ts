import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tableStream } from "../../platform/http/table-stream.ts";
import { seedManyNumbers } from "../../seed-many-numbers.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";

/** Ten megabytes, more than the socket buffers of both ends hold: a few numbers with long rows cost the least. */
const NUMBERS = 12_000;
const LONG_ROWS = `begin; set local session_replication_role = replica;
  update holdings set label = repeat('x', 200), tags = array(select repeat('y', 49) || n from generate_series(1, 12) n); commit`;
/** Rights are looked up again after a second. */
const LATE_MS = 1_300;

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  const { admin } = service.database;
  await seedManyNumbers((sql) => admin(sql), { organisationIds: [organisation], count: NUMBERS });
  await admin(LONG_ROWS);
  await (await LiveSwitch.add(service)).confirmAll();
  await admin("vacuum (analyze)");
});
afterAll(() => service[Symbol.asyncDispose]());

/** Begins to read the table, and stops. */
async function beginExport(secret: string): Promise<IncomingMessage> {
  const headers = bearer(secret);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL("/v1/numbers/export", service.url), { headers, agent: false }, resolve).on("error", reject);
  });
  answer.on("error", () => undefined);
  return answer.pause();
}

/** Reads the rest; whether it came to its end. */
async function isReadToItsEnd(answer: IncomingMessage): Promise<boolean> {
  try {
    for await (const _ of answer);
    return answer.complete;
  } catch {
    return false;
  }
}

test("a table that is taken slowly breaks off once its reader has lost the right to it", async () => {
  const read = await service.key(owner, organisation, ["numbers"]);
  const developer = await service.person({ [organisation]: "developer" });
  const [kept, ofKey, ofMember] = await Promise.all(
    [owner.token, read.secret, developer.token].map((secret) => beginExport(secret)),
  );
  expect([kept, ofKey, ofMember].map((one) => one!.statusCode)).toEqual([200, 200, 200]);
  const headers = bearer(owner.token);
  await service.send("DELETE", `/v1/api-keys/${read.id}`, { headers });
  await service.send("PATCH", `/v1/members/${developer.userId}`, { headers, body: { role: "member" } });
  await sleep(LATE_MS);
  expect(await Promise.all([kept, ofKey, ofMember].map((one) => isReadToItsEnd(one!)))).toEqual([
    true,
    false,
    false,
  ]);
});

test("limits concurrent exports of an organisation", async () => {
  const tables = await Promise.all(Array.from({ length: 25 }, () => beginExport(owner.token)));
  const refused = tables.filter(({ statusCode }) => statusCode === 429);
  expect([tables.length - refused.length, refused.length]).toEqual([20, 5]);
  for (const table of tables) table.destroy();
  await until(async () => {
    const again = await beginExport(owner.token);
    again.destroy();
    return again.statusCode === 200;
  });
});

test("ends an export whose client has stopped reading, and no other", async () => {
  let isEnded = false;
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (let piece = 0; piece < 10; piece += 1) yield "x".repeat(100_000);
    } finally {
      isEnded = true;
    }
  }
  const stalled = tableStream(pieces(), 200);
  const failed = new Promise<Error>((resolve) => stalled.once("error", resolve));
  stalled.read(1);
  expect((await failed).message).toBe("The client has stopped reading.");
  await until(() => isEnded);
  let taken = 0;
  for await (const piece of tableStream(pieces(), 200)) {
    taken += (piece as string).length;
    await sleep(50);
  }
  expect(taken).toBe(1_000_000);
});
