import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

const SHARDS = 256;
const EPOCH = "generated";
const PING_MS = 5_000;

interface ShardReport {
  shard: number;
  version: number;
  exceptions: unknown[];
}

/** The service's side of the agent's protocol, for more routes than a test has time to order. */
export interface GeneratedFeed extends AsyncDisposable {
  url: string;
  /** Forgets what was reported. */
  startOver(): void;
  /** Whether every shard was reported since, as told and without exceptions, and the last report said so too. */
  isReadBack(): boolean;
}

export const numberAt = (place: number): string => `+49301${String(place).padStart(7, "0")}`;

export type RouteOf = (number: string, place: number) => object;

/** Routes of so many numbers. */
export async function startFeed(count: number, routeOf: RouteOf): Promise<GeneratedFeed> {
  const versions = new Map<number, number>();
  for (let place = 0; place < count; place += 1)
    versions.set(shardOf(place), (versions.get(shardOf(place)) ?? 0) + 1);
  const readBack = new Set<number>();
  let isComplete = false;
  const take = (shards: ShardReport[]): void => {
    for (const { shard, version, exceptions } of shards)
      if (version === (versions.get(shard) ?? 0) && exceptions.length === 0) readBack.add(shard);
      else readBack.delete(shard);
  };
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = (await json(request)) as Record<string, never>;
      if (request.url === "/switch/v1/streams")
        return stream(response, body["versions"] ?? {}, (shard) => itemsOf(shard, count, routeOf));
      if (request.url === "/switch/v1/reports") {
        take(body["shards"] ?? []);
        isComplete = body["is_complete"] ?? false;
        return void response.writeHead(204).end();
      }
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answerOf(request, body)));
    };
    answer().catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    startOver: () => {
      readBack.clear();
      isComplete = false;
    },
    isReadBack: () => isComplete && readBack.size === SHARDS,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function stream(
  response: ServerResponse,
  known: Record<number, number>,
  items: (shard: number) => object[],
): Promise<void> {
  const send = async (message: object): Promise<void> => {
    if (response.write(`${JSON.stringify(message)}\n`) || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off("drain", go).off("close", go);
        resolve();
      };
      response.on("drain", go).on("close", go);
    });
  };
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  await send({ type: "hello", epoch: EPOCH, switch: { id: "edge-1", name: "edge-1" }, shards });
  for (const shard of shards) {
    if (known[shard] !== undefined || response.destroyed) continue;
    const all = items(shard);
    await send({ type: "snapshot", shard, version: all.length, items: all });
  }
  await send({ type: "ready" });
  const ping = setInterval(() => response.write('{"type":"ping"}\n'), PING_MS);
  response.once("close", () => clearInterval(ping));
}

/** Call records and live counts are taken and forgotten. */
function answerOf({ url }: IncomingMessage, body: Record<string, never>): object {
  if (url === "/switch/v1/live") return { is_taken: true };
  if (url === "/switch/v1/forwarding") return { version: 0, is_complete: true, allowances: [] };
  const records = (body["records"] ?? []) as { id: string }[];
  return { epoch: EPOCH, acknowledged: records.map(({ id }) => id), rejected: [] };
}

/** Ids grow with the numbers and shards do not, as in the service. */
function itemsOf(shard: number, count: number, routeOf: RouteOf): object[] {
  const items: object[] = [];
  for (let place = 0; place < count; place += 1) {
    if (shardOf(place) !== shard) continue;
    const e164 = numberAt(place);
    const id = `0198c5f2-7c1e-7a33-9d3f-${place.toString(16).padStart(12, "0")}`;
    const value = { e164, ...routeOf(e164, place) };
    items.push({ kind: "route", id, version: items.length + 1, generation: 1, value });
  }
  return items;
}

/** Multiplied by Knuth's constant, neighbours are far apart. */
const shardOf = (place: number): number => Math.imul(place, 2_654_435_761) >>> 24;
