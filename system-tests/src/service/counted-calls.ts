import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LoadCallee, type PlannedCall } from "../sip/load-callee.ts";
import { LoadCaller } from "../sip/load-caller.ts";
import { newAddress } from "../sip/loopback.ts";
import { startSwitch, type SwitchProcess } from "../sip/switch-process.ts";
import { until } from "../sip/until.ts";
import { type Customer, signUp } from "./customer.ts";
import { movedClock } from "./moved-clock.ts";
import type { Environment, Program } from "./program.ts";
import { type RunningService, startService } from "./running-service.ts";
import { type Talk, TalkTimes } from "./talk-times.ts";

export const NUMBER = "+4930901820";
const PATIENCE_MS = 120_000;
/** An hour after the greatest length of a call, see docs/decisions/0019. */
const CLOSED_AFTER_MS = (14_400 + 3_600 + 60) * 1000;

/** A record from the database: the API does not return Call-IDs. */
export interface CountedCall {
  id: string;
  callId: string;
  result: string;
  ending: string;
  called: string;
  isOfHolder: boolean;
}

/** One switch with everything behind it, one number, and callers and callees who remember each of their calls. */
export class CountedCalls implements AsyncDisposable {
  readonly service: RunningService;
  readonly kamailio: SwitchProcess;
  readonly caller: LoadCaller;
  readonly callee: LoadCallee;
  readonly customer: Customer;
  /** Talk times from the callers' view, by Call-ID. */
  readonly talks: ReadonlyMap<string, Talk>;
  readonly #credential: string;
  readonly #running: AsyncDisposableStack;
  #agent: Program;

  static async open(
    plan: (callId: string) => PlannedCall,
    switchSettings: Record<string, unknown> = {},
  ): Promise<CountedCalls> {
    await using running = new AsyncDisposableStack();
    // A caller asks for the plan of a call in the moment that it is answered.
    const caller: LoadCaller = running.use(
      await LoadCaller.open(newAddress(), (callId) => {
        times.answered(callId);
        return plan(callId);
      }),
    );
    const times = running.use(new TalkTimes(() => caller.calls));
    const callee = running.use(await LoadCallee.open(newAddress(), plan));
    const [service, kamailio] = await Promise.all([
      startService().then((one) => running.use(one)),
      startSwitch([caller.at.address], switchSettings).then((one) => running.use(one)),
    ]);
    const [told, customer] = await Promise.all([
      service.operator("create-switch", "edge-1"),
      signUp(service, NUMBER),
    ]);
    const credential = /svc_switch_\S+/.exec(told)![0];
    const own = { service, kamailio, caller, callee, customer, credential, talks: times.talks };
    const scene = new CountedCalls(own, running.move());
    await customer.routeTo(callee.contact);
    const isInSync = async (): Promise<boolean> => (await customer.routing()).status === "in_sync";
    await until("the switch to be in sync", isInSync, PATIENCE_MS);
    return scene;
  }

  private constructor(
    own: Pick<CountedCalls, "service" | "kamailio" | "caller" | "callee" | "customer" | "talks"> & {
      credential: string;
    },
    running: AsyncDisposableStack,
  ) {
    this.service = own.service;
    this.kamailio = own.kamailio;
    this.caller = own.caller;
    this.callee = own.callee;
    this.customer = own.customer;
    this.talks = own.talks;
    this.#credential = own.credential;
    this.#running = running;
    this.#agent = this.#startAgent();
    running.defer(() => this.#agent[Symbol.asyncDispose]());
  }

  /** Agent's log since its start. */
  agentLog(): string {
    return this.#agent.output();
  }

  assertAgentRuns(): void {
    this.#agent.assertRunning();
  }

  place(calls: number, perSecond: number): Promise<void> {
    return this.caller.place({ to: this.kamailio.at, numbers: [NUMBER], perSecond, calls });
  }

  /** Kills it and starts it again, as its unit does. */
  async restart(what: "switch" | "agent" | "server"): Promise<void> {
    if (what === "agent") return this.restartAgent();
    if (what === "switch") {
      await this.kamailio.kill();
      return this.kamailio.start();
    }
    await this.service.killServer();
    this.service.startServer();
  }

  async restartAgent(settings: Environment = {}): Promise<void> {
    await this.#agent.kill();
    this.#agent = this.#startAgent(settings);
  }

  /** With all it keeps on the disk of the switch's records, as the units have it. */
  #startAgent(settings: Environment = {}): Program {
    const { folder, dataFolder } = this.kamailio;
    const all = { STORE_PATH: join(dataFolder, "agent.sqlite"), ...settings };
    return this.service.startAgent(this.#credential, folder, all);
  }

  /** The switch's own row of the number. */
  async heldRow(): Promise<string> {
    const { item } = (await this.kamailio.rpc("htable.get", ["rt", NUMBER])) as { item: { value: string } };
    return item.value;
  }

  /** The path of the switch's settings with something else in them, for an agent that is started with it. */
  changedSettings(changed: Record<string, unknown>): string {
    const path = join(this.kamailio.folder, "changed.json");
    const settings = JSON.parse(readFileSync(join(this.kamailio.folder, "switch.json"), "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...settings, ...changed }));
    return path;
  }

  /** Waits until no response and no end of a call is pending. */
  async settled(): Promise<void> {
    const { caller, callee } = this;
    const isSettled = (): boolean => caller.isQuiet() && callee.isQuiet() && caller.up().length === 0;
    await until("the end of all calls", isSettled, PATIENCE_MS).catch((cause: unknown) => {
      const sides = {
        caller: caller.up(),
        callee: callee.up(),
        isQuiet: [caller.isQuiet(), callee.isQuiet()],
      };
      throw new Error(`calls do not end: ${JSON.stringify(sides)}`, { cause });
    });
  }

  /** Waits until each call has its record and no more come. Fails if an answered call has none. */
  async records(): Promise<CountedCall[]> {
    await this.restartAgent(movedClock(CLOSED_AFTER_MS));
    await this.service.ready();
    const answered = this.caller.answered();
    let before = -1;
    let missing: string[] = [];
    const all = until(
      "a record of each answered call",
      async () => {
        this.#agent.assertRunning();
        const records = await this.stored();
        const found = new Set(records.map(({ callId }) => callId));
        missing = answered.filter((callId) => !found.has(callId));
        const isWhole = missing.length === 0;
        if (isWhole && records.length === before) return records;
        before = records.length;
        // The agent uploads records every second.
        if (isWhole) await sleep(2_500);
        return undefined;
      },
      PATIENCE_MS,
    );
    return all.catch((cause: unknown) => {
      const last = this.agentLog().split("\n").slice(-20).join("\n");
      throw new Error(
        `${missing.length} of ${answered.length} answered calls have no record: ${missing.slice(0, 10).join(", ")}\n${last}`,
        { cause },
      );
    });
  }

  /** Active calls of the number, as the agent has reported them. */
  async liveCalls(): Promise<number> {
    const [row] = await this.service.query<{ calls: number }>(
      `select active_calls as calls from live_calls where holding_id = '${this.customer.numberId}'`,
    );
    return row?.calls ?? 0;
  }

  /** As the database has them now. */
  stored(): Promise<CountedCall[]> {
    return this.service.query<CountedCall>(`
      select replace(r.id::text, '-', '') as id, p.sip_call_id as "callId", r.result, r.ending, p.called,
        r.holding_id is not distinct from '${this.customer.numberId}' as "isOfHolder"
      from call_records r left join call_parties p using (switch_id, id, started_at)`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#running.disposeAsync();
  }
}

/** Short calls of different lengths, ended by either party. The same call always ends the same way. */
export function shortCalls(callId: string): PlannedCall {
  const [ring = 0, talk = 0, who = 0] = createHash("sha256").update(callId).digest();
  return { ringMs: 2 * ring, talkMs: 200 + 10 * talk, hangsUp: who % 2 === 0 ? "caller" : "callee" };
}
