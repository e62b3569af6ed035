import type { App } from "../../app.ts";
import { forgetGone, listForgettableShards, listUnconfirmedShards, pruneSuperseded } from "./feed.store.ts";

type Needs = Pick<App, "db" | "clock">;

/** An agent that was disconnected for less continues from its position. After more it loads everything again. */
const REMEMBERED_MS = 7 * 86_400_000;

/** An agent that is catching up may be at a version that is younger. */
const CATCHING_UP_MS = 600_000;
const MOST_PRUNED = 5_000;

export const sweepFeedJob = {
  name: "feed.sweep",
  every: "7-57/10 * * * *",
  async run(app: App): Promise<void> {
    await sweepGone(app);
    await sweepSuperseded(app);
  },
};

/** Forgets what was deleted and is gone from every switch, shard by shard. */
async function sweepGone({ db, clock }: Needs): Promise<void> {
  const before = new Date(clock.now().getTime() - REMEMBERED_MS);
  for (const shard of await listForgettableShards(db, before)) await forgetGone(db, shard, before);
}

/** While a switch confirms nothing, only the versions that are needed stay. */
async function sweepSuperseded({ db, clock }: Needs): Promise<void> {
  const before = new Date(clock.now().getTime() - CATCHING_UP_MS);
  for (const shard of await listUnconfirmedShards(db))
    while ((await pruneSuperseded(db, shard, before, MOST_PRUNED)) === MOST_PRUNED);
}
