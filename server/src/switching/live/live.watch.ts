import type { Clock } from "../../platform/clock.ts";
import type { Database, Tx } from "../../platform/db/database.ts";
import type { Role } from "../../platform/http/access.ts";
import type { Log } from "../../platform/log.ts";
import { LiveCache } from "./live.cache.ts";
import type { AskedNumber } from "./live.store.ts";
import type { LiveStream } from "./live.stream.ts";

/** A session that has not ended, and its user's role in an organisation. */
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

/** Time between looks. A user who loses access must be cut off within twice this time. */
const TURN_MS = 500;
/** A proxy closes a line on which nothing is said, usually after a minute. */
const BEAT_MS = 10_000;

/**
 * Looks once for all streams of this process: at numbers that changed, and then at whether each stream's user is still
 * signed in and a member. A stream gets nothing unless that was confirmed in the same look.
 */
export class LiveWatch {
  readonly #needs: WatchNeeds;
  readonly #streams = new Set<LiveStream>();
  readonly #cache = new LiveCache();
  /** Streams that have the newest state of their numbers, and the role it was shown to. */
  readonly #current = new Map<LiveStream, Role>();
  #asked: Map<string, AskedNumber> | undefined;
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
    this.#asked = undefined;
    this.#runIn(TURN_MS);
  }

  remove(stream: LiveStream): void {
    this.#streams.delete(stream);
    this.#current.delete(stream);
    this.#asked = undefined;
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
      if (!this.#isFailing) this.#needs.log.warn({ err: error }, "live numbers not read; retrying");
      this.#isFailing = true;
      // The cache may be newer than what streams were offered.
      this.#current.clear();
    }
    if (performance.now() - this.#beatAtMs < BEAT_MS) return;
    this.#beatAtMs = performance.now();
    for (const stream of this.#streams) stream.beat();
  }

  async #turn(streams: readonly LiveStream[]): Promise<void> {
    const at = this.#needs.clock.now();
    const sessionIds = new Set(streams.map(({ watcher }) => watcher.actor.caller.id));
    const { db, findStandings } = this.#needs;
    this.#asked ??= askedBy(this.#streams);
    const asked = this.#asked;
    const { changed, standings } = await db.forSystem("live", async (tx) => ({
      changed: await this.#cache.refresh(tx, asked),
      standings: await findStandings(tx, [...sessionIds], at),
    }));
    for (const stream of streams) {
      const standing = standingOf(stream, standings);
      if (!standing) stream.end();
      else if (!this.#isCurrent(stream, standing.role, changed)) this.#offer(stream, standing.role, at);
    }
  }

  #isCurrent(stream: LiveStream, role: Role, changed: ReadonlySet<string>): boolean {
    return this.#current.get(stream) === role && !stream.keys.some((key) => changed.has(key));
  }

  /** A stream whose client reads slowly gets the newest state later. */
  #offer(stream: LiveStream, role: Role, at: Date): void {
    const rows = stream.keys.flatMap((key) => this.#cache.get(key) ?? []);
    if (stream.offer(rows, role, at)) this.#current.set(stream, role);
    else this.#current.delete(stream);
  }
}

function askedBy(streams: Iterable<LiveStream>): Map<string, AskedNumber> {
  const asked = new Map<string, AskedNumber>();
  for (const stream of streams)
    for (const [at, one] of stream.asked.entries()) asked.set(stream.keys[at]!, one);
  return asked;
}

/** Reauthentication replaces the token: a stream with the previous token must reconnect. */
function standingOf({ watcher }: LiveStream, standings: readonly Standing[]): Standing | undefined {
  const { caller, organisationId } = watcher.actor;
  return standings.find(
    (one) =>
      one.session_id === caller.id &&
      one.organisation_id === organisationId &&
      one.reauthenticated_at.getTime() === caller.reauthenticatedAt.getTime(),
  );
}
