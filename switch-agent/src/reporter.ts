import { type AgentLog, textOf } from "./agent-log.ts";
import type { ControlPlane, Report, ShardReport } from "./control-plane.ts";
import { isDenied, isMalformed } from "./control-plane-error.ts";
import type { SwitchDriver } from "./driver.ts";
import { HealthNews } from "./health-news.ts";
import { dropCovered, type ShardState, shardReportOf, watermarkOf } from "./shard-state.ts";
import { backOffMs, type Timing } from "./timing.ts";

/** Current state of the agent. */
export interface AgentFacts {
  epoch: string | null;
  /** Instance of the service's database. Undefined until the first hello of a service that sends it. */
  instance: string | undefined;
  /** Optional parts of the protocol that the service understands. */
  features: string[];
  /** The database is being restored: the agent keeps its state and reports nothing. */
  isHeld: boolean;
  /** Every shard there is; undefined until the service has said hello, and during a restore. */
  listed: number[] | undefined;
  boot: string | undefined;
  /** When the switch last answered. */
  answeredAtMs: number;
}

export function newFacts(epoch: string | null): AgentFacts {
  return {
    epoch,
    instance: undefined,
    features: [],
    isHeld: false,
    listed: undefined,
    boot: undefined,
    answeredAtMs: 0,
  };
}

/** The service takes 8 MiB; one shard, which stays whole, may need most of it. */
const MAX_EXCEPTION_BYTES = 1024 * 1024;

interface Needs {
  control: ControlPlane;
  driver: Pick<SwitchDriver, "health" | "sockets" | "features">;
  facts: AgentFacts;
  shards: Map<number, ShardState>;
  version: string;
  timing: Timing;
  log: AgentLog;
}

/**
 * Reports the state of each shard, not events, so the next report corrects a lost or late one. Only one
 * report is in progress at a time. Later changes go into the next.
 */
export class Reporter {
  readonly #needs: Needs;
  #due = new Set<ShardState>();
  readonly #health = new HealthNews();
  #isHealthUnread = false;
  #isSignDue = false;
  /** After a report that was not taken, the next has half as many shards: there may be one that never is. */
  #maxShards = Infinity;
  #sentAtMs = 0;
  #failures = 0;
  #running: Promise<void> | undefined;
  #wakeUp: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** `must`: even if the watermark is the one reported last. */
  changed(state: ShardState, must: boolean): void {
    if (must) state.mustReport = true;
    this.#due.add(state);
    this.#start();
  }

  reportAll(): void {
    for (const state of this.#needs.shards.values()) this.changed(state, true);
  }

  /** It goes with whatever is sent next; where it is news, at once. Unreadable, it is left out, and the service sees it grow old. */
  async readHealth(): Promise<void> {
    const { driver, log } = this.#needs;
    try {
      if (this.#health.take(await driver.health())) this.#start();
      this.#isHealthUnread = false;
    } catch (error) {
      if (!this.#isHealthUnread) log.warn({ error: textOf(error) }, "target health not read");
      this.#isHealthUnread = true;
    }
  }

  /** Sends a heartbeat if there was no recent report. */
  signOfLife(): void {
    if (performance.now() - this.#sentAtMs < this.#needs.timing.heartbeatMs / 2) return;
    this.#isSignDue = true;
    this.#start();
  }

  /** That the switch lost its memory is said at once, not when there is something to say of a shard. */
  hasNewBoot(): void {
    this.#isSignDue = true;
    this.retryNow();
  }

  /** The service has another memory, or the switch: what was said of targets is said again. */
  tellHealthAgain(): void {
    this.#health.startOver();
  }

  /** The line is back. Another instance of the database has to see everything again to know that nothing is lost. */
  greeted(instance: string | undefined): void {
    this.tellHealthAgain();
    if (instance !== this.#needs.facts.instance) this.reportAll();
    this.#needs.facts.instance = instance;
    this.retryNow();
  }

  /** The line is back: what waits for its next attempt goes now. */
  retryNow(): void {
    clearTimeout(this.#wakeUp);
    this.#wakeUp = undefined;
    this.#start();
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#wakeUp);
  }

  #start(): void {
    if (this.#running || this.#wakeUp || this.#isStopped) return;
    this.#running = this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    // Whatever else changes in this turn belongs in the same report.
    await Promise.resolve();
    for (;;) {
      for (const state of this.#due) dropCovered(state);
      const { facts, driver } = this.#needs;
      const { epoch, listed, boot } = facts;
      if (this.#isStopped || epoch === null || listed === undefined || boot === undefined) return;
      if (this.#isSwitchSilent()) return;
      const due = this.#takeDue();
      if (due.size === 0 && !this.#isSignDue && !this.#health.hasDue()) return;
      const health = this.#health.next();
      const report: Report = {
        epoch,
        boot,
        agent_version: this.#needs.version,
        is_complete: this.#isComplete(listed, due),
        shards: [...due.values()],
        ...(health && { health }),
        ...(driver.sockets && facts.features.includes("sockets") && { sockets: [...driver.sockets] }),
        ...(facts.features.includes("switch_features") && { features: [...(driver.features ?? [])] }),
      };
      if (!(await this.#send(report, due))) return;
    }
  }

  async #send(report: Report, due: Map<ShardState, ShardReport>): Promise<boolean> {
    this.#isSignDue = false;
    this.#sentAtMs = performance.now();
    try {
      await this.#report(report);
    } catch (error) {
      this.#maxShards = Math.floor(due.size / 2);
      // If even a single shard is rejected, the next attempt is a heartbeat only.
      this.#isSignDue = true;
      this.#retryLater(due.keys(), error);
      return false;
    }
    this.#maxShards = Infinity;
    if (due.size > 0) this.#failures = 0;
    // Versions of another epoch, and what a switch held before it restarted, say nothing about now.
    const { epoch, boot } = this.#needs.facts;
    if (report.epoch !== epoch || report.boot !== boot) return true;
    for (const [state, shard] of due) this.#committed(state, shard);
    this.#health.committed(report.health?.connections ?? []);
    return true;
  }

  /** During an upgrade, the report may reach a process of the previous version, which rejects what it does not know. */
  async #report(report: Report): Promise<void> {
    const { control } = this.#needs;
    try {
      await control.report(report);
    } catch (error) {
      const { sockets, features, ...plain } = report;
      const isPlain =
        !sockets && !features && report.shards.every((shard) => shard.version_token === undefined);
      if (!isMalformed(error) || isPlain) throw error;
      await control.report({
        ...plain,
        shards: report.shards.map(({ position: _position, version_token: _token, ...shard }) => shard),
      });
    }
  }

  /** Whatever is sent is a sign of life: a switch that is gone must not seem to be there for its failures. */
  #isSwitchSilent(): boolean {
    const { timing, facts } = this.#needs;
    const limitMs = Math.max(3 * timing.heartbeatMs, 2 * timing.failedAfterMs);
    return performance.now() - facts.answeredAtMs > limitMs;
  }

  /** As many as make a report that is not too long; the others go into the next. */
  #takeDue(): Map<ShardState, ShardReport> {
    const taken = new Map<ShardState, ShardReport>();
    let bytes = 0;
    for (const state of this.#due) {
      const watermark = watermarkOf(state);
      if (watermark >= 0 && (state.mustReport || watermark !== state.reportedVersion)) {
        const report = shardReportOf(state, this.#needs.facts.features.includes("tokens"));
        if (report.exceptions.length > 0) bytes += Buffer.byteLength(JSON.stringify(report.exceptions));
        if (taken.size >= this.#maxShards || (taken.size > 0 && bytes > MAX_EXCEPTION_BYTES)) break;
        taken.set(state, report);
        state.mustReport = false;
      }
      this.#due.delete(state);
    }
    return taken;
  }

  /** A drift that is on record may be forgotten once it is repaired. */
  #committed(state: ShardState, { version, exceptions }: ShardReport): void {
    state.reportedVersion = version;
    for (const { kind, id, state: reported, observed_at: observedAt } of exceptions) {
      const work = reported === "drifted" ? state.open.get(`${kind}/${id}`) : undefined;
      if (work?.drift?.observedAt !== observedAt) continue;
      work.drift.isReported = true;
      if (work.isConfirmed || work.state !== "pending") this.changed(state, true);
    }
  }

  #retryLater(states: Iterable<ShardState>, error: unknown): void {
    for (const state of states) {
      state.mustReport = true;
      this.#due.add(state);
    }
    const { timing, log } = this.#needs;
    const delayMs = isDenied(error)
      ? timing.deniedMs
      : backOffMs(this.#failures, timing.reconnectMinMs, timing.reconnectMaxMs);
    if (this.#failures++ === 0) log.warn({ error: textOf(error) }, "report rejected; retrying");
    if (!this.#isStopped) this.#wakeUp = setTimeout(() => this.retryNow(), delayMs);
  }

  /** Every shard was read back, and is in this report if the service does not know of it yet. */
  #isComplete(listed: number[], due: Map<ShardState, ShardReport>): boolean {
    return listed.every((shard) => {
      const state = this.#needs.shards.get(shard);
      return state !== undefined && watermarkOf(state) >= 0 && (state.reportedVersion >= 0 || due.has(state));
    });
  }
}
