import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { startPrivateCluster } from "./private-cluster.ts";
import { onCluster } from "../../../testing/test-database.ts";
import { type Pooler, startPooler } from "../../../testing/pooler.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";

/** Fewer connections to PostgreSQL than the service opens to PgBouncer, so that transactions share them. */
const CONNECTIONS = 3;

let service: Service;
let pooler: Pooler | undefined;
let home: string;
let owner: Person;

beforeAll(async () => {
  service = await startService({
    settings: async (databaseUrl) => {
      pooler = await startPooler(inject("clusterUrl"), { poolSize: CONNECTIONS });
      return {
        DATABASE_POOLER_URL: pooler.urlOf(databaseUrl),
        DATABASE_POOLER_STATEMENTS: pooler.statements,
        DATABASE_CONNECTIONS: "20",
        DATABASE_CONNECTIONS_PER_ORGANISATION: "20",
      };
    },
    worker: true,
  });
  home = await service.organisation();
  owner = await service.person({ [home]: "owner" });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await pooler?.[Symbol.asyncDispose]();
});

test("2,000 transactions of 20 organisations share connections, and each sees its own rows", async () => {
  const { db } = service.app;
  const organisations = await Promise.all(
    Array.from({ length: 20 }, async (_, count) => {
      const organisationId = await service.organisation();
      await seedNumbers(service.app, organisationId, "live", count + 1);
      return { scope: { organisationId, environment: "live" as const }, count: count + 1 };
    }),
  );
  const counted = "select count(*)::integer from holdings";
  const wrong: unknown[] = [];
  await Promise.all(
    organisations.map(async ({ scope, count }) => {
      for (let at = 0; at < 100; at++) {
        const [row] =
          at % 2 === 0
            ? await db.forOrganisation.read<{ count: number }>(scope, counted)
            : await db.forOrganisation(scope, (tx) => tx.query<{ count: number }>(counted));
        if (row!.count !== count) wrong.push({ expected: count, found: row!.count });
      }
    }),
  );
  expect(wrong).toEqual([]);
  const [backends] = await service.database.admin<{ count: number }>(
    `select count(*)::integer from pg_stat_activity
     where datname = current_database() and usename = 'dialplane_organisation'`,
  );
  expect(backends!.count).toBeLessThanOrEqual(CONNECTIONS);
});

test("connections have the limits of their role, and what fails leaves nothing behind", async () => {
  const { db } = service.app;
  const scope = { organisationId: home, environment: "live" as const };
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const limits = await db.forOrganisation.read<{ name: string; limit: string }>(
    scope,
    "select name, current_setting(name) as limit from unnest($1::text[]) name",
    [names],
  );
  expect(limits.map(({ limit }) => limit)).toEqual(["5s", "3s", "10s"]);
  await expect(
    db.forOrganisation(scope, async (tx) => {
      await tx.query("update organisations set name = 'x'");
      await tx.query("select 1 / 0");
    }),
  ).rejects.toThrow("division by zero");
  const [settings] = await db.authenticate<{ organisation: string | null }>(
    "select current_setting('app.organisation_id', true) as organisation",
    [],
  );
  expect(settings!.organisation ?? "").toBe("");
});

test("requests, jobs and notifications work through it", async () => {
  await seedNumbers(service.app, home, "test", 3);
  const { id, secret } = await service.key(owner, home, ["full"], "test");
  const list = await service.send("GET", "/v1/numbers", { headers: bearer(secret) });
  expect(list.status, list.text).toBe(200);
  const [number] = (list.body as { data: { id: string }[] }).data;
  const routing = { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" };
  const key = randomUUID();
  const put = (): ReturnType<Service["send"]> =>
    service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
      headers: { ...bearer(secret), "idempotency-key": key },
      body: routing,
    });
  const [first, again] = [await put(), await put()];
  expect(first.status, first.text).toBeLessThan(300);
  expect(again.text).toBe(first.text);
  await until(async () => {
    const { body } = await service.send("GET", `/v1/numbers/${number!.id}`, { headers: bearer(secret) });
    return (body as { routing: { status: string } }).routing.status === "in_sync";
  });
  const ended = await service.send("DELETE", `/v1/api-keys/${id}`, {
    headers: { ...bearer(owner.token), "x-service-org": home, "x-service-environment": "test" },
  });
  expect(ended.status, ended.text).toBe(204);
  const after = await service.send("GET", "/v1/numbers", { headers: bearer(secret) });
  expect(after.status).toBe(401);
});

test("PgBouncer lets in the service's roles with their passwords, and no other role", async () => {
  await using cluster = await startPrivateCluster();
  const password = randomUUID();
  for (const role of ["dialplane_organisation", "another"])
    await onCluster(cluster.url, `create role ${role} login password '${password}'`);
  const setUp = new URL("../../../../deploy/pgbouncer/auth.sql", import.meta.url);
  await onCluster(cluster.url, readFileSync(setUp, "utf8"));
  await using strict = await startPooler(cluster.url, { users: '"pgbouncer" "replace-me"\n' });
  const signIn = async (user: string, given: string): Promise<string> => {
    const url = new URL(strict.urlOf(cluster.url));
    Object.assign(url, { username: user, password: given });
    const client = new pg.Client({ connectionString: url.href });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<{ name: string }>("select current_user as name")).rows[0]!.name;
    } finally {
      await client.end().catch(() => {});
    }
  };
  expect(await signIn("dialplane_organisation", password)).toBe("dialplane_organisation");
  await expect(signIn("dialplane_organisation", "wrong")).rejects.toThrow("authentication failed");
  await expect(signIn("another", password)).rejects.toThrow();
  await onCluster(cluster.url, "alter role dialplane_organisation password 'changed'");
  expect(await signIn("dialplane_organisation", "changed")).toBe("dialplane_organisation");
});
