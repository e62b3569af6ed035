import type { Clock } from "../../platform/clock.ts";
import type { Database, Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";
import type { Log } from "../../platform/log.ts";
import { type AskedNumber, type LiveRow, listWatched } from "./live.store.ts";
import type { LiveStream } from "./live.stream.ts";

/** A session that lasts, and what its person is in an organisation. */
interface Standing {
  session_id: string;
  reauthenticated_at: Date;
  organisation_id: string;
  role: Role;
}

export interface WatchNeeds {
  db: Database;
  clock: Clock;
  log: Log;
  findStandings(tx: Tx, sessionIds: readonly string[], at: Date): Promise<Standing[]>;
}

/** How often it is looked; half of the time in which whoever has lost the right to look must be gone. */
const TURN_MS = 500;
/** A proxy closes a line on which nothing is said, usually after a minute. */
const BEAT_MS = 10_000;

/**
 * Looks once for everybody who watches, however many they are: at their numbers, and then at whether each of them is
 * still signed in and a member. Nothing is said to anybody of whom that was not found out in the same turn.
 */
export class LiveWatch {
  readonly #needs: WatchNeeds;
  readonly #streams = new Set<LiveStream>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #beatAtMs = 0;
  #isFailing = false;
  #isClosed = false;

  constructor(needs: WatchNeeds) {
    this.#needs = needs;
  }

  add(stream: LiveStream): void {
    this.#streams.add(stream);
    this.#runIn(TURN_MS);
  }

  remove(stream: LiveStream): void {
    this.#streams.delete(stream);
  }

  endAll(): void {
    for (const stream of this.#streams) stream.end();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.endAll();
    await this.#running;
  }

  #runIn(delayMs: number): void {
    if (this.#isClosed || this.#timer || this.#streams.size === 0) return;
    this.#timer = setTimeout(() => {
      const startedAtMs = performance.now();
      this.#running = this.#run().finally(() => {
        this.#timer = undefined;
        this.#runIn(Math.max(50, startedAtMs + TURN_MS - performance.now()));
      });
    }, delayMs);
  }

  async #run(): Promise<void> {
    try {
      await this.#turn([...this.#streams]);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#needs.log.warn({ err: error }, "live numbers could not be read; trying again");
      this.#isFailing = true;
    }
    if (performance.now() - this.#beatAtMs < BEAT_MS) return;
    this.#beatAtMs = performance.now();
    for (const stream of this.#streams) stream.beat();
  }

  async #turn(streams: readonly LiveStream[]): Promise<void> {
    const at = this.#needs.clock.now();
    const sessionIds = new Set(streams.map(({ watcher }) => watcher.actor.caller.id));
    const { db, findStandings } = this.#needs;
    const { rows, standings } = await db.forSystem("live", async (tx) => ({
      rows: await listWatched(tx, askedBy(streams)),
      standings: await findStandings(tx, [...sessionIds], at),
    }));
    const found = new Map(
      rows.map((row) => [keyOf(row.organisation_id, row.environment, row.number_id), row]),
    );
    for (const stream of streams) {
      const standing = standingOf(stream, standings);
      if (standing) stream.offer(rowsOf(stream, found), standing.role, at);
      else stream.end();
    }
  }
}

function askedBy(streams: readonly LiveStream[]): AskedNumber[] {
  const asked = streams.flatMap((stream) => stream.asked);
  return [...new Map(asked.map((one) => [keyOf(one.organisationId, one.environment, one.id), one])).values()];
}

function rowsOf({ asked }: LiveStream, found: ReadonlyMap<string, LiveRow>): LiveRow[] {
  return asked.flatMap(
    ({ organisationId, environment, id }) => found.get(keyOf(organisationId, environment, id)) ?? [],
  );
}

/** A password entered again replaces the token: whoever came with the one before comes again. */
function standingOf({ watcher }: LiveStream, standings: readonly Standing[]): Standing | undefined {
  const { caller, organisationId } = watcher.actor;
  return standings.find(
    (one) =>
      one.session_id === caller.id &&
      one.organisation_id === organisationId &&
      one.reauthenticated_at.getTime() === caller.reauthenticatedAt.getTime(),
  );
}

function keyOf(organisationId: string, environment: string, id: string): string {
  return `${organisationId} ${environment} ${id}`;
}
