import type { Position } from "@dialplane/switch-agent";
import type { Database } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { standingOf, type VersionToken } from "./feed.rules.ts";
import { type GroupView, isKnownEpoch, readTokens } from "./feed.store.ts";

/** A position of an agent that is not part of this database's history. */
export interface OtherHistory {
  evidence: Record<string, unknown>;
}

/** The version from which each shard is sent. Shards that are left out are sent as a whole. */
export async function startingPoints(
  db: Database,
  { switchId, name }: SwitchCaller,
  { epoch, shards }: GroupView,
  position: Position,
): Promise<Map<number, VersionToken> | OtherHistory> {
  const startingAt = new Map<number, VersionToken>();
  // Without tokens it proves nothing; a store that another switch filled says nothing about this one.
  if (!position.tokens || (position.switch_id ?? switchId) !== switchId) return startingAt;
  if (position.epoch !== null && position.epoch !== epoch && !(await isKnownEpoch(db, position.epoch)))
    return { evidence: { switch: name, epoch: position.epoch } };
  const asked: (VersionToken & { shard: number })[] = [];
  for (const shard of shards) {
    const standing = standingOf(position, epoch, shard);
    if (standing.kind === "diverged")
      return { evidence: { switch: name, ...presented(position, shard.id), head: shard.head } };
    if (standing.kind === "at") startingAt.set(shard.id, standing);
    if (standing.kind === "ask") asked.push({ ...standing, shard: shard.id });
  }
  if (asked.length === 0) return startingAt;
  const known = await readTokens(db, asked);
  for (const { shard, version, token } of asked) {
    const found = known.get(shard) ?? undefined;
    if (found === undefined) continue;
    if (found !== token) return { evidence: { switch: name, ...presented(position, shard), found } };
    startingAt.set(shard, { version, token });
  }
  return startingAt;
}

function presented({ versions, tokens }: Position, shard: number): Record<string, unknown> {
  return { shard, version: versions[shard], token: tokens?.[shard] };
}
