import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import { listSavedStates } from "./saved-stores.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "dialplane-saved-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const route = (id: string, version: number) => ({
  kind: "route" as const,
  id,
  version,
  generation: version,
  value: { e164: "+442079460000", mode: "unrouted" as const },
});

test("keeps everything that was stored under the last three epochs, each under its own", async () => {
  const path = join(folder, "agent.sqlite");
  const store = openAgentStore(path);
  for (const [place, epoch] of ["one", "two", "three", "four", "five"].entries()) {
    await store.saveState();
    for (const { path: saved, epoch: of } of listSavedStates(path))
      utimesSync(saved, 0, ["one", "two", "three", "four"].indexOf(of));
    store.enterEpoch(epoch, [0]);
    store.replaceShard({ shard: 0, version: place + 1, token: 70 + place }, [
      route(`of ${epoch}`, place + 1),
    ]);
  }
  store.close();

  const saved = listSavedStates(path);
  expect(saved.map(({ epoch }) => epoch)).toEqual(["four", "three", "two"]);
  const four = openAgentStore(saved[0]!.path);
  expect(four.position()).toMatchObject({ epoch: "four", versions: { 0: 4 } });
  expect(four.listItems(0)).toMatchObject([{ id: "of four", version: 4 }]);
  four.close();
  expect(readdirSync(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
});

test("a state that was saved when a restore began is kept as it was, also when its epoch ends later", async () => {
  const path = join(folder, "agent.sqlite");
  const store = openAgentStore(path);
  store.enterEpoch("one", [0]);
  store.replaceShard({ shard: 0, version: 1, token: 70 }, [route("before", 1)]);
  await store.saveState("restore");
  store.changeShard({ shard: 0, version: 1, token: 70 }, [route("during", 2)]);
  await store.saveState("restore");
  await store.saveState();
  store.close();

  const saved = listSavedStates(path);
  expect(saved).toMatchObject([{ epoch: "one", hold: "restore" }]);
  const first = openAgentStore(saved[0]!.path);
  expect(first.listItems(0).map(({ id }) => id)).toEqual(["before"]);
  first.close();
});
