import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import type { App } from "../../../app.ts";
import { examine } from "../../../doctor.ts";
import { freePort } from "../../db/private-cluster.ts";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";

export interface KillReport {
  writes: number;
  kills: number;
  /** Requests sent for those writes, retries included. */
  requests: number;
  replays: number;
  /** Acknowledged writes of which there is no row. */
  lost: string[];
  /** Writes with more than one row, event or mail, or done without their key. */
  doubled: string[];
  broken: string[];
  seed: number;
}

/**
 * Keyed invitations by clients that simply repeat a request until it is answered, while the API is killed
 * with SIGKILL at random moments. The seed decides the moments.
 */
export async function writeWhileKilling(plan: {
  writes: number;
  kills: number;
  writers: number;
  seed?: number;
}): Promise<KillReport> {
  const seed = plan.seed ?? Math.floor(Math.random() * 2 ** 31);
  const random = randomFrom(seed);
  await using database = await copyDatabase(inject("clusterUrl"));
  const app = await openApp(testConfig(database.url));
  const organisationId = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const token = await seedSession(app, owner, "tool");

  const port = await freePort();
  let server = await startProcess({ databaseUrl: database.url, port });
  const report = emptyReport(seed);
  const acknowledged = new Map<string, string>();

  const writer = async (): Promise<void> => {
    while (report.writes < plan.writes) {
      report.writes++;
      const [key, email] = [randomUUID(), `${randomUUID()}@example.com`];
      const answer = await untilAnswered(report, () =>
        send(`http://127.0.0.1:${port}`, "POST", "/v1/invitations", {
          headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
          body: { email, role: "member" },
        }),
      );
      if (answer.status === 409) {
        // It was done, and is taken for another write now: the key did not commit with it.
        report.doubled.push(email);
        continue;
      }
      if (answer.status !== 201) throw new Error(`Unexpected ${answer.status}: ${answer.text}`);
      if (answer.headers["idempotency-replayed"]) report.replays++;
      acknowledged.set(email, answer.body.id);
    }
  };
  const killer = async (): Promise<void> => {
    while (report.writes < plan.writes && report.kills < plan.kills) {
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 400));
      await server.kill();
      report.kills++;
      server = await startProcess({ databaseUrl: database.url, port });
    }
  };
  await Promise.all([killer(), ...Array.from({ length: plan.writers }, writer)]);
  await server.kill();

  await compare(report, acknowledged, database, app);
  await app.close();
  return report;
}

function emptyReport(seed: number): KillReport {
  return { writes: 0, kills: 0, requests: 0, replays: 0, lost: [], doubled: [], broken: [], seed };
}

async function compare(
  report: KillReport,
  acknowledged: ReadonlyMap<string, string>,
  database: TestDatabase,
  app: App,
): Promise<void> {
  const rows = await database.admin<{ email: string; id: string; events: number; mails: number }>(
    `select i.email, i.id, (select count(*)::int from events e where e.subject = i.id::text) as events,
       (select count(*)::int from mails m where m.reference = i.id) as mails from invitations i`,
  );
  const found = new Map(rows.map((row) => [row.email, row]));
  report.lost = [...acknowledged]
    .filter(([email, id]) => found.get(email)?.id !== id)
    .map(([email]) => email);
  const uneven = rows
    .filter(({ email, events, mails }) => events !== 1 || mails !== 1 || !acknowledged.has(email))
    .map(({ email }) => email);
  report.doubled = [...new Set([...report.doubled, ...uneven])];
  report.broken = (await examine(app.db)).filter(({ rows: bad }) => bad.length > 0).map(({ says }) => says);
}

/** Dead sockets, a first try that still runs, 503 while the database sorts itself out: again. */
async function untilAnswered(report: KillReport, attempt: () => Promise<Sent>): Promise<Sent> {
  for (;;) {
    report.requests++;
    const answer = await attempt().catch(() => undefined);
    const isPassing = answer?.status === 503 || answer?.body?.code === "idempotency_in_progress";
    if (answer && !isPassing) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
