import { type AgentLog, textOf } from "../agent-log.ts";
import type { ProbeDriver } from "../driver.ts";
import type { AccRow } from "../records/acc-row.ts";
import { backOffMs } from "../timing.ts";
import { ExpectedProbes, PROBE_TRUNK } from "./expected-probes.ts";
import type { ExpectedProbe, PlacedProbe, ProbeService, ProbeToPlace, SeenProbe } from "./probe-service.ts";

export interface ProbeTiming {
  everyMs: number;
  /** While a probe is in progress. */
  busyMs: number;
  retryMinMs: number;
  retryMaxMs: number;
}

const USUAL: ProbeTiming = { everyMs: 2_000, busyMs: 500, retryMinMs: 1_000, retryMaxMs: 30_000 };

export interface ProbeSyncOptions {
  driver: ProbeDriver;
  service: ProbeService;
  log: AgentLog;
  timing?: Partial<ProbeTiming>;
}

export interface ProbeSync {
  /** Whether the row of the switch belongs to a probe, which is not a call. */
  takeRow(row: AccRow): boolean;
  stop(): Promise<void>;
}

/**
 * Places probe calls and reports what the switch does with those that it receives. Results that were not reported when the
 * agent stops are lost: the service then ends the probe without a result.
 */
export function startProbeSync(options: ProbeSyncOptions): ProbeSync {
  return new RunningProbeSync(options);
}

class RunningProbeSync implements ProbeSync {
  readonly #options: ProbeSyncOptions;
  readonly #timing: ProbeTiming;
  readonly #expected = new ExpectedProbes((probe, row) => void this.#see(probe, row));
  #expecting: string[] = [];
  #placed: PlacedProbe[] = [];
  #seen: SeenProbe[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  #isStopped = false;

  constructor(options: ProbeSyncOptions) {
    this.#options = options;
    this.#timing = { ...USUAL, ...options.timing };
    this.#runIn(0);
  }

  takeRow(row: AccRow): boolean {
    return this.#expected.take(row);
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
    const { everyMs, busyMs, retryMinMs, retryMaxMs } = this.#timing;
    const { driver, log } = this.#options;
    try {
      if (!driver.features?.includes("probes")) return everyMs;
      await this.#sync();
      this.#failures = 0;
      return this.#expecting.length > 0 ? busyMs : everyMs;
    } catch (error) {
      if (this.#failures++ === 0) log.warn({ error: textOf(error) }, "probes not synced; retrying");
      return backOffMs(this.#failures, retryMinMs, retryMaxMs);
    }
  }

  async #sync(): Promise<void> {
    const { driver, service } = this.#options;
    const [placed, seen] = [[...this.#placed], [...this.#seen]];
    const tasks = await service.sync({ expecting: this.#expecting, placed, seen });
    this.#placed = this.#placed.filter((one) => !placed.includes(one));
    this.#seen = this.#seen.filter((one) => !seen.includes(one));
    this.#expected.expect(tasks.expect);
    await driver.expectProbes(tasks.expect);
    this.#expecting = tasks.expect.map(({ id }) => id);
    for (const probe of tasks.place) this.#place(probe);
  }

  #place(probe: ProbeToPlace): void {
    this.#options.driver.placeProbe(probe).then(
      (result) => this.#placed.push(result),
      (error: unknown) => {
        this.#options.log.warn({ error: textOf(error), probe: probe.id }, "probe call not placed");
        this.#placed.push({ probe_id: probe.id, code: null, has_rung: false, took_ms: 0 });
      },
    );
  }

  async #see(probe: ExpectedProbe, row: AccRow): Promise<void> {
    const { code, why, mode, generation, target, trunk, atUs, events } = row;
    const next = why === "probe" ? events.attempts.at(-1) : undefined;
    const reply = next && (await this.#options.driver.pingTarget({ ...next, target }).catch(() => undefined));
    this.#seen.push({
      probe_id: probe.id,
      at: new Date(atUs / 1000).toISOString(),
      trunk: trunk === PROBE_TRUNK ? null : trunk,
      code,
      reason: why,
      mode,
      generation,
      target,
      address: next?.address ?? null,
      transport: next?.transport ?? null,
      target_code: reply?.code ?? null,
      target_ms: reply?.tookMs ?? null,
    });
  }
}
