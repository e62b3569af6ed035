import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { FeedItem, FeedMessage, Position } from "@dialplane/switch-agent";
import { newId } from "../src/platform/ids.ts";
import { bearer, type Service, until } from "./service.ts";
import type { TestDatabase } from "./test-database.ts";

/** A stream as an agent opens it, with everything that has come so far. */
export interface FeedStream extends AsyncDisposable {
  messages: FeedMessage[];
  /** Position of a reader that has stored everything. */
  position(): Position;
  /** Every item that came, in order. */
  items(): FeedItem[];
  isEnded(): boolean;
  pause(): void;
  resume(): void;
}

export async function openFeedStream(
  url: string,
  credential: string,
  from: Position = { epoch: null, versions: {} },
): Promise<FeedStream> {
  const body = JSON.stringify(from);
  const asked = request(new URL("/switch/v1/streams", url), {
    method: "POST",
    agent: false,
    headers: {
      ...bearer(credential),
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    },
  });
  asked.end(body);
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`The stream was answered with ${answer.statusCode}.`);
  const messages: FeedMessage[] = [];
  const position = {
    epoch: null as string | null,
    versions: { ...from.versions },
    tokens: { ...from.tokens },
  };
  let isEnded = false;
  let rest = "";
  answer.setEncoding("utf8");
  answer.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) take(JSON.parse(line) as FeedMessage);
  });
  answer.on("error", () => {});
  answer.on("close", () => (isEnded = true));

  function take(message: FeedMessage): void {
    messages.push(message);
    if (message.type === "hello") position.epoch = message.epoch;
    if ("version" in message) {
      position.versions[message.shard] = message.version;
      position.tokens[message.shard] = message.version_token!;
    }
  }
  return {
    messages,
    position: () => structuredClone(position),
    items: () => messages.flatMap((message) => ("items" in message ? message.items : [])),
    isEnded: () => isEnded,
    pause: () => answer.pause(),
    resume: () => answer.resume(),
    async [Symbol.asyncDispose]() {
      asked.destroy();
      await until(() => isEnded);
    },
  };
}

export async function untilReady(stream: FeedStream): Promise<void> {
  await until(() => stream.messages.some(({ type }) => type === "ready"));
}

export interface Published {
  organisationId: string;
  shard: number;
  id?: string;
  generation?: number;
  value?: object | null;
}

/** The next version of a shard, as a change of routing makes it; says which. */
export async function publish(
  { admin }: Pick<TestDatabase, "admin">,
  { organisationId, shard, id = newId(), generation = 1, value }: Published,
): Promise<{ id: string; version: number }> {
  const told = value === undefined ? { e164: "+442079460000", mode: "unrouted" } : value;
  const [row] = await admin<{ version: string }>(
    "select publish_item($1, 'route', $2, $3, 'live', $4, $5, now()) as version",
    [shard, id, organisationId, generation, told],
  );
  return { id, version: Number(row!.version) };
}

/** The first shards of a group. */
export async function shardsOf({ database }: Pick<Service, "database">, groupId: string): Promise<number[]> {
  const rows = await database.admin<{ id: number }>(
    "select id from feed_shards where group_id = $1 order by id",
    [groupId],
  );
  return rows.map(({ id }) => id);
}
