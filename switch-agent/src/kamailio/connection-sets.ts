import { isIP } from "node:net";
import type { ConnectionHealth, ConnectionValue, TargetHealth, TargetState } from "../control-plane.ts";
import type { AddressRules } from "./address-rules.ts";
import {
  type Destinations,
  type ListedSet,
  MAX_WEIGHT,
  setsIn,
  setsNamed,
  stateOf,
  targetOf,
  type Tiers,
  weightIn,
} from "./dispatcher-sets.ts";
import { readGatewayLines, storeConnectionLines } from "./gateway-sets.ts";
import type { HostAddresses } from "./host-addresses.ts";
import { readConnectionText, targetKey } from "./route-text.ts";
import type { SwitchRows } from "./switch-rows.ts";
import type { SwitchRpc } from "./switch-rpc.ts";
import { isGatewaySet } from "./trunk-rows.ts";

type Target = ConnectionValue["targets"][number];

interface Needs {
  rows: SwitchRows;
  rpc: SwitchRpc;
  /** Directory of the list that the dispatcher loads at the switch's next start. */
  dataDir: string;
  hosts: Pick<HostAddresses, "addressesOf" | "isTried">;
  rules: Pick<AddressRules, "isAllowed">;
}

/** Selection algorithm for ds_select_routes: 11 distributes by weight. */
const ALGORITHM = 11;
const PAGE = 1_000;

/**
 * The connections' targets as dispatcher sets, one for each priority. Sets change by adding and removing alone:
 * a reload would call every dead target alive. A set never lacks a target in between: what has to change its
 * weight gets a new set, which calls go to once it is whole.
 */
export class ConnectionSets {
  readonly #needs: Needs;
  readonly #wanted = new Map<string, Tiers>();
  readonly #targets = new Map<string, Target[]>();
  /** The customer's name of each destination, by set and URI. Call records show it. */
  readonly #names = new Map<string, string>();
  readonly #gatewayAttributes = new Map<string, string>();
  /** By URI, as found last. */
  #states = new Map<string, TargetState>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** As stored by an earlier run. */
  restore(): void {
    for (let after = "", isMore = true; isMore;) {
      const page = this.#needs.rows.page("cn", after, PAGE);
      for (const row of page) {
        const value = readConnectionText(row)?.item.value;
        if (value && "targets" in value) this.#want(row.key, value);
      }
      isMore = page.length === PAGE;
      after = page.at(-1)?.key ?? "";
    }
  }

  /**
   * Updates the sets of some connections to their values. `store` saves each text before the switch changes.
   * `tell` runs once all named destinations exist.
   */
  async change(
    values: Map<string, ConnectionValue | null>,
    { store, tell }: { store(sets: Map<string, string>): void; tell(): Promise<void> },
  ): Promise<void> {
    const former = new Map([...values.keys()].map((id) => [id, this.#wanted.get(id) ?? new Map()]));
    for (const [id, value] of values) this.#want(id, value);
    this.#writeList([...this.#wanted.values(), ...former.values()]);
    store(new Map([...values.keys()].map((id) => [id, this.textOf(id)])));
    const wanted = setsIn([...values.keys()].map((id) => this.#wanted.get(id) ?? new Map()));
    await this.#add(wanted, await this.list());
    await tell();
    const left = new Set([...setsIn(former.values()).keys(), ...wanted.keys()]);
    const listed = await this.list();
    for (const [set, destinations] of listed)
      if (left.has(set)) await this.#remove(set, destinations, wanted.get(set));
    this.#writeList([...this.#wanted.values()]);
  }

  /** Makes the dispatcher hold what is wanted, as after a start of the switch. Other sets may still have calls: see dropStrangers. */
  async settle(): Promise<void> {
    const wanted = setsIn([...this.#wanted.values(), this.#readGateways()]);
    const listed = await this.list();
    await this.#add(wanted, listed);
    for (const [set, destinations] of listed)
      if (wanted.has(set) || isGatewaySet(set)) await this.#remove(set, destinations, wanted.get(set));
    this.#writeList([...this.#wanted.values()]);
  }

  /**
   * Removes sets without a connection. `inUse` are the sets that rows in memory name: until they are updated,
   * calls still use the former set.
   */
  async dropStrangers(inUse: string[]): Promise<void> {
    const kept = new Set([...setsIn(this.#wanted.values()).keys(), ...inUse.flatMap(setsNamed)]);
    for (const [set, destinations] of await this.list())
      if (!kept.has(set) && !isGatewaySet(set)) await this.#remove(set, destinations, undefined);
  }

  /** As a connection's row names them. */
  textOf(id: string): string {
    const tiers = [...(this.#wanted.get(id) ?? [])].filter(([, destinations]) => destinations.size > 0);
    return tiers.map(([set]) => `${set}=${ALGORITHM}`).join(";");
  }

  /** The dispatcher's own answer. */
  async list(): Promise<Tiers> {
    const sets: Tiers = new Map();
    for (const set of await this.#listSets()) {
      const destinations: Destinations = new Map();
      for (const { DEST: one } of set.TARGETS ?? [])
        destinations.set(one.URI, weightIn(one.ATTRS?.BODY ?? ""));
      sets.set(set.ID, destinations);
    }
    return sets;
  }

  /** How the targets of each connection are, by the dispatcher's pings. */
  async health(): Promise<ConnectionHealth[]> {
    const states = new Map<string, TargetState>();
    for (const set of (await this.#listSets()).filter(({ ID: id }) => !isGatewaySet(id)))
      for (const { DEST: one } of set.TARGETS ?? [])
        states.set(one.URI, stateOf(one.FLAGS, this.#states.get(one.URI)));
    this.#states = states;
    return [...this.#targets].map(([id, targets]) => ({
      id,
      targets: targets.map((target) => this.#healthOf(target, states)),
    }));
  }

  /**
   * Targets that a connection's calls can use, by that list: its targets without missing ones, and extra
   * ones.
   */
  heldTargets(id: string, { targets }: ConnectionValue, sets: string, listed: Tiers): Target[] {
    const wanted = this.#wanted.get(id) ?? new Map<number, Destinations>();
    const named = new Set(setsNamed(sets));
    const extra: Target[] = [];
    const missing = new Set<string>();
    for (const [set, destinations] of wanted) {
      const held: Destinations = (named.has(set) && listed.get(set)) || new Map();
      for (const [uri, weight] of destinations) if (held.get(uri) !== weight) missing.add(uri);
      for (const [uri, weight] of held) if (!destinations.has(uri)) extra.push(targetOf(uri, weight));
    }
    const kept = targets.filter((target) => !this.#urisOf(target).some((uri) => missing.has(uri)));
    return [...kept, ...extra];
  }

  async #listSets(): Promise<ListedSet[]> {
    const answer = (await this.#needs.rpc.call("dispatcher.list").catch((error: unknown) => {
      // That is how it says that there are none.
      if (/No Destination Sets/i.test(String(error))) return {};
      throw error;
    })) as { RECORDS?: { SET: ListedSet }[] };
    return (answer.RECORDS ?? []).map(({ SET: set }) => set);
  }

  #healthOf(target: Target, states: Map<string, TargetState>): TargetHealth {
    const { host, port, transport } = target;
    const uris = this.#urisOf(target);
    const addresses = uris.map((uri) => ({
      address: uri.replace(/^sip:|;.*$/g, ""),
      state: states.get(uri) ?? "unknown",
    }));
    const has = (state: TargetState): boolean => addresses.some((one) => one.state === state);
    const isLookedUp = isIP(host) !== 0 || uris.length > 0 || this.#needs.hosts.isTried(targetKey(target));
    const state = has("up") ? "up" : has("unknown") || !isLookedUp ? "unknown" : "down";
    return { host, port, transport, state, addresses };
  }

  #want(id: string, value: ConnectionValue | null): void {
    if (value) {
      this.#wanted.set(id, this.#tiersOf(id, value));
      this.#targets.set(id, value.targets);
    } else {
      this.#wanted.delete(id);
      this.#targets.delete(id);
    }
  }

  #tiersOf(id: string, { targets }: ConnectionValue): Tiers {
    const { rows } = this.#needs;
    const former = this.#wanted.get(id);
    const tiers: Tiers = new Map();
    for (const priority of [...new Set(targets.map((target) => target.priority))].sort((a, b) => a - b)) {
      const destinations: Destinations = new Map();
      const names = new Map<string, string>();
      for (const target of targets.filter((one) => one.priority === priority)) {
        const uris = this.#urisOf(target);
        for (const uri of uris) names.set(uri, target.host);
        const weight = Math.max(1, Math.round(target.weight / uris.length));
        for (const uri of uris)
          destinations.set(uri, Math.min(MAX_WEIGHT, weight + (destinations.get(uri) ?? 0)));
      }
      const set = rows.setOf(id, priority);
      const before = former?.get(set);
      const isReweighted = [...destinations].some(([uri, weight]) => (before?.get(uri) ?? weight) !== weight);
      const used = isReweighted ? rows.renewSet(id, priority) : set;
      tiers.set(used, destinations);
      for (const [uri, name] of names) this.#names.set(`${used} ${uri}`, name);
    }
    return tiers;
  }

  /** None for an address that calls may not go to, as for a name that has none. */
  #urisOf(target: Target): string[] {
    const { host, port, transport } = target;
    if (isIP(host)) {
      const uri = `sip:${host.includes(":") ? `[${host}]` : host}:${port};transport=${transport}`;
      return this.#needs.rules.isAllowed(host, port) ? [uri] : [];
    }
    return this.#needs.hosts.addressesOf(targetKey(target)).map((place) => {
      const [address, by] = place.split(";");
      return `sip:${address};transport=${by}`;
    });
  }

  async #add(wanted: Tiers, listed: Tiers): Promise<void> {
    for (const [set, destinations] of wanted)
      for (const [uri, weight] of destinations) {
        const held = listed.get(set)?.get(uri);
        if (held === weight) continue;
        if (held !== undefined) await this.#needs.rpc.call("dispatcher.remove", [set, uri]);
        await this.#needs.rpc.call("dispatcher.add", [set, uri, 0, 0, this.#attributesOf(set, weight, uri)]);
      }
  }

  async #remove(set: number, listed: Destinations, wanted: Destinations | undefined): Promise<void> {
    for (const uri of listed.keys()) {
      if (wanted?.has(uri)) continue;
      await this.#needs.rpc.call("dispatcher.remove", [set, uri]);
      this.#names.delete(`${set} ${uri}`);
    }
  }

  /** Gateways of the switch's settings. */
  #readGateways(): Tiers {
    const tiers: Tiers = new Map();
    for (const { set, uri, attributes } of readGatewayLines(this.#needs.dataDir)) {
      tiers.set(set, (tiers.get(set) ?? new Map()).set(uri, weightIn(attributes)));
      this.#gatewayAttributes.set(`${set} ${uri}`, attributes);
    }
    return tiers;
  }

  #attributesOf(set: number, weight: number, uri: string): string {
    const ofGateway = this.#gatewayAttributes.get(`${set} ${uri}`);
    if (ofGateway !== undefined) return ofGateway;
    const name = this.#names.get(`${set} ${uri}`);
    return `rweight=${weight};duid=${set}-${uri.replace(/^sip:|;.*$/g, "")}${name ? `;host=${name}` : ""}`;
  }

  #writeList(all: Iterable<Tiers>): void {
    const lines: string[] = [];
    for (const [set, destinations] of setsIn(all))
      for (const [uri, weight] of destinations)
        lines.push(`${set} ${uri} 0 0 ${this.#attributesOf(set, weight, uri)}`);
    storeConnectionLines(this.#needs.dataDir, lines);
  }
}
