import type { SwitchCaller } from "../../platform/http/access.ts";
import type { DesiredState } from "./feed.rules.ts";
import type { GroupView } from "./feed.store.ts";

/** Messages of the stream, one line each. Items come from the database as JSON and are only joined here. */
export const READY = line('{"type":"ready"}');
export const PING = line('{"type":"ping"}');

/** Features of this service beyond the first version of the protocol. Agents send nothing that is not listed. */
const FEATURES = ["tokens", "sockets", "switch_features", "hold"];

export function hello(
  { epoch, instance, lineage, isHeld }: GroupView,
  { switchId, name }: SwitchCaller,
  shards: readonly number[],
): Buffer {
  const self = { id: switchId, name };
  return line(
    JSON.stringify({
      type: "hello",
      epoch,
      ...(isHeld && { mode: "hold" }),
      instance,
      lineage,
      features: FEATURES,
      switch: self,
      shards,
    }),
  );
}

export function state(decided: DesiredState): Buffer {
  return line(JSON.stringify({ type: "state", state: decided }));
}

interface ShardMessage {
  shard: number;
  version: number;
  token: number;
  items: string | null;
}

export const snapshot = (message: ShardMessage): Buffer => shardLine("snapshot", message);
export const changes = (message: ShardMessage): Buffer => shardLine("changes", message);

function shardLine(type: "snapshot" | "changes", { shard, version, token, items }: ShardMessage): Buffer {
  return line(
    `{"type":"${type}","shard":${shard},"version":${version},"version_token":${token},"items":[${items ?? ""}]}`,
  );
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`);
}
