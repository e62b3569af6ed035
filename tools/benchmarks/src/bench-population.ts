import type { Config } from "@dialplane/server/config";
import { seedKey, seedMembership, seedOrganisation, seedPerson, seedSession } from "@dialplane/server/seed";
import { openApp, type RunningServer } from "@dialplane/server/start";
import { psql } from "./psql.ts";

type App = RunningServer["app"];

export interface BenchPopulation {
  organisations: number;
  sessions: string[];
  key: string;
  /** Of some sessions, as PostgreSQL writes bytes in text. */
  hashes: string[];
}

const PEOPLE_PER_ORGANISATION = 4;
const AT_ONCE = 16;

/** One session each for many people, who belong to one, two or three of the organisations. */
export async function populate(
  config: Config,
  people: number,
  signal: AbortSignal,
): Promise<BenchPopulation> {
  const app = await openApp(config);
  try {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
    const organisations = await mapInBatches(
      numbers(Math.ceil(people / PEOPLE_PER_ORGANISATION)),
      signal,
      (at) => seedOrganisation(app, `Organisation ${at}`),
    );
    const sessions = await mapInBatches(numbers(people), signal, (at) =>
      seedSignedIn(app, at, organisations),
    );
    const key = await seedBenchKey(app, organisations[0]!);
    return {
      organisations: organisations.length,
      sessions,
      key,
      hashes: await chainPeople(config.database.ownerUrl),
    };
  } finally {
    await app.close();
  }
}

async function seedSignedIn(app: App, at: number, organisations: readonly string[]): Promise<string> {
  const person = await seedPerson(app, { name: `Person ${at}`, email: `person-${at}@example.com` });
  const wanted = Array.from(
    { length: 1 + (at % 3) },
    (_, step) => organisations[(at + step) % organisations.length]!,
  );
  for (const organisationId of new Set(wanted))
    await seedMembership(app, organisationId, person.userId, "member");
  return seedSession(app, person, "tool");
}

async function seedBenchKey(app: App, organisationId: string): Promise<string> {
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const key = await seedKey(app, owner, {
    organisationIds: [organisationId],
    environment: "live",
    scopes: ["full"],
    name: "Benchmark",
  });
  return key.secret;
}

/**
 * Names each user after the hash of another user's session. All sessions form one ring in an order unrelated
 * to the physical order, and pgbench-leg.ts follows it.
 * Sessions count as seen in an hour. Otherwise each of them would be updated after 5 minutes.
 */
async function chainPeople(databaseUrl: string): Promise<string[]> {
  const said = await psql(databaseUrl, [
    `update users u set name = '\\x' || encode(ring.next_hash, 'hex')
     from (select user_id, coalesce(lead(token_hash) over places, first_value(token_hash) over places) as next_hash
           from sessions window places as (order by md5(user_id::text))) ring
     where ring.user_id = u.id`,
    "update sessions set last_seen_at = now() + interval '1 hour'",
    "vacuum analyze",
    "checkpoint",
    "select '\\x' || encode(token_hash, 'hex') from sessions order by md5(token_hash::text) limit 64",
  ]);
  return said.trim().split("\n");
}

async function mapInBatches<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    signal.throwIfAborted();
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
