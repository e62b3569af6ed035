import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../testing/command.ts";
import { send } from "../testing/send.ts";
import { type ServerProcess, startProcess } from "../testing/server-process.ts";
import { bearer, type Person, type Service, startService, until } from "../testing/service.ts";
import { TEST_SECRET } from "../testing/test-config.ts";

/** The source itself, as people run it. Other tests may start a bundle. */
const SOURCE = fileURLToPath(new URL("./main.ts", import.meta.url));

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

describe("starting", () => {
  test.each([
    ["a short master secret", { MASTER_SECRET: "changeme" }, /^MASTER_SECRET is too short/],
    [
      "a plain http address in production",
      { BASE_URL: "http://numbers.example.com" },
      /^BASE_URL must be https in production/,
    ],
  ])(
    "CF-01 with %s the process ends with 1, one line that says why, and no secret",
    async (_what, settings, message) => {
      const good = {
        BASE_URL: "https://numbers.example.com",
        MASTER_SECRET: TEST_SECRET,
        DATABASE_URL: service.database.url,
        SMTP_URL: "smtp://127.0.0.1",
      };

      const ended = await runCommand(["api"], { ...good, ...settings }, SOURCE);

      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr.trim().split("\n")).toHaveLength(1);
      expect(ended.stderr + ended.stdout).not.toContain(TEST_SECRET);
    },
  );

  test("an unknown command ends with 2 and says which there are", async () => {
    const ended = await runCommand(["serve"], {}, SOURCE);

    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^Usage: /);
  });
});

describe("stopping on SIGTERM", () => {
  test("finishes an active request while /readyz fails, then exits with 0", async () => {
    await using server = await startAll("1");
    const held = holdEventCounter(2);
    const underWay = invite(server, "slow@example.com");
    await until(async () => (await waitingForLocks()) > 0);

    const { exit, startedAt } = terminate(server);
    const announced = await until(async () => {
      const ready = await send(server.url, "GET", "/readyz");
      return ready.status === 503 && ready;
    });
    const stillServed = await send(server.url, "GET", "/v1/me", { headers: bearer(owner.token) });

    expect(announced.body).toEqual({ status: "not_ready", failed: ["draining"] });
    expect((await send(server.url, "GET", "/livez")).status).toBe(200);
    expect(stillServed.status).toBe(200);
    expect(await underWay).toMatchObject({ status: 201, body: { email: "slow@example.com" } });
    expect(await exit).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    await held;
  });

  test("drops no request under load if clients follow /readyz", async () => {
    await using server = await startAll("1");
    const agent = new Agent({ keepAlive: true, maxSockets: 12 });
    let isDraining = false;
    let sent = 0;
    const acknowledged: string[] = [];
    const failures: string[] = [];
    const client = async (): Promise<void> => {
      while (!isDraining) {
        const email = `load-${++sent}@example.com`;
        const status = await inviteThrough(agent, server, email).catch((error: unknown) => String(error));
        if (status === 201) acknowledged.push(email);
        else failures.push(`${email}: ${status}`);
      }
    };
    const clients = Promise.all(Array.from({ length: 12 }, client));
    await until(() => acknowledged.length > 100);

    const { exit } = terminate(server);
    // Acts like a load balancer: it polls, and sends no more requests after the first 503.
    await until(async () => (await send(server.url, "GET", "/readyz")).status === 503);
    isDraining = true;
    await clients;

    expect(failures).toEqual([]);
    expect(await exit).toBe(0);
    const rows = await service.database.admin<{ email: string }>(
      "select email from invitations where email like 'load-%'",
    );
    expect(rows.map(({ email }) => email).toSorted()).toEqual(acknowledged.toSorted());
    agent.destroy();
  });

  test("asked a second time it ends at once", async () => {
    await using server = await startAll("15");
    const { exit, startedAt } = terminate(server);
    await until(async () => (await send(server.url, "GET", "/readyz")).status === 503);

    server.process.kill("SIGTERM");

    expect(await exit).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

function startAll(announceSeconds: string): Promise<ServerProcess> {
  const settings = {
    ANNOUNCE_DRAIN_SECONDS: announceSeconds,
    DRAIN_SECONDS: "5",
    MAIL_DIRECTORY: service.app.config.mail.directory,
  };
  return startProcess({ databaseUrl: service.database.url, role: "all", settings, program: SOURCE });
}

function terminate(server: ServerProcess): { exit: Promise<number | null>; startedAt: number } {
  const exit = once(server.process, "exit").then(([code]) => code as number | null);
  server.process.kill("SIGTERM");
  return { exit, startedAt: performance.now() };
}

function invite(server: ServerProcess, email: string) {
  return send(server.url, "POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email, role: "member" },
  });
}

function inviteThrough(agent: Agent, server: ServerProcess, email: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...bearer(owner.token), "content-type": "application/json" };
    const sending = request(
      `${server.url}/v1/invitations`,
      { method: "POST", headers, agent },
      (response) => {
        response
          .on("end", () => resolve(response.statusCode!))
          .on("error", reject)
          .resume();
      },
    );
    sending.on("error", reject).end(JSON.stringify({ email, role: "member" }));
  });
}

/** Every change of the organisation waits for its event counter, so this makes one slow. */
function holdEventCounter(seconds: number): Promise<unknown> {
  return service.database.admin(
    "with held as materialized (select 1 from event_heads where organisation_id = $1 for update) select pg_sleep($2) from held",
    [organisation, seconds],
  );
}

async function waitingForLocks(): Promise<number> {
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return (await service.database.admin(waiting)).length;
}
