import { type AgentLog, textOf } from "./agent-log.ts";
import type { ForwardingDriver } from "./driver.ts";
import { type Allowance, dayOf, type ForwardingUse } from "./allowance.ts";
import type { ForwardingService } from "./forwarding-service.ts";
import { canonicalText } from "./held-item.ts";
import { backOffMs } from "./timing.ts";

export interface SyncTiming {
  everyMs: number;
  retryMinMs: number;
  retryMaxMs: number;
}

const USUAL: SyncTiming = { everyMs: 5_000, retryMinMs: 1_000, retryMaxMs: 30_000 };
/** Rounds without a pause: the service changes a part again when another switch confirms its own. */
const MOST_ROUNDS = 10;

export interface SyncOptions {
  driver: ForwardingDriver;
  service: ForwardingService;
  /** Use that call records prove, for a switch that lost its memory. */
  counted?(day: number): ForwardingUse[];
  log: AgentLog;
  timing?: Partial<SyncTiming>;
}

/**
 * Keeps the switch's part of forwarding limits as the service divides them, and reports its use. Without the service,
 * the switch keeps its part.
 */
export function startForwardingSync(options: SyncOptions): { stop(): Promise<void> } {
  return new RunningSync(options);
}

class RunningSync {
  readonly #options: SyncOptions;
  readonly #timing: SyncTiming;
  /** Use that the service has, by organisation. */
  readonly #reported = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  #isStopped = false;

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#timing = { ...USUAL, ...options.timing };
    this.#runIn(0);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #runIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#turn().then((nextMs) => this.#runIn(nextMs));
    }, delayMs);
    this.#timer.unref();
  }

  async #turn(): Promise<number> {
    const { everyMs, retryMinMs, retryMaxMs } = this.#timing;
    const { driver, log } = this.#options;
    try {
      if (!driver.features?.includes("forwarding")) return everyMs;
      await this.#restoreUse();
      for (let round = 0; round < MOST_ROUNDS && (await this.#sync()); round++);
      this.#failures = 0;
      return everyMs;
    } catch (error) {
      if (this.#failures++ === 0)
        log.warn({ error: textOf(error) }, "forwarding limits not synced; retrying");
      return backOffMs(this.#failures, retryMinMs, retryMaxMs);
    }
  }

  /** The switch counts alone. Records prove what it forgot when it restarted, and calls that it did not see end. */
  async #restoreUse(): Promise<void> {
    const { driver, counted } = this.#options;
    const use = counted?.(dayOf(Date.now())) ?? [];
    if (use.length > 0) await driver.raiseUsed(use);
  }

  /** Returns whether the service sent another part. */
  async #sync(): Promise<boolean> {
    const { driver, service } = this.#options;
    const desired = driver.listAllowances();
    const isHeld = await this.#holds(desired);
    const use = await driver.readUsed(
      dayOf(Date.now()),
      desired.map(({ organisationId }) => organisationId),
    );
    const changed = use.filter((one) => this.#reported.get(one.organisationId) !== canonicalText(one));
    const heldVersion = isHeld ? Math.max(0, ...desired.map(({ version }) => version)) : 0;
    const { isComplete, allowances } = await service.sync({ heldVersion, use: changed });
    for (const one of changed) this.#reported.set(one.organisationId, canonicalText(one));
    const next = isComplete ? allowances : merged(desired, allowances);
    if (isHeld && isSame(desired, next)) return false;
    await driver.setAllowances(next);
    return true;
  }

  /** Whether the switch itself says so. */
  async #holds(desired: Allowance[]): Promise<boolean> {
    if (desired.length === 0) return true;
    const held = await this.#options.driver.readAllowances(
      desired.map(({ organisationId }) => organisationId),
    );
    return desired.every((one, place) => canonicalText(one) === canonicalText(held[place]));
  }
}

function merged(before: Allowance[], news: Allowance[]): Allowance[] {
  const all = new Map(before.map((one) => [one.organisationId, one]));
  for (const one of news) all.set(one.organisationId, one);
  return [...all.values()];
}

function isSame(one: Allowance[], other: Allowance[]): boolean {
  const versions = new Map(one.map(({ organisationId, version }) => [organisationId, version]));
  return (
    one.length === other.length &&
    other.every(({ organisationId, version }) => versions.get(organisationId) === version)
  );
}
