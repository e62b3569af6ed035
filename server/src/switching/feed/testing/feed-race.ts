import { setTimeout as pause } from "node:timers/promises";
import type { FeedMessage, Position } from "@dialplane/switch-agent";
import pg from "pg";
import { newId } from "../../../platform/ids.ts";
import { type FeedStream, openFeedStream, untilReady } from "../../../../testing/feed-stream.ts";
import { type Service, until } from "../../../../testing/service.ts";

export interface FeedRace {
  credential: string;
  organisationId: string;
  shards: readonly number[];
  writers: number;
  /** Committed ones; those rolled back come on top. */
  changes: number;
  readers: number;
}

export interface RaceReport {
  committed: number;
  /** Count of those that waited between taking their version and their commit. */
  delayed: number;
  /** How often readers were cut off and came back. */
  resumed: number;
  /** Changes that do not follow a reader's position: "shard 3: 17 after 15". */
  faults: string[];
  /** How many changes each reader has been given. */
  read: number[];
}

/** Shares of the transactions that wait between taking their version and their end, and that are rolled back. */
const PAUSING = 0.3;
const ROLLED_BACK = 0.1;

/** Many writers, each with separate transactions, and readers that are cut off at random and resume. */
export async function raceFeed(service: Service, race: FeedRace): Promise<RaceReport> {
  let left = race.changes;
  let delayed = 0;
  let hasEnded = false;
  const write = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: service.database.url });
    await client.connect();
    while (left > 0) {
      left--;
      const written = await writeOnce(client, race);
      if (!written.isCommitted) left++;
      else if (written.isDelayed) delayed++;
    }
    await client.end();
  };
  const readers = Array.from({ length: race.readers }, () => new RacingReader(service.url, race));
  const reading = readers.map((reader) => reader.run(() => hasEnded));
  await Promise.all(Array.from({ length: race.writers }, write));
  const heads = await service.database.admin<{ id: number; head: string }>(
    "select id, head from feed_shards where id = any ($1)",
    [race.shards],
  );
  hasEnded = true;
  await Promise.all(reading);
  for (const reader of readers) await reader.finish(heads.map(({ id, head }) => [id, Number(head)]));
  return {
    committed: heads.reduce((sum, { head }) => sum + Number(head), 0),
    delayed,
    resumed: readers.reduce((sum, { resumed }) => sum + resumed, 0),
    faults: readers.flatMap(({ faults }) => faults),
    read: readers.map(({ read }) => read),
  };
}

async function writeOnce(
  client: pg.Client,
  { shards, organisationId }: FeedRace,
): Promise<{ isCommitted: boolean; isDelayed: boolean }> {
  const isCommitted = Math.random() >= ROLLED_BACK;
  const isDelayed = Math.random() < PAUSING;
  await client.query("begin");
  await client.query("select publish_item($1, 'route', $2, $3, 'live', 1, $4, now())", [
    shards[Math.floor(Math.random() * shards.length)],
    newId(),
    organisationId,
    { e164: "+442079460000", mode: "unrouted" },
  ]);
  if (isDelayed) await pause(Math.random() * 30);
  await client.query(isCommitted ? "commit" : "rollback");
  return { isCommitted, isDelayed };
}

/** Reads for a while, is cut off, and resumes from what it had: like an agent, it trusts its position. */
class RacingReader {
  readonly #url: string;
  readonly #race: FeedRace;
  #position: Position & { tokens: Record<number, number> } = { epoch: null, versions: {}, tokens: {} };
  #taken = 0;
  read = 0;
  resumed = -1;
  readonly faults: string[] = [];

  constructor(url: string, race: FeedRace) {
    this.#url = url;
    this.#race = race;
  }

  async run(hasEnded: () => boolean): Promise<void> {
    while (!hasEnded()) {
      const stream = await this.#open();
      await pause(Math.random() * 300);
      await stream[Symbol.asyncDispose]();
      this.#take(stream);
    }
  }

  async finish(heads: readonly (readonly [number, number])[]): Promise<void> {
    await using stream = await this.#open();
    await untilReady(stream);
    await until(() => {
      this.#take(stream);
      return heads.every(([shard, head]) => this.#position.versions[shard] === head);
    });
  }

  async #open(): Promise<FeedStream> {
    this.resumed++;
    this.#taken = 0;
    return openFeedStream(this.#url, this.#race.credential, this.#position);
  }

  #take({ messages }: FeedStream): void {
    for (const message of messages.slice(this.#taken)) this.#takeOne(message);
    this.#taken = messages.length;
  }

  #takeOne(message: FeedMessage): void {
    if (message.type === "hello") this.#position.epoch = message.epoch;
    if (message.type === "snapshot") {
      if (this.#position.versions[message.shard] !== undefined)
        this.faults.push(`shard ${message.shard}: started over`);
      this.read += message.items.length;
      this.#position.versions[message.shard] = message.version;
      this.#position.tokens[message.shard] = message.version_token!;
    }
    if (message.type !== "changes") return;
    let last = this.#position.versions[message.shard]!;
    for (const { version } of message.items) {
      if (version !== last + 1) this.faults.push(`shard ${message.shard}: ${version} after ${last}`);
      last = version;
      this.read++;
    }
    if (last !== message.version)
      this.faults.push(`shard ${message.shard}: up to ${message.version}, but ${last} came last`);
    this.#position.versions[message.shard] = message.version;
    this.#position.tokens[message.shard] = message.version_token!;
  }
}
