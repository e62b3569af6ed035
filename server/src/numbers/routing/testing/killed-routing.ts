import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { App } from "../../../app.ts";
import { examine } from "../../../doctor.ts";
import { freePort } from "../../../platform/db/private-cluster.ts";
import {
  seedKey,
  seedMembership,
  seedNumbers,
  seedOrganisation,
  seedPerson,
  seedSwitch,
} from "../../../seed.ts";
import { openApp } from "../../../start.ts";
import { startWatchedAgent } from "./agent-process.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { ReadBacks } from "./read-backs.ts";
import { RoutingWatcher, type Sightings } from "./routing-watcher.ts";
import { send, type Sent } from "../../../../testing/send.ts";
import { startProcess } from "../../../../testing/server-process.ts";
import { testConfig } from "../../../../testing/test-config.ts";
import { copyDatabase } from "../../../../testing/test-database.ts";

export interface RoutingKillReport extends Sightings {
  seed: number;
  changes: number;
  kills: { api: number; agent: number };
  /** Kills while changes were in progress. */
  amidChanges: number;
  /** How many changes had begun at the last kill. */
  changesAtLastKill: number;
  /** Routes that the switch was seen to answer it holds, each generation once. */
  readBack: number;
  /** Numbers that did not come to what was last acknowledged in time. */
  behind: string[];
  /** From the last kill until every switch did what was last desired. */
  convergedMs: number;
  broken: string[];
}

interface Plan {
  changes: number;
  kills: number;
  numbers: number;
  writers: number;
  withinMs: number;
  seed?: number;
}

/** A victim has come back by the next kill, or not yet. */
const LONGEST_PEACE_MS = 1_000;
/** About as long as a change takes. */
const LONGEST_AIM_MS = 20;

/**
 * Clients change routing and repeat each request until they get a response. SIGKILL ends the API and the agent at
 * random moments, while a watcher reads the applied routes. The agent's switch is simulated: it loses its memory
 * whenever the agent is killed.
 */
export async function routeWhileKilling(plan: Plan): Promise<RoutingKillReport> {
  const seed = plan.seed ?? Math.floor(Math.random() * 2 ** 31);
  const directory = mkdtempSync(join(tmpdir(), "dialplane-killed-"));
  await using database = await copyDatabase(inject("clusterUrl"));
  const app = await openApp(testConfig(database.url));
  const { secret, numbers, credential } = await furnish(app, plan.numbers);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const agent = { url, credential, storePath: join(directory, "agent.sqlite") };
  const readBacksPath = join(directory, "read-backs.txt");
  const readBacks = new ReadBacks(readBacksPath);
  const wanted = new Map(numbers.map(({ id }): [string, string[]] => [id, []]));
  const kills = { api: 0, agent: 0 };
  const run: Run = {
    plan,
    seed,
    caller: { url, secret },
    wanted,
    readBacks,
    watcher: new RoutingWatcher({ url, secret, wanted, readBacks, memoryLosses: () => kills.agent }),
    progress: { begun: 0, underWay: 0, released: 0, kills, amidChanges: 0, lastKill: { atMs: 0, begun: 0 } },
    victims: {
      api: { start: () => startProcess({ databaseUrl: database.url, port }) },
      agent: { start: async () => startWatchedAgent(agent, readBacksPath) },
    },
  };
  const victims = Object.values(run.victims);
  let convergence: Convergence;
  try {
    for (const victim of victims) victim.running = await victim.start();
    convergence = await changeAndKill(run);
  } finally {
    for (const victim of victims) await victim.running?.kill();
  }
  const broken = (await examine(app.db)).filter(({ rows }) => rows.length > 0).map(({ says }) => says);
  await app.close();
  readBacks.close();
  rmSync(directory, { recursive: true, force: true });
  const { begun: changes, amidChanges, lastKill } = run.progress;
  return {
    seed,
    changes,
    kills,
    amidChanges,
    changesAtLastKill: lastKill.begun,
    readBack: readBacks.size,
    ...run.watcher.sightings,
    ...convergence,
    broken,
  };
}

interface Victim {
  start(): Promise<{ kill(): Promise<void> }>;
  running?: { kill(): Promise<void> };
}

interface Progress {
  /** Changes that have begun, are in progress, and may begin. */
  begun: number;
  underWay: number;
  released: number;
  kills: RoutingKillReport["kills"];
  amidChanges: number;
  lastKill: { atMs: number; begun: number };
}

interface Run {
  plan: Plan;
  seed: number;
  caller: Caller;
  wanted: Map<string, string[]>;
  readBacks: ReadBacks;
  watcher: RoutingWatcher;
  progress: Progress;
  victims: Record<"api" | "agent", Victim>;
}

type Convergence = Pick<RoutingKillReport, "behind" | "convergedMs">;

async function changeAndKill(run: Run): Promise<Convergence> {
  const { plan, seed, wanted, watcher } = run;
  const ids = [...wanted.keys()];
  let hasEnded = false;
  const watch = async (): Promise<void> => {
    const random = randomFrom(seed + 1);
    while (!hasEnded) if (!(await watcher.look(oneOf(ids, random)))) await pause(20);
  };
  const watching = watch();
  const writers = Array.from({ length: plan.writers }, (_, at) => {
    const mine = ids.filter((__, index) => index % plan.writers === at);
    return changeAgainAndAgain(run, mine, randomFrom(seed + 2 + at));
  });
  await Promise.all([killAgainAndAgain(run), ...writers]);
  const convergence = await converge(run);
  hasEnded = true;
  await watching;
  for (const id of ids) await watcher.look(id);
  return convergence;
}

/** One writer per number, so that the last acknowledged change is the last one there is. */
async function changeAgainAndAgain(run: Run, mine: readonly string[], random: () => number): Promise<void> {
  const { plan, progress } = run;
  while (progress.begun < plan.changes) {
    if (progress.begun >= progress.released) {
      await pause(2);
      continue;
    }
    progress.begun++;
    progress.underWay++;
    await change(run, oneOf(mine, random));
    progress.underWay--;
  }
}

/** Each kill has its share of the changes and comes somewhere among them: the rest continues without the victim. */
async function killAgainAndAgain({ plan, seed, progress, victims, readBacks }: Run): Promise<void> {
  const random = randomFrom(seed);
  const share = plan.changes / plan.kills;
  for (let nth = 0; nth < plan.kills; nth++) {
    await pause(random() * LONGEST_PEACE_MS);
    progress.released = Math.round((nth + 1) * share);
    const moment = Math.floor((nth + random()) * share);
    while (progress.begun <= moment) await pause(1);
    await pause(random() * LONGEST_AIM_MS);
    const name = random() < 0.5 ? "api" : "agent";
    progress.kills[name]++;
    if (progress.underWay > 0) progress.amidChanges++;
    progress.lastKill = { atMs: performance.now(), begun: progress.begun };
    await victims[name].running!.kill();
    if (name === "agent") readBacks.markLoss();
    victims[name].running = await victims[name].start();
  }
}

interface Caller {
  url: string;
  secret: string;
}

async function furnish(
  app: App,
  count: number,
): Promise<{ secret: string; credential: string; numbers: { id: string }[] }> {
  const organisationId = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const { secret } = await seedKey(app, owner, {
    organisationIds: [organisationId],
    environment: "live",
    scopes: ["full"],
    name: "Killed",
  });
  const numbers = await seedNumbers(app, organisationId, "live", count);
  const { credential } = await seedSwitch(app, "killed-1");
  return { secret, credential, numbers };
}

async function change({ caller, wanted }: Run, id: string): Promise<void> {
  const before = wanted.get(id)!;
  const sipUri = `sip:${before.length}@pbx.example.com`;
  // Known to the watcher before it can be applied; it counts as desired from this point.
  before.push(sipUri);
  const key = randomUUID();
  const answer = await untilAnswered(() =>
    send(caller.url, "PUT", `/v1/numbers/${id}/routing`, {
      headers: { authorization: `Bearer ${caller.secret}`, "idempotency-key": key },
      body: { mode: "sip_uri", sip_uri: sipUri },
    }),
  );
  if (answer.status !== 200) throw new Error(`Unexpected ${answer.status}: ${answer.text}`);
  if (answer.body.desired.generation !== before.length + 1)
    throw new Error(`Generation ${answer.body.desired.generation} for change ${before.length}.`);
}

/** In sync says the service; that the switch holds it, since it last lost its memory, says the switch. */
async function converge({ plan, caller, wanted, progress, readBacks }: Run): Promise<Convergence> {
  const headers = { authorization: `Bearer ${caller.secret}` };
  const elapsedMs = (): number => performance.now() - progress.lastKill.atMs;
  const isThere = async (id: string): Promise<boolean> => {
    const { body } = await send(caller.url, "GET", `/v1/numbers/${id}/routing`, { headers });
    const last = wanted.get(id)!;
    const [generation, sipUri] = [last.length + 1, last.at(-1)];
    return (
      body?.status === "in_sync" &&
      body.applied?.generation === generation &&
      body.applied.sip_uri === sipUri &&
      readBacks.hasSinceLoss({ id, generation, sipUri })
    );
  };
  let waiting = [...wanted.keys()];
  while (waiting.length > 0 && elapsedMs() < plan.withinMs) {
    const left: string[] = [];
    for (const id of waiting) if (!(await isThere(id))) left.push(id);
    waiting = left;
  }
  return { behind: waiting, convergedMs: Math.round(elapsedMs()) };
}

/** Repeats after dead sockets, a first try that still runs, 503 of the database, and requests that a busy machine sent too late. */
async function untilAnswered(attempt: () => Promise<Sent>): Promise<Sent> {
  for (;;) {
    const answer = await attempt().catch(() => undefined);
    const isLate = answer?.text.includes("did not arrive in time");
    if (answer && answer.status !== 503 && !isLate && answer.body?.code !== "idempotency_in_progress")
      return answer;
    await pause(20);
  }
}

function oneOf(some: readonly string[], random: () => number): string {
  return some[Math.floor(random() * some.length)]!;
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
