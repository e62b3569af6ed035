import { type AgentLog, textOf } from "./agent-log.ts";
import { type AgentStore, openAgentStore, type StoredShard } from "./agent-store.ts";
import { addUnlistedShards, compareShards, recountSome } from "./switch-audit.ts";
import type { ControlPlane, FeedMessage } from "./control-plane.ts";
import type { SwitchDriver } from "./driver.ts";
import { Feed } from "./followed-feed.ts";
import { limitWaiting } from "./limited-driver.ts";
import { Programmer } from "./programmer.ts";
import { type AgentFacts, newFacts, Reporter } from "./reporter.ts";
import { loseMemory, newShardState, type ShardState, watermarkOf } from "./shard-state.ts";
import { DEFAULT_TIMING, jitteredMs, type Timing } from "./timing.ts";
import { enterEpoch, takeChanges, takeHeldChanges, takeSnapshot } from "./feed-handler.ts";

export interface AgentOptions {
  control: ControlPlane;
  driver: SwitchDriver;
  /** A file of this agent alone, or ":memory:" where the switch forgets together with it. */
  storePath: string;
  version?: string;
  log: AgentLog;
  timing?: Partial<Timing>;
  /** Called each time the line to the service is opened, with its epoch and lineage: if they changed, it may have lost call records. */
  onEpoch?(epoch: string, lineage?: string): void;
}

export interface Agent {
  stop(): Promise<void>;
}

const BUSY_MS = 20;

/** Brings one switch to the desired state, and reports the applied state to the service. */
export function startAgent(options: AgentOptions): Agent {
  return new RunningAgent(options);
}

class RunningAgent implements Agent {
  readonly #driver: SwitchDriver;
  readonly #timing: Timing;
  readonly #log: AgentLog;
  readonly #store: AgentStore;
  readonly #shards: Map<number, ShardState>;
  readonly #facts: AgentFacts;
  readonly #reporter: Reporter;
  readonly #programmer: Programmer;
  readonly #feed: Feed;
  readonly #onEpoch: AgentOptions["onEpoch"];
  /** To be compared with the switch, at the next opportunity and together. */
  readonly #uncompared = new Set<ShardState>();
  /** Reading the switch as a whole is done by one at a time. */
  #turn: Promise<void> = Promise.resolve();
  #hasStarted = false;
  #isStopped = false;
  #isSwitchSilent = false;
  #completeBoot: string | undefined;
  #pausedAtMs = 0;
  #audits = 0;
  #startTimer: NodeJS.Timeout;
  #heartbeatTimer: NodeJS.Timeout;
  #auditTimer: NodeJS.Timeout;

  constructor({ control, driver, storePath, version = "0.1.0", log, timing, onEpoch }: AgentOptions) {
    this.#timing = { ...DEFAULT_TIMING, ...timing };
    this.#onEpoch = onEpoch;
    this.#driver = limitWaiting(driver, this.#timing.failedAfterMs);
    this.#log = log;
    this.#store = openAgentStore(storePath, (item) => driver.hash(item));
    this.#shards = new Map(this.#store.listShards().map((one) => [one.shard, this.#restore(one)]));
    this.#facts = newFacts(this.#store.position().epoch);
    const parts = { driver: this.#driver, shards: this.#shards, timing: this.#timing, log };
    this.#reporter = new Reporter({ ...parts, control, facts: this.#facts, version });
    this.#programmer = new Programmer({
      ...parts,
      hasMemory: () => this.#hasMemory(),
      changed: this.#changed,
    });
    this.#feed = new Feed({
      ...parts,
      control,
      position: () => this.#store.position(),
      take: (message) => this.#take(message),
      malformed: () => this.#store.forgetFeatures(),
      retired: () => this.#driver.drain?.(true),
    });
    // The switch may be newer than a restored store, so the feed gets time to catch up.
    this.#startTimer = setTimeout(() => this.#start(), this.#timing.graceMs);
    this.#heartbeatTimer = setTimeout(() => void this.#beat(), jitteredMs(this.#timing.heartbeatMs));
    this.#auditTimer = setTimeout(() => void this.#audit(), jitteredMs(this.#timing.auditMs));
    this.#driver.watch?.(() => void this.#checkBoot());
    void this.#checkBoot();
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    for (const timer of [this.#startTimer, this.#heartbeatTimer, this.#auditTimer]) clearTimeout(timer);
    let isLate = false;
    const late = new Promise<void>((resolve) => {
      setTimeout(resolve, this.#timing.stopMs).unref();
    }).then(() => void (isLate = true));
    const done = this.#feed.stop().then(async () => {
      await this.#turn;
      while (!this.#programmer.isIdle() && !isLate) await new Promise((resolve) => setTimeout(resolve, 5));
      await this.#reporter.idle();
    });
    await Promise.race([done, late]);
    this.#programmer.stop();
    this.#reporter.stop();
    this.#store.close();
  }

  async #take(message: FeedMessage): Promise<void> {
    if (this.#isStopped) return;
    const needs = { ...this.#parts(), facts: this.#facts, compare: this.#compare };
    switch (message.type) {
      case "hello":
        await enterEpoch(needs, message);
        this.#onEpoch?.(message.epoch, message.lineage);
        this.#reporter.greeted(message.instance);
        break;
      case "state":
        this.#driver.drain?.(message.state === "draining");
        break;
      case "snapshot":
        if (!this.#facts.isHeld) takeSnapshot(needs, message);
        break;
      case "changes":
        if (this.#facts.isHeld) takeHeldChanges(needs, message);
        else takeChanges(needs, message);
        break;
      case "ready":
        this.#start();
        break;
      default: // a ping, or something of a later version
    }
    await this.#programmer.room();
    // Messages that came together must not keep the switch's answers waiting.
    if (performance.now() - this.#pausedAtMs < BUSY_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#pausedAtMs = performance.now();
  }

  /** Compares the whole switch with what is stored, once, when the feed has caught up or does not come. */
  #start(): void {
    clearTimeout(this.#startTimer);
    if (this.#hasStarted || this.#isStopped) return;
    this.#hasStarted = true;
    this.#compare([...this.#shards.values()].filter((state) => !state.isRead));
    void this.#inTurn(() => this.#compareUnlisted());
  }

  async #compareUnlisted(): Promise<void> {
    if (!this.#facts.listed) return;
    this.#compare(await addUnlistedShards(this.#parts(), this.#facts.listed));
  }

  readonly #changed = (state: ShardState, hasOtherExceptions: boolean): void =>
    this.#reporter.changed(state, hasOtherExceptions);

  readonly #compare = (states: ShardState[]): void => {
    for (const state of states) this.#uncompared.add(state);
    void this.#inTurn(async () => {
      const due = [...this.#uncompared].filter((state) => this.#isKnown(state));
      this.#uncompared.clear();
      if (due.length === 0) return;
      try {
        // A reading counts for the memory it was made of.
        if (this.#facts.boot === undefined && !(await this.#checkBoot()))
          throw new Error("The switch did not report its boot ID.");
        await compareShards(this.#parts(), due);
        await this.#markComplete();
      } catch (error) {
        for (const state of due) if (!state.isRead) this.#uncompared.add(state);
        throw error;
      }
    });
  };

  /** A shard without any received version is left alone: an empty store must not empty the switch. */
  #isKnown(state: ShardState): boolean {
    return state.version >= 0 || state.expected !== 0n || this.#facts.listed?.includes(state.shard) === false;
  }

  /** Everything there is was read back, so what is not there does not exist: said once for each start of the switch. */
  async #markComplete(): Promise<void> {
    const { listed, boot } = this.#facts;
    if (boot === undefined || boot === this.#completeBoot || !listed) return;
    const isRead = (shard: number): boolean => {
      const state = this.#shards.get(shard);
      return state !== undefined && state.version >= 0 && watermarkOf(state) >= 0;
    };
    if (!listed.every(isRead) || (await this.#driver.markComplete?.()) === false) return;
    this.#completeBoot = boot;
  }

  async #beat(): Promise<void> {
    this.#feed.dropIfSilent();
    if (await this.#checkBoot()) {
      await this.#reporter.readHealth();
      // An unreachable switch gets no heartbeat.
      this.#reporter.signOfLife();
      if (this.#hasStarted && this.#uncompared.size > 0) this.#compare([]);
      else void this.#inTurn(() => this.#markComplete());
    }
    if (!this.#isStopped)
      this.#heartbeatTimer = setTimeout(() => void this.#beat(), this.#timing.heartbeatMs);
  }

  async #audit(): Promise<void> {
    if (await this.#checkBoot())
      await this.#inTurn(async () => {
        await recountSome(this.#parts(), [...this.#shards.values()], this.#audits++);
        // Compares only now: items reloaded since then are not on the switch yet, which is not drift.
        const states = [...this.#shards.values()];
        const read = states.filter((state) => state.isRead);
        await compareShards(this.#parts(), read, this.#facts.boot);
        this.#reporter.reportAll();
        this.#compare(states.filter((state) => !state.isRead));
        await this.#compareUnlisted();
      });
    if (!this.#isStopped)
      this.#auditTimer = setTimeout(() => void this.#audit(), jitteredMs(this.#timing.auditMs));
  }

  /** Also false if the switch has restarted since the call began. */
  async #hasMemory(): Promise<boolean> {
    const { boot } = this.#facts;
    return (await this.#checkBoot()) && this.#facts.boot === boot;
  }

  /** A restarted switch has lost its memory. This is not drift: all items are sent again. */
  async #checkBoot(): Promise<boolean> {
    const boot = await this.#driver.boot().catch((error: unknown) => this.#complain(error));
    if (boot === undefined) return false;
    this.#facts.answeredAtMs = performance.now();
    if (this.#isStopped) return boot === this.#facts.boot;
    if (this.#isSwitchSilent) {
      this.#log.info({ boot }, "switch reachable");
      this.#reporter.retryNow();
    }
    this.#isSwitchSilent = false;
    const before = this.#facts.boot;
    if (boot === before) return true;
    this.#facts.boot = boot;
    this.#reporter.tellHealthAgain();
    this.#reporter.hasNewBoot();
    if (before !== undefined) this.#log.warn({ boot }, "switch restarted; programming it again");
    const states = [...this.#shards.values()];
    for (const state of states) loseMemory(state);
    this.#programmer.startOver();
    if (before !== undefined) this.#compare(states);
    return true;
  }

  #complain(error: unknown): undefined {
    if (!this.#isSwitchSilent && !this.#isStopped)
      this.#log.error({ error: textOf(error) }, "switch unreachable");
    this.#isSwitchSilent = true;
  }

  #restore({ shard, version, token }: StoredShard): ShardState {
    return { ...newShardState(shard, version, token), expected: this.#store.digestOf(shard) };
  }

  #parts() {
    return {
      driver: this.#driver,
      store: this.#store,
      shards: this.#shards,
      programmer: this.#programmer,
      log: this.#log,
      changed: this.#changed,
    };
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn
      .then(() => (this.#isStopped ? undefined : work()))
      .catch((error: unknown) => this.#complain(error));
    return this.#turn;
  }
}
