import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { type AgentLog, textOf } from "./agent-log.ts";
import { listSavedStates, type SavedState } from "./saved-stores.ts";
import type { StateService, UploadedItem } from "./state-service.ts";

/** A part ends with whichever comes first. */
const MOST_ITEMS = 500;
const MOST_CHARACTERS = 1_000_000;

const EVERY_MS = 30_000;

export interface StateUploads {
  /** Announces saved states at once, because there may be a new one. */
  soon(): void;
  stop(): Promise<void>;
}

export interface UploadOptions {
  /** Path of the agent's store. Saved states are next to it. */
  storePath: string;
  service: StateService;
  log: AgentLog;
  everyMs?: number;
}

/**
 * Announces saved states to the service and uploads those that an operator requests. Independent of the feed,
 * because they are needed most while the feed is on hold.
 */
export function startStateUploads({
  storePath,
  service,
  log,
  everyMs = EVERY_MS,
}: UploadOptions): StateUploads {
  let isStopped = false;
  let hasAnnouncedNone = false;
  let failure: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const countItems = itemCounts();

  const run = async (): Promise<void> => {
    const saved = listSavedStates(storePath);
    if (saved.length === 0 && hasAnnouncedNone) return;
    const requested = await service.announce(
      saved.map((state) => ({
        epoch: state.epoch,
        saved_at: state.savedAt.toISOString(),
        items: countItems(state),
        ...(state.hold !== undefined && { hold: state.hold }),
      })),
    );
    hasAnnouncedNone = saved.length === 0;
    for (const epoch of requested) {
      const state = saved.find((one) => one.epoch === epoch);
      if (!state || isStopped) continue;
      await upload(service, state, () => isStopped);
      log.info({ epoch, items: countItems(state) }, "uploaded a saved state");
    }
  };
  const turn = async (): Promise<void> => {
    await run().then(
      () => (failure = undefined),
      (error: unknown) => {
        if (failure !== textOf(error))
          log.warn({ error: textOf(error) }, "saved states could not be announced or uploaded");
        failure = textOf(error);
      },
    );
    if (!isStopped) timer = setTimeout(again, everyMs);
  };
  let running = turn();
  const again = (): void => void (running = turn());
  return {
    soon() {
      if (isStopped) return;
      clearTimeout(timer);
      running = running.then(turn);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function upload(service: StateService, state: SavedState, isStopped: () => boolean): Promise<void> {
  using db = openState(state);
  let items: UploadedItem[] = [];
  let characters = 0;
  for (const row of db.prepare(`select ${columnsOf(db)} from items`).iterate()) {
    const { value, holder, ...rest } = row as unknown as ItemRow;
    if (items.length === MOST_ITEMS || (items.length > 0 && characters + value.length > MOST_CHARACTERS)) {
      if (isStopped()) throw new Error("The agent stopped during an upload.");
      await service.upload(state.epoch, { items, is_last: false });
      items = [];
      characters = 0;
    }
    items.push({ ...rest, ...(holder && { organisation_id: holder }), value: JSON.parse(value) as object });
    characters += value.length;
  }
  await service.upload(state.epoch, { items, is_last: true });
}

interface ItemRow extends Omit<UploadedItem, "value" | "organisation_id"> {
  value: string;
  holder?: string | null;
}

/** States that an earlier version saved have no holders. */
function columnsOf(db: DatabaseSync): string {
  const columns = db.prepare("select name from pragma_table_info('items')").all();
  const holder = columns.some(({ name }) => name === "holder") ? ", holder" : "";
  return `kind, id, shard, version, generation, value${holder}`;
}

/** Counting reads the whole file, which never changes under one name and time. */
function itemCounts(): (state: SavedState) => number {
  const known = new Map<string, number>();
  return (state) => {
    const key = `${state.path} ${state.savedAt.getTime()}`;
    const count = known.get(key) ?? readCount(state);
    known.set(key, count);
    return count;
  };
}

function readCount(state: SavedState): number {
  using db = openState(state);
  return (db.prepare("select count(*) as count from items").get() as { count: number }).count;
}

/** Nothing writes to a saved state, so that SQLite needs no lock and leaves no file next to it. */
function openState({ path }: SavedState): DatabaseSync {
  return new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
}
