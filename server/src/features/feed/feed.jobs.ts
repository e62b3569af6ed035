import type { App } from "../../app.ts";
import { forgetGone, listForgettableShards } from "./feed.store.ts";

/** An agent that was away for less reads on where it stopped; after more it starts over. */
const REMEMBERED_MS = 7 * 86_400_000;

export const sweepFeedJob = {
  name: "feed.sweep",
  every: "37 * * * *",
  async run(app: App): Promise<void> {
    await sweepFeed(app);
  },
};

/** What was taken away and is gone from every switch is forgotten, shard by shard. */
async function sweepFeed({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - REMEMBERED_MS);
  for (const shard of await listForgettableShards(db, before)) await forgetGone(db, shard, before);
}
