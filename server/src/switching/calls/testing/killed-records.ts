import { createHash } from "node:crypto";
import { inject } from "vitest";
import type { App } from "../../../app.ts";
import { examine } from "../../../doctor.ts";
import { freePort } from "../../../platform/db/private-cluster.ts";
import { seedMembership, seedNumbers, seedOrganisation, seedPerson, seedSession } from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { callRecord, momentOf } from "../../../../testing/call-record.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { send } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { copyDatabase, type TestDatabase } from "../../../../testing/test-database.ts";
import { makeSwitch } from "../../../../testing/walls/switch-callers.ts";

const BATCH = 1_000;
const NUMBERS = 50;
const SENDERS = 4;
const DAYS = 60;
/** Shares of the records and of the batches that are sent again. */
const DOUBLED = 0.2;
const RESENT = 0.05;

export interface RecordsReport {
  records: number;
  kills: number;
  /** Batches that were answered, and all that were tried. */
  batches: number;
  requests: number;
  /** Numbers whose usage is not what was sent, and how. */
  wrong: string[];
  rows: number;
  broken: string[];
  seed: number;
}

/**
 * A switch uploads its records in any order and some twice, and retries without a response, while the API is killed.
 */
export async function recordWhileKilling(plan: {
  records: number;
  kills: number;
  seed?: number;
}): Promise<RecordsReport> {
  const seed = plan.seed ?? Math.floor(Math.random() * 2 ** 31);
  const random = randomFrom(seed);
  await using database = await copyDatabase(inject("clusterUrl"));
  const app = await openApp(testConfig(database.url));
  const organisationId = await seedOrganisation(app, "Counted");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const token = await seedSession(app, owner, "tool");
  const numbers = (await seedNumbers(app, organisationId, "live", NUMBERS)).map(({ id }) => id);
  const { credential } = await makeSwitch({ app, database });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let server = await startProcess({ databaseUrl: database.url, port });
  const calls = new Calls(numbers, seed);
  const queue = batchesOf(plan.records, random);
  const report: RecordsReport = {
    records: plan.records,
    kills: 0,
    batches: 0,
    requests: 0,
    wrong: [],
    rows: 0,
    broken: [],
    seed,
  };
  const total = queue.length;
  const sender = async (): Promise<void> => {
    for (let batch = queue.pop(); batch; batch = queue.pop()) {
      await handOver(report, url, credential, { records: batch.map((index) => calls.record(index)) });
      report.batches++;
    }
  };
  const killer = async (): Promise<void> => {
    while (report.kills < plan.kills && queue.length > 0) {
      const due = (total * (report.kills + 1)) / (plan.kills + 1);
      while (report.batches < due && queue.length > 0) await pause(5);
      await pause(random() * 200);
      await server.kill();
      report.kills++;
      server = await startProcess({ databaseUrl: database.url, port });
    }
  };
  await Promise.all([killer(), ...Array.from({ length: SENDERS }, sender)]);
  await compare(report, { calls, numbers, database, app, url, token });
  await server.kill();
  await app.close();
  return report;
}

/** Again until it is answered: a killed server answers nothing, one that starts 503. */
async function handOver(
  report: RecordsReport,
  url: string,
  credential: string,
  body: { records: unknown[] },
): Promise<void> {
  for (;;) {
    report.requests++;
    const options = { headers: { authorization: `Bearer ${credential}` }, body };
    const answer = await send(url, "POST", "/switch/v1/call-records", options).catch(() => undefined);
    if (answer?.status === 200 && answer.body.rejected.length === 0) return;
    if (answer && answer.status !== 503) throw new Error(`Unexpected ${answer.status}: ${answer.text}`);
    await pause(20);
  }
}

/** Every record once, a fifth of them twice, all out of order; and some batches again at the end. */
function batchesOf(records: number, random: () => number): number[][] {
  const order: number[] = [];
  for (let index = 0; index < records; index++) {
    order.push(index);
    if (random() < DOUBLED) order.push(Math.floor(random() * (index + 1)));
  }
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  const batches = Array.from({ length: Math.ceil(order.length / BATCH) }, (_, at) => [
    ...new Set(order.slice(at * BATCH, (at + 1) * BATCH)),
  ]);
  return [...batches.filter(() => random() < RESENT), ...batches];
}

/** Which call has which index, and what all of them come to. */
class Calls {
  readonly #numbers: string[];
  readonly #salt: string;
  readonly #from = Date.now() - (DAYS + 1) * 86_400_000;

  constructor(numbers: string[], seed: number) {
    this.#numbers = numbers;
    this.#salt = String(seed);
  }

  record(index: number): ReturnType<typeof callRecord> {
    const { number, startedAt, seconds } = this.#of(index);
    const id = createHash("md5").update(`${this.#salt} ${index}`).digest("hex");
    const times =
      seconds === undefined
        ? { answered_at: null, ended_at: momentOf(startedAt + 900), ending: "refused" as const, code: 486 }
        : { answered_at: momentOf(startedAt + 900), ended_at: momentOf(startedAt + 900 + seconds * 1000) };
    return callRecord({ id, number_id: number, started_at: momentOf(startedAt), ...times });
  }

  totals(records: number): Map<string, { calls: number; answered: number; talk_seconds: number }> {
    const totals = new Map(this.#numbers.map((id) => [id, { calls: 0, answered: 0, talk_seconds: 0 }]));
    for (let index = 0; index < records; index++) {
      const { number, seconds } = this.#of(index);
      const sum = totals.get(number)!;
      sum.calls++;
      if (seconds === undefined) continue;
      sum.answered++;
      sum.talk_seconds += seconds;
    }
    return totals;
  }

  #of(index: number): { number: string; startedAt: number; seconds: number | undefined } {
    return {
      number: this.#numbers[index % NUMBERS]!,
      startedAt: this.#from + ((index * 7_919_993) % (DAYS * 86_400_000)),
      seconds: index % 7 === 0 ? undefined : 1 + (index % 300),
    };
  }
}

interface Scene {
  calls: Calls;
  numbers: string[];
  database: TestDatabase;
  app: App;
  url: string;
  token: string;
}

async function compare(
  report: RecordsReport,
  { calls, numbers, database, app, url, token }: Scene,
): Promise<void> {
  const expected = calls.totals(report.records);
  const window = "from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z";
  for (const number of numbers) {
    const { body, text } = await send(url, "GET", `/v1/numbers/${number}/usage?${window}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    for (const [name, sum] of Object.entries(expected.get(number)!))
      if (body.totals?.[name] !== sum) report.wrong.push(`${number} ${name}: ${sum}, but ${text}`);
  }
  const [found] = await database.admin<{ rows: number }>("select count(*)::int as rows from call_records");
  report.rows = found!.rows;
  report.broken = (await examine(app.db)).filter(({ rows }) => rows.length > 0).map(({ says }) => says);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
