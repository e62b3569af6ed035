import { inject } from "vitest";
import { seedKey, seedMembership, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { type FreezableProxy, startProxy } from "../../../../testing/freezable-proxy.ts";
import { send } from "../../../../testing/send.ts";
import { type ServerProcess, startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";

/** Fault of the notification connections just before a revocation. */
export type Trouble = "none" | "listener killed" | "socket frozen";

export interface RevocationReport {
  revocations: number;
  /** From the revocation's answer until the last replica rejected the key. */
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Key look-ups that the replicas answered from memory before the revocation: without them there is nothing to test. */
  answeredFromMemory: boolean;
}

/** Three API processes that hold the keys in memory; each key is revoked on the first and tried on all. */
export async function measureRevocations(count: number, trouble: Trouble): Promise<RevocationReport> {
  await using database = await copyDatabase(inject("clusterUrl"));
  const keys = await makeKeys(database, count);
  await using proxies = await stackOf(3, () => startProxy(database.url));
  await using replicas = await stackOf(3, (at) =>
    // Only the listener uses the proxy: queries take the other address.
    startProcess({ databaseUrl: proxies.items[at]!.url, settings: { DATABASE_POOLER_URL: database.url } }),
  );

  const took: number[] = [];
  let answeredFromMemory = true;
  for (const { id, secret } of keys.made) {
    answeredFromMemory = (await warm(replicas.items, secret, database)) && answeredFromMemory;
    await makeTrouble(trouble, database, proxies.items);
    const revoked = await send(replicas.items[0]!.url, "DELETE", `/v1/api-keys/${id}`, {
      headers: { authorization: `Bearer ${keys.token}` },
    });
    if (revoked.status !== 204) throw new Error(`Unexpected ${revoked.status}: ${revoked.text}`);
    const since = performance.now();
    const refusedAt = await Promise.all(replicas.items.map((replica) => untilRefused(replica, secret)));
    took.push(Math.max(...refusedAt) - since);
    if (trouble === "socket frozen") for (const proxy of proxies.items) proxy.thaw();
  }
  took.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))]!);
  return { revocations: took.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), answeredFromMemory };
}

async function makeKeys(
  database: TestDatabase,
  count: number,
): Promise<{ token: string; made: { id: string; secret: string }[] }> {
  const app = await openApp(testConfig(database.url));
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  const made: { id: string; secret: string }[] = [];
  const first = await seedOrganisation(app, "First");
  await seedMembership(app, first, owner.userId, "owner");
  const token = await seedSession(app, owner, "tool");
  for (let at = 0; at < count; at++) {
    made.push(
      await seedKey(app, owner, {
        organisationIds: [first],
        environment: "live",
        scopes: ["numbers"],
        name: `Key ${at}`,
      }),
    );
    // An organisation has at most 50 active keys; these wait elsewhere until their turn.
    await database.admin("update api_keys set expires_at = now() - interval '1 day' where id = $1", [
      made.at(-1)!.id,
    ]);
  }
  await app.close();
  return { token, made };
}

/** Uses the key until every replica serves it from memory and makes no more database look-ups. */
async function warm(
  replicas: readonly ServerProcess[],
  secret: string,
  database: TestDatabase,
): Promise<boolean> {
  await database.admin("update api_keys set expires_at = null where hint = $1", [secret.slice(-4)]);
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const answers = await Promise.all(replicas.map((replica) => isAccepted(replica, secret)));
    if (answers.every(Boolean)) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // Long enough for a listener that had to connect again to be trusted again.
  for (let tries = 0; tries < 40; tries++) {
    await Promise.all(replicas.map((replica) => isAccepted(replica, secret)));
    const before = await fromDatabase(replicas);
    await Promise.all(replicas.map((replica) => isAccepted(replica, secret)));
    if ((await fromDatabase(replicas)) === before) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function fromDatabase(replicas: readonly ServerProcess[]): Promise<number> {
  const counts = await Promise.all(
    replicas.map(async (replica) => {
      const text = await fetch(`http://127.0.0.1:${replica.metricsPort}/metrics`).then((answer) =>
        answer.text(),
      );
      return Number(/api_key_lookups_total\{answered_by="database"\} (\d+)/.exec(text)?.[1] ?? 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function makeTrouble(
  trouble: Trouble,
  database: TestDatabase,
  proxies: readonly FreezableProxy[],
): Promise<void> {
  if (trouble === "listener killed") {
    await database.admin(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dialplane_listen_credentials' and datname = current_database()",
    );
  }
  if (trouble === "socket frozen") for (const proxy of proxies) proxy.freeze();
}

async function isAccepted(replica: ServerProcess, secret: string): Promise<boolean> {
  const { status } = await send(replica.url, "GET", "/v1/me", {
    headers: { authorization: `Bearer ${secret}` },
  });
  return status === 200;
}

async function untilRefused(replica: ServerProcess, secret: string): Promise<number> {
  while (await isAccepted(replica, secret)) await new Promise((resolve) => setTimeout(resolve, 5));
  return performance.now();
}

async function stackOf<Item extends AsyncDisposable>(
  count: number,
  make: (at: number) => Promise<Item>,
): Promise<AsyncDisposable & { items: Item[] }> {
  const items = await Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  return {
    items,
    async [Symbol.asyncDispose]() {
      await Promise.all(items.map((item) => item[Symbol.asyncDispose]()));
    },
  };
}
