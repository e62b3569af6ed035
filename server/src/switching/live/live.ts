import type { Readable } from "node:stream";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Actor, SessionCaller, SwitchCaller } from "../../platform/http/access.ts";
import { idsIn } from "./live.ids.ts";
import type { LiveNumbers, LiveReport } from "./live.schema.ts";
import { insertLiveReport } from "./live.reports.store.ts";
import { listLive } from "./live.store.ts";
import { LiveStream } from "./live.stream.ts";
import { liveNumbersOf } from "./live.view.ts";
import { LiveWatch, type WatchNeeds } from "./live.watch.ts";

/** Those who watch numbers from this process. */
export interface Live {
  open(
    actor: Actor & { caller: SessionCaller },
    given: readonly string[],
    from: { lastEventId: string | undefined; hasPlace: boolean },
  ): Promise<Readable>;
  /** Ends every stream. New clients get the current state only. */
  drain(): void;
  close(): Promise<void>;
}

interface Needs {
  db: Database;
  clock: Clock;
}

/** Delay before a client above the limit of streams reconnects. */
const NO_PLACE_RETRY_MS = 10_000;

export function openLive(needs: WatchNeeds): Live {
  const watch = new LiveWatch(needs);
  let isDraining = false;
  return {
    async open(actor, given, { lastEventId, hasPlace }) {
      const ids = idsIn(given);
      const rows = await listLive(needs.db, actor, ids);
      const live = new LiveStream({ actor, ids, lastEventId }, (stream) => watch.remove(stream));
      if (hasPlace && !isDraining) {
        live.begin(rows, needs.clock.now());
        watch.add(live);
      } else {
        live.begin(rows, needs.clock.now(), hasPlace ? undefined : NO_PLACE_RETRY_MS);
        live.finish();
      }
      return live.stream;
    },
    drain() {
      isDraining = true;
      watch.endAll();
    },
    close: () => watch.close(),
  };
}

export async function readLive(app: Needs, actor: Actor, given: readonly string[]): Promise<LiveNumbers> {
  const ids = idsIn(given);
  const rows = await listLive(app.db, actor, ids);
  return liveNumbersOf(rows, { ids, role: actor.role, at: app.clock.now() });
}

/** Which numbers have calls now. Not taken when something before it is missing. */
export async function takeLiveReport(app: Needs, who: SwitchCaller, report: LiveReport): Promise<boolean> {
  return app.db.forSwitch(who, (tx) => insertLiveReport(tx, who, report, app.clock.now()));
}
