import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAgentStore } from "./agent-store.ts";
import type { AnnouncedState, StateService, UploadedItem } from "./state-service.ts";
import { startStateUploads } from "./state-uploads.ts";

let folder: string;
let storePath: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dialplane-uploads-"));
  storePath = join(folder, "agent.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

const log = { info: () => {}, warn: () => {}, error: () => {} };

/** Records announcements and uploads, and requests states. */
class RecordedService implements StateService {
  announced: AnnouncedState[] | undefined;
  requested: string[] = [];
  parts: { epoch: string; items: UploadedItem[]; is_last: boolean }[] = [];
  emptyAnnouncements = 0;
  failuresLeft = 0;

  async announce(states: AnnouncedState[]): Promise<string[]> {
    if (states.length === 0) this.emptyAnnouncements++;
    this.announced = states;
    return this.requested;
  }

  async upload(epoch: string, part: { items: UploadedItem[]; is_last: boolean }): Promise<void> {
    if (this.failuresLeft-- > 0) throw new Error("The service does not respond.");
    this.parts.push({ epoch, ...part });
    if (part.is_last) this.requested = this.requested.filter((one) => one !== epoch);
  }
}

async function saveStates(routes: number): Promise<void> {
  const store = openAgentStore(storePath);
  store.enterEpoch("old", [0]);
  const items = Array.from({ length: routes }, (_, at) => ({
    kind: "route" as const,
    id: `route-${at}`,
    version: at + 1,
    generation: 1,
    value: { e164: `+4930${at}`, mode: "unrouted" as const },
  }));
  store.replaceShard({ shard: 0, version: routes, token: 7 }, items);
  await store.saveState();
  store.enterEpoch("new", [0]);
  store.close();
}

test("announces what was saved, and uploads it completely and in parts when it is requested", async () => {
  await saveStates(1_201);
  const service = new RecordedService();
  const uploads = startStateUploads({ storePath, service, log, everyMs: 5 });
  await expect.poll(() => service.announced).toMatchObject([{ epoch: "old", items: 1_201 }]);
  expect(service.parts).toEqual([]);

  service.requested = ["old"];
  await expect.poll(() => service.parts.at(-1)?.is_last).toBe(true);
  await uploads.stop();
  expect(service.parts.map(({ items, is_last: isLast }) => [items.length, isLast])).toEqual([
    [500, false],
    [500, false],
    [201, true],
  ]);
  const items = service.parts.flatMap((part) => part.items);
  expect(new Set(items.map(({ id }) => id)).size).toBe(1_201);
  expect(items.find(({ id }) => id === "route-7")).toEqual({
    kind: "route",
    id: "route-7",
    shard: 0,
    version: 8,
    generation: 1,
    value: { e164: "+49307", mode: "unrouted" },
  });
  // Reading leaves nothing next to the saved state.
  expect(readdirSync(folder).filter((name) => name.includes("epoch-"))).toEqual(["agent.sqlite.epoch-old"]);
});

test("begins again from the start after a failed part", async () => {
  await saveStates(700);
  const service = new RecordedService();
  service.requested = ["old"];
  service.failuresLeft = 1;
  const uploads = startStateUploads({ storePath, service, log, everyMs: 5 });
  await expect.poll(() => service.parts.at(-1)?.is_last).toBe(true);
  await uploads.stop();
  expect(service.parts.map(({ items }) => items.length)).toEqual([500, 200]);
});

test("an agent without saved states says so once", async () => {
  openAgentStore(storePath).close();
  const service = new RecordedService();
  const uploads = startStateUploads({ storePath, service, log, everyMs: 5 });
  await expect.poll(() => service.announced).toEqual([]);
  await saveStates(1);
  await expect.poll(() => service.announced).toMatchObject([{ epoch: "old" }]);
  await uploads.stop();
  // Several turns passed while the state was saved.
  expect(service.emptyAnnouncements).toBe(1);
});
