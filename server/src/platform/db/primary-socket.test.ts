import pg from "pg";
import { expect, test } from "vitest";
import { migrateDatabase, startServer } from "../../start.ts";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../seed.ts";
import { send } from "../../../testing/send.ts";
import { bearer, until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { clientConfigOf, firstHostUrl, hostsOf } from "./primary-socket.ts";
import { startPrivateCluster, startStandby } from "./private-cluster.ts";

test("a URL can name several hosts, with and without ports", () => {
  const url = "postgres://owner:a%40b@one:5433,two,[::1]:6000/dialplane?sslmode=disable";
  expect(hostsOf(url)).toEqual([
    { host: "one", port: 5433 },
    { host: "two", port: 5432 },
    { host: "::1", port: 6000 },
  ]);
  expect(firstHostUrl(url)).toBe("postgres://owner:a%40b@one:5433/dialplane?sslmode=disable");
  expect(firstHostUrl("postgres://owner@one/dialplane")).toBe("postgres://owner@one/dialplane");
  expect(clientConfigOf("postgres://owner@one/dialplane")).not.toHaveProperty("stream");
});

test("the service follows the primary: it starts with the standby first, and continues after a promotion", async () => {
  const primary = await startPrivateCluster();
  let isPrimaryUp = true;
  try {
    await using standby = await startStandby(primary);
    const [old, next] = [new URL(primary.url), new URL(standby.url)];
    const url = primary.url.replace(old.host, `${next.host},${old.host}`);
    const config = testConfig(url);
    await migrateDatabase(config);
    const server = await startServer(config, "all");
    try {
      const organisation = await seedOrganisation(server.app, "Example");
      const person = await seedPerson(server.app, { name: "Ada", email: "ada@example.com" });
      await seedMembership(server.app, organisation, person.userId, "owner");
      const headers = bearer(await seedSession(server.app, person, "tool"));
      const invite = async (email: string): Promise<number> =>
        (await send(server.url!, "POST", "/v1/invitations", { headers, body: { email, role: "member" } }))
          .status;
      expect(await invite("one@example.com")).toBe(201);

      await using promoted = await openSuperuser(standby.url);
      await until(async () => (await promoted.admin("select from invitations")).length === 1);
      await primary[Symbol.asyncDispose]();
      isPrimaryUp = false;
      expect(await invite("early@example.com")).toBe(503);
      expect(await invite("early@example.com")).toBe(503);
      await promoted.admin("select pg_promote()");
      await until(async () => (await invite("two@example.com")) === 201);
      expect(await promoted.admin("select email from invitations order by email")).toEqual([
        { email: "one@example.com" },
        { email: "two@example.com" },
      ]);
      await until(() => server.api!.apiKeys.isTrusted());
    } finally {
      await server.stop();
    }
  } finally {
    if (isPrimaryUp) await primary[Symbol.asyncDispose]();
  }
});

test("says which hosts were tried if none is the primary", async () => {
  const client = new pg.Client(clientConfigOf("postgres://owner@127.0.0.1:1,127.0.0.2:1/dialplane"));
  await expect(client.connect()).rejects.toThrow(
    /None of the database hosts is the primary: .*127\.0\.0\.1:1/,
  );
});
