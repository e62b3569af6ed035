import type { SwitchCaller } from "../../platform/http/access.ts";
import type { ToldState } from "./feed.rules.ts";

/** Messages of the stream, one line each. Items come from the database as JSON and are only joined here. */
export const READY = line('{"type":"ready"}');
export const PING = line('{"type":"ping"}');

export function hello(epoch: string, { switchId, name }: SwitchCaller, shards: readonly number[]): Buffer {
  return line(JSON.stringify({ type: "hello", epoch, switch: { id: switchId, name }, shards }));
}

export function state(decided: ToldState): Buffer {
  return line(JSON.stringify({ type: "state", state: decided }));
}

export function snapshot(shard: number, version: number, items: string | null): Buffer {
  return line(`{"type":"snapshot","shard":${shard},"version":${version},"items":[${items ?? ""}]}`);
}

export function changes(shard: number, version: number, items: string | null): Buffer {
  return line(`{"type":"changes","shard":${shard},"version":${version},"items":[${items ?? ""}]}`);
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`);
}
