import { join } from "node:path";
import type { AgentLog } from "../agent-log.ts";
import type { Answer, SwitchChange, SwitchDriver } from "../driver.ts";
import type { HeldItem, ItemName } from "../held-item.ts";
import { readAddressRules } from "./address-rules.ts";
import { BarredAddresses } from "./barred-addresses.ts";
import { CallRejection } from "./call-rejection.ts";
import { ConnectionSets } from "./connection-sets.ts";
import { ControlLine } from "./control-line.ts";
import { HeldAllowances } from "./held-allowances.ts";
import { HeldConnections } from "./held-connections.ts";
import { HeldProbes } from "./held-probes.ts";
import { HeldRoutes } from "./held-routes.ts";
import { HeldTrunks, type TrunkPlace } from "./held-trunks.ts";
import { refillAll } from "./refill-all.ts";
import { HostAddresses, type NameTiming } from "./host-addresses.ts";
import { itemHash } from "./item-hash.ts";
import { sipResolver } from "./sip-names.ts";
import { RestartedError, SwitchMemory } from "./switch-memory.ts";
import { type Answered, SwitchChanges } from "./switch-changes.ts";
import { openSwitchRows, type SwitchRows } from "./switch-rows.ts";
import { SwitchRpc } from "./switch-rpc.ts";
import { UnusedHosts } from "./unused-hosts.ts";
import { WaitingChanges } from "./waiting-changes.ts";

export interface KamailioOptions {
  /** Directory of switch.sqlite and dispatcher.list, which the switch reads. */
  dataDir: string;
  controlPort: number;
  rpcPort: number;
  /** Addresses that calls may go to in addition to public ones, as in the service's EGRESS_ALLOW. */
  egressAllow?: string;
  sockets?: readonly string[];
  hasIpv6?: boolean;
  dnsServers?: string[] | undefined;
  nameTiming?: Partial<NameTiming>;
  trunks: TrunkPlace;
  log: AgentLog;
}

/** A Kamailio that runs kamailio/kamailio.cfg on this machine. Everything is in its file before it is in its memory. */
export function kamailioSwitch(options: KamailioOptions): KamailioSwitch {
  return new KamailioSwitch(options);
}

export class KamailioSwitch implements SwitchDriver {
  readonly sockets: readonly string[];
  readonly forwarding: HeldAllowances;
  readonly trunks: HeldTrunks;
  readonly probes: HeldProbes;
  readonly #log: AgentLog;
  readonly #rows: SwitchRows;
  readonly #line: ControlLine;
  readonly #rpc: SwitchRpc;
  readonly #memory: SwitchMemory;
  readonly #sets: ConnectionSets;
  readonly #hosts: HostAddresses;
  readonly #routes: HeldRoutes;
  readonly #connections: HeldConnections;
  readonly #changes: SwitchChanges;
  readonly #refusal: CallRejection;
  readonly #barred: BarredAddresses;
  /** File and memory change together, one change at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #waiting = new WaitingChanges();
  readonly #unusedHosts = new UnusedHosts();
  #boot: string | undefined;
  #restarted: (() => void) | undefined;
  /** The start of the switch after which memory got everything in the file; it is kept so since. */
  #filledBoot: string | undefined;
  /** The start of the switch since which memory was seen to be as the file. */
  #matchedBoot: string | undefined;

  constructor({ dataDir, controlPort, rpcPort, log, ...options }: KamailioOptions) {
    this.#log = log;
    const rows = openSwitchRows(join(dataDir, "switch.sqlite"));
    const rpc = new SwitchRpc(rpcPort);
    this.#line = new ControlLine(controlPort, (beat) => this.#beaten(beat?.boot));
    const memory = new SwitchMemory(this.#line, rpc);
    const { egressAllow = "", sockets = [], hasIpv6 = false, dnsServers, nameTiming } = options;
    this.sockets = sockets;
    const rules = readAddressRules(egressAllow, sockets);
    const barred = new BarredAddresses({ rules, rows, log });
    const needs = {
      resolve: sipResolver({ rules, hasIpv6, dnsServers }),
      log,
      changed: (host: string, text: string) => this.#inTurn(() => this.#changes.setHost(host, text)),
      isUsed: (host: string) => rows.isUsed(host),
    };
    this.#hosts = new HostAddresses(needs, nameTiming);
    this.#sets = new ConnectionSets({ rows, rpc, dataDir, hosts: this.#hosts, rules });
    this.#routes = new HeldRoutes({ rows, memory, log, isBarred: barred.isBarred });
    this.#connections = new HeldConnections({ rows, memory, sets: this.#sets, log });
    this.#changes = new SwitchChanges({
      rows,
      memory,
      sets: this.#sets,
      hosts: this.#hosts,
      routes: this.#routes,
      isBarred: barred.isBarred,
    });
    this.forwarding = new HeldAllowances({
      rows,
      memory,
      features: () => this.features,
      inTurn: (work) => this.#inTurn(work),
    });
    this.trunks = new HeldTrunks({
      ...options.trunks,
      dataDir,
      rpc,
      memory,
      sets: this.#sets,
      features: () => this.features,
      inTurn: (work) => this.#inTurn(work),
    });
    this.probes = new HeldProbes({ memory, rpcPort, sockets, features: () => this.features });
    this.#refusal = new CallRejection(memory);
    [this.#rows, this.#rpc, this.#memory, this.#barred] = [rows, rpc, memory, barred];
    barred.dropNames();
    for (const host of rows.listHosts()) this.#hosts.restore(host, rows.find("host", host));
    this.#sets.restore();
    if (rows.isMarked("draining")) this.#refusal.set("draining", true);
  }

  async boot(): Promise<string> {
    return (await this.#memory.beat()).boot;
  }

  get features(): readonly string[] {
    return this.#line.features;
  }

  watch(restarted: () => void): void {
    this.#restarted = restarted;
  }

  /** Batches changes that arrive during an update: one disk write and few frames. */
  async apply(changes: SwitchChange[], answer: Answer): Promise<void> {
    const late: Promise<unknown>[] = [];
    // Calls to a name that was never looked up would find nothing: that change is not done before.
    const whenResolved: Answered = (change, hosts, error) => {
      if (error !== null) this.#matchedBoot = undefined;
      const waiting = error === null ? this.#hosts.whenTried(hosts) : undefined;
      if (waiting) late.push(waiting.then(() => answer(change, null)));
      else answer(change, error);
    };
    const sent = this.#waiting.add(changes, whenResolved);
    void this.#inTurn(() => this.#waiting.send((batch, answered) => this.#changes.apply(batch, answered)));
    await sent;
    await Promise.all(late);
  }

  async load(listItems: () => HeldItem[]): Promise<void> {
    await this.#inTurn(() => this.#changes.load(listItems()));
  }

  async read(names: ItemName[]): Promise<(HeldItem | null)[]> {
    const idsOf = (kind: ItemName["kind"]) => names.flatMap((name) => (name.kind === kind ? [name.id] : []));
    const [routes, connections] = await Promise.all([
      this.#routes.read(idsOf("route")),
      this.#connections.read(idsOf("connection")),
    ]);
    return names.map(({ kind, id }) => (kind === "route" ? routes : connections).get(id) ?? null);
  }

  async digests(): Promise<Map<number, bigint>> {
    const { boot } = await this.#memory.beat();
    const routes = await this.#routes.digests((work) => this.#inTurn(work));
    const connections = await this.#inTurn(() => this.#connections.digests());
    await this.#settleHosts();
    const isMatched = routes.isAsFile && connections.isAsFile;
    if ((await this.#memory.beat()).boot === boot) this.#matchedBoot = isMatched ? boot : undefined;
    const digests = routes.digests;
    for (const [shard, digest] of connections.digests)
      digests.set(shard, BigInt.asUintN(64, digest + (digests.get(shard) ?? 0n)));
    return digests;
  }

  hash(item: HeldItem): bigint {
    return itemHash(item);
  }

  async readShard(shard: number): Promise<HeldItem[]> {
    return this.#inTurn(async () => {
      const { boot, isSynced } = await this.#memory.beat();
      const assertSame = async (): Promise<void> => {
        if ((await this.#memory.beat()).boot !== boot) throw new RestartedError();
      };
      // A switch that has just started has an empty memory and a good file.
      const routes = await this.#routes.readShard(shard, { isFollowing: isSynced, assertSame });
      return [...routes, ...(await this.#connections.readShard(shard))];
    });
  }

  health(): ReturnType<SwitchDriver["health"]> {
    return this.#sets.health();
  }

  async refill(): Promise<void> {
    await this.#barred.dropRoutes((work) => this.#inTurn(work));
    const { boot, isSynced } = await this.#memory.beat();
    if (isSynced || this.#filledBoot === boot) return;
    const startMs = performance.now();
    await this.#inTurn(() => this.#sets.settle());
    const isSame = (): boolean => this.#boot === undefined || this.#boot === boot;
    const count = await refillAll(this.#rows, this.#memory, (work) => this.#inTurn(work), isSame);
    this.#filledBoot = boot;
    const ms = Math.round(performance.now() - startMs);
    if (count > 0) this.#log.info({ rows: count, ms }, "memory of the switch restored");
  }

  async markComplete(): Promise<boolean> {
    if (!this.#rows.isMarked("complete")) this.#rows.mark("complete", true);
    const { boot, isSynced } = await this.#memory.beat();
    if (isSynced) return true;
    if (this.#matchedBoot !== boot) await this.digests();
    if (this.#matchedBoot !== boot) return false;
    await this.#memory.mark(boot, "complete", true);
    // Memory alone answers from now on.
    await this.#memory.mark(boot, "synced", true);
    return true;
  }

  /** Numbers that are routed by webhook. */
  listWebhookNumbers(): string[] {
    return this.#rows.listWebhookNumbers();
  }

  /** New calls get 503 until it is said otherwise; those that are up continue. */
  rejectCalls(isRefusing: boolean): void {
    this.#refusal.set("full", isRefusing);
  }

  drain(isDraining: boolean): void {
    this.#refusal.set("draining", isDraining);
    if (this.#rows.isMarked("draining") === isDraining) return;
    this.#rows.mark("draining", isDraining);
    this.#log.info({}, isDraining ? "draining: rejecting new calls" : "accepting new calls again");
  }

  /** Its processes open new files for the rows of calls. */
  async rotateRecords(): Promise<void> {
    await this.#rpc.call("flatstore.k_rotate");
  }

  async close(): Promise<void> {
    this.#hosts.close();
    this.#line.close();
    this.#rpc.close();
    this.probes.close();
    await this.#turn;
    this.#rows.close();
    this.trunks.close();
  }

  /** Addresses do not belong to items, so differences from the file are fixed here. */
  async #settleHosts(): Promise<void> {
    await this.#inTurn(async () => {
      const unused = this.#rows.listUnusedHosts();
      await this.#changes.dropHosts(this.#unusedHosts.listDue(unused, performance.now()));
    });
    const hosts = this.#rows.listHosts();
    const held = await this.#memory.get("host", hosts);
    const wrong = hosts.filter((host, place) => held[place] !== this.#rows.find("host", host));
    if (wrong.length === 0) return;
    await this.#inTurn(() =>
      this.#memory.set(
        "host",
        wrong.map((key) => ({ key, text: this.#rows.find("host", key) ?? null })),
      ),
    );
  }

  #beaten(boot: string | undefined): void {
    if (boot === undefined) return;
    void this.#refusal.settle(boot);
    if (boot === this.#boot) return;
    const isFirst = this.#boot === undefined;
    this.#boot = boot;
    if (!isFirst) this.#restarted?.();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
