import { inject, expect, test } from "vitest";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../seed.ts";
import { startServer } from "../../start.ts";
import { captureLog } from "../../../testing/captured-log.ts";
import { startProxy } from "../../../testing/freezable-proxy.ts";
import { send, type Sent } from "../../../testing/send.ts";
import { bearer, startService, until } from "../../../testing/service.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { copyDatabase } from "../../../testing/test-database.ts";

test("/livez and /readyz succeed without a credential", async () => {
  await using service = await startService();

  expect(await service.send("GET", "/livez")).toMatchObject({ status: 200, body: { status: "ok" } });
  expect(await service.send("GET", "/readyz")).toMatchObject({
    status: 200,
    body: { status: "ok", failed: [] },
  });
});

test("a process is unready until the database has its schema or a newer one", async () => {
  await using service = await startService();
  const ready = (): Promise<Sent> => service.send("GET", "/readyz");

  await service.database.admin("update schema_migrations set name = '0000' || name");
  expect((await ready()).body).toEqual({ status: "not_ready", failed: ["migrations"] });
  expect((await service.send("GET", "/livez")).status).toBe(200);
  await service.database.admin(
    `update schema_migrations set name = substr(name, 5);
     insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`,
  );
  await until(async () => (await ready()).status === 200);
});

test("returns 503 with Retry-After and rejects all callers while the database is down, and recovers automatically", async () => {
  const captured = captureLog("warn");
  await using database = await copyDatabase(inject("clusterUrl"));
  await using proxy = await startProxy(database.url);
  const server = await startServer(testConfig(proxy.url), "api", { log: captured.log });
  try {
    const organisation = await seedOrganisation(server.app, "Example");
    const person = await seedPerson(server.app, { name: "Ada", email: "ada@example.com" });
    await seedMembership(server.app, organisation, person.userId, "owner");
    const headers = bearer(await seedSession(server.app, person, "tool"));
    const ask = (method: string, path: string, body?: object): Promise<Sent> =>
      send(server.url!, method, path, { headers, body });
    const invitation = { email: "bob@example.com", role: "member" };
    expect((await ask("GET", "/v1/members")).status).toBe(200);
    expect((await send(server.url!, "GET", "/readyz")).status).toBe(200);

    proxy.cut();
    for (const answer of [
      await ask("GET", "/v1/me"),
      await ask("GET", "/v1/members"),
      await ask("POST", "/v1/invitations", invitation),
    ]) {
      expect(answer).toMatchObject({ status: 503, body: { code: "unavailable", retryable: true } });
      expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    }
    // It stays in the load balancer, so that callers get this problem.
    expect((await send(server.url!, "GET", "/readyz")).status).toBe(200);
    expect((await send(server.url!, "GET", "/livez")).status).toBe(200);

    proxy.mend();
    await until(async () => (await ask("GET", "/v1/members")).status === 200);
    expect((await ask("POST", "/v1/invitations", invitation)).status).toBe(201);
    await until(() => server.api!.apiKeys.isTrusted());
  } finally {
    await server.stop();
  }
  expect(captured.lines().filter(({ msg }) => msg === "request failed")).toEqual([]);
});

test("replaces connections that the database ends, with a 503 at most", async () => {
  await using service = await startService();
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  const list = (): Promise<Sent> => service.send("GET", "/v1/members", { headers: bearer(owner.token) });
  await list();

  for (let round = 0; round < 3; round++) {
    const asked = Promise.all(Array.from({ length: 10 }, list));
    await service.database.admin(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and usename like 'dialplane_%'",
    );
    expect(
      (await asked).map(({ status }) => status).filter((status) => status !== 200 && status !== 503),
    ).toEqual([]);
  }
  await until(async () => (await list()).status === 200);
});
