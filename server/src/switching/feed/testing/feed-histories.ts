import { systemAuthor } from "../../../events/audit/audit.ts";
import { declareRollback } from "../../epochs/epochs.ts";
import { type Feed, openFeed } from "../feed.ts";
import { createSwitchGroup, recordReport } from "../../switches/switches.ts";
import type { SwitchCaller } from "../../../platform/http/access.ts";
import { newId } from "../../../platform/ids.ts";
import { ApiError } from "../../../platform/api-error.ts";
import { type CommittedVersion, ModelAgent } from "./feed-model-agent.ts";
import { publish, shardsOf } from "../../../../testing/feed-stream.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { type Service, until } from "../../../../testing/service.ts";
import { makeSwitch } from "../../../../testing/walls/switch-callers.ts";

export interface HistoriesReport {
  rollbacks: number;
  accepted: number;
  diverged: number;
  /** Histories in which an agent believed, or was believed, what the service never committed. */
  faults: string[];
}

/** Every table that says something about the feed. They are copied, and put back past every trigger. */
const TABLES = [
  "feed_epoch",
  "feed_epochs",
  "feed_shards",
  "feed_items",
  "feed_confirmations",
  "applied_watermarks",
  "applied_exceptions",
  "switches",
];
const ITEMS = 4;
const STEPS = 14;
const WEIGHTS = {
  write: 6,
  save: 2,
  rollBack: 2,
  restartService: 1,
  connect: 4,
  disconnect: 1,
  report: 4,
  keepStore: 1,
  loseStore: 1,
};
type Step = keyof typeof WEIGHTS;
const BAG = Object.entries(WEIGHTS).flatMap(([step, weight]) =>
  Array.from({ length: weight }, () => step as Step),
);

/** Random histories of a service whose database is rolled back at random points, followed by an agent that trusts what it is sent. */
export async function runHistories(service: Service, seed: number, count: number): Promise<HistoriesReport> {
  const scene = await Scene.open(service);
  for (let at = seed; at < seed + count && scene.report.faults.length === 0; at += 1)
    await scene.run(randomFrom(at)).catch((error: unknown) => {
      scene.report.faults.push(`history ${at}: ${(error as Error).message}`);
    });
  await scene.close();
  return scene.report;
}

class Scene {
  readonly report: HistoriesReport = { rollbacks: 0, accepted: 0, diverged: 0, faults: [] };
  readonly #service: Service;
  readonly #who: SwitchCaller;
  readonly #organisationId: string;
  readonly #agent: ModelAgent;
  readonly #items: Map<number, string[]>;
  #truth: Map<number, CommittedVersion[]>;
  #saved: Map<number, CommittedVersion[]>;
  #feed: Feed;
  #generation = 0;

  static async open(service: Service): Promise<Scene> {
    const { app, database } = service;
    const group = await createSwitchGroup(app, systemAuthor("test"), { name: "model", shards: 2 });
    const { id, groupId } = await makeSwitch(service, { groupId: group.id });
    for (const table of TABLES)
      await database.admin(`create table saved_${table} as table ${table} with no data`);
    const who = { switchId: id, groupId, name: "model", credentialVersion: 1 };
    return new Scene(service, who, await service.organisation(), await shardsOf(service, groupId));
  }

  private constructor(service: Service, who: SwitchCaller, organisationId: string, shards: number[]) {
    this.#service = service;
    this.#who = who;
    this.#organisationId = organisationId;
    this.#agent = new ModelAgent(who);
    this.#items = new Map(shards.map((shard) => [shard, Array.from({ length: ITEMS }, () => newId())]));
    this.#truth = new Map(shards.map((shard) => [shard, []]));
    this.#saved = new Map(this.#truth);
    this.#feed = this.#newProcess();
  }

  async run(random: () => number): Promise<void> {
    const taken: Step[] = [];
    try {
      await this.#take("save", random);
      while (taken.length < STEPS) {
        const step = BAG[Math.floor(random() * BAG.length)]!;
        taken.push(step);
        await this.#take(step, random);
      }
      // In the end it follows, and holds exactly what the service has.
      await this.#agent.connect(this.#feed);
      await until(() => this.#agent.isReady() && this.#agent.holds(this.#truth), 10_000);
      await this.#reportAll();
      await until(() => this.#agent.holds(this.#truth), 10_000);
    } catch (error) {
      const reason = (error as Error).message;
      throw new Error(`${reason} after ${taken.join(", ")}; it has ${this.#agent.text()}`, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#agent.disconnect();
    await this.#feed.close();
  }

  async #take(step: Step, random: () => number): Promise<void> {
    switch (step) {
      case "write":
        return this.#write(random);
      case "save":
        return this.#save();
      case "rollBack":
        return this.#rollBack();
      case "restartService":
        await this.#feed.close();
        this.#feed = this.#newProcess();
        return undefined;
      case "connect":
        return this.#agent.connect(this.#feed);
      case "report":
        return this.#reportAll();
      default:
        return this.#agent[step]();
    }
  }

  async #write(random: () => number): Promise<void> {
    const { database } = this.#service;
    const [shard, items] = [...this.#items][Math.floor(random() * this.#items.size)]!;
    const id = items[Math.floor(random() * ITEMS)]!;
    const generation = ++this.#generation;
    const { version } = await publish(database, {
      organisationId: this.#organisationId,
      shard,
      id,
      generation,
    });
    const [row] = await database.admin<{ token: string }>("select token from feed_shards where id = $1", [
      shard,
    ]);
    const versions = this.#truth.get(shard)!;
    const now = new Map(versions.at(-1)?.items).set(id, generation);
    this.#truth.set(shard, [...versions, { version, token: Number(row!.token), items: now }]);
  }

  async #save(): Promise<void> {
    const copies = TABLES.map((one) => `delete from saved_${one}; insert into saved_${one} table ${one}`);
    await this.#service.database.admin(copies.join("; "));
    this.#saved = new Map(this.#truth);
  }

  async #rollBack(): Promise<void> {
    this.report.rollbacks += 1;
    const restored = TABLES.map((one) => `delete from ${one}; insert into ${one} table saved_${one};`);
    await this.#service.database.admin(
      `begin; set local session_replication_role = replica; ${restored.join(" ")} commit`,
    );
    this.#truth = new Map(this.#saved);
  }

  async #reportAll(): Promise<void> {
    const said = this.#agent.report();
    if (!said) return;
    try {
      await recordReport({ ...this.#service.app, feed: this.#feed }, this.#who, said);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "epoch_ended") throw error;
      this.report.diverged += 1;
      return;
    }
    this.report.accepted += 1;
    for (const { shard, position, version_token: token } of said.shards) {
      const isCommitted = this.#truth
        .get(shard)!
        .some((one) => one.version === position && one.token === token);
      if (position !== 0 && !isCommitted)
        throw new Error(
          `a report of version ${position} of shard ${shard} was taken, which was never committed`,
        );
    }
  }

  #newProcess(): Feed {
    const { app } = this.#service;
    return openFeed({
      ...app,
      pollMs: 5,
      catchUps: 2,
      declareRollback: (divergence) => declareRollback({ ...app, rollbackPolicy: "resync" }, divergence),
    });
  }
}
