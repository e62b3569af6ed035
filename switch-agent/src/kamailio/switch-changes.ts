import { textOf } from "../agent-log.ts";
import type { ConnectionValue } from "../control-plane.ts";
import type { SwitchChange } from "../driver.ts";
import type { HeldItem } from "../held-item.ts";
import type { ConnectionSets } from "./connection-sets.ts";
import type { HeldRoutes } from "./held-routes.ts";
import type { HostAddresses } from "./host-addresses.ts";
import {
  connectionText,
  hostsIn,
  ownerOf,
  readConnectionText,
  routeRow,
  withoutBarred,
} from "./route-text.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { RowChange, SwitchRows } from "./switch-rows.ts";

interface Needs {
  rows: SwitchRows;
  memory: SwitchMemory;
  sets: ConnectionSets;
  hosts: HostAddresses;
  routes: HeldRoutes;
  isBarred(uri: string): boolean;
}

/** Row of a route. The error names the destination that the row omits. */
interface RouteUpdate {
  row: RowChange | undefined;
  rejection: string | null;
}

/** Pending rows of the current batch, which the file does not have yet. */
interface Soon {
  /** By a route's id. */
  keys: Map<string, string>;
  /** By number. */
  rows: Map<string, RowChange>;
}

/** Small enough to leave the event loop responsive. */
const LOADED_AT_ONCE = 1_000;
/** Customers read it. */
const BARRED = "Calls to the address in its SIP URI are not allowed.";

/** As Answer, with the names that have to be looked up before calls can go there. */
export type Answered = (change: SwitchChange, hosts: string[], error: string | null) => void;

/** Writes changes to the switch's file and then to its memory. The caller must serialise the calls. */
export class SwitchChanges {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async apply(changes: SwitchChange[], answer: Answered): Promise<void> {
    for (const run of runsOf(changes))
      if (run[0]!.kind === "route") await this.#applyRoutes(run, answer);
      else await this.#applyConnections(run, answer);
  }

  /** The next pieces are written to the file while the switch takes the ones before. */
  async load(items: HeldItem[]): Promise<void> {
    const changes = items.map((want) => ({ kind: want.kind, id: want.id, shard: want.shard, want }));
    const ignore = (): void => undefined;
    await this.apply(
      changes.filter(({ kind }) => kind === "connection"),
      ignore,
    );
    const routes = changes.filter(({ kind }) => kind === "route");
    let sending: Promise<void> = Promise.resolve();
    for (let from = 0; from < routes.length; from += LOADED_AT_ONCE) {
      const next = this.#applyRoutes(routes.slice(from, from + LOADED_AT_ONCE), ignore);
      await sending;
      sending = next;
    }
    await sending;
  }

  async #applyRoutes(changes: SwitchChange[], answer: Answered): Promise<void> {
    const updates: { change: SwitchChange; row: RowChange; rejection: string | null }[] = [];
    const idle: SwitchChange[] = [];
    const soon: Soon = { keys: new Map(), rows: new Map() };
    for (const change of changes) {
      try {
        const { row, rejection } = this.#updateOf(change, soon);
        if (!row) {
          idle.push(change);
          continue;
        }
        if (change.want) soon.keys.set(change.id, row.key);
        soon.rows.set(row.key, row);
        updates.push({ change, row, rejection });
      } catch (error) {
        answer(change, [], textOf(error));
      }
    }
    const finish = (from: number, to: number, error: unknown): void => {
      for (const { change, row, rejection } of updates.slice(from, to)) {
        if (error === null) this.#needs.routes.hasLeft(change.id);
        answer(
          change,
          change.want && row.text !== null ? hostsIn("rt", row.text) : [],
          error === null ? rejection : textOf(error),
        );
      }
    };
    try {
      this.#needs.routes.touch(updates.map(({ row }) => row));
      this.#needs.rows.write(updates.map(({ row }) => row));
    } catch (error) {
      return finish(0, updates.length, error);
    }
    for (const { change, row } of updates) if (!change.want) this.#needs.routes.leaves(change.id, row.key);
    this.#needs.hosts.want(updates.flatMap(({ row }) => (row.text === null ? [] : hostsIn("rt", row.text))));
    await this.#needs.memory.set(
      "rt",
      updates.map(({ row }) => row),
      finish,
    );
    for (const change of idle) answer(change, [], null);
  }

  /** A route to a barred address gets no destination, because its previous destination is outdated too. */
  #updateOf({ id, want }: SwitchChange, soon: Soon): RouteUpdate {
    if (!want) return { row: this.#removal(id, soon), rejection: null };
    const { key, text: wanted } = routeRow(want);
    const text = withoutBarred(wanted, this.#needs.isBarred);
    return { row: { table: "rt", key, text }, rejection: text === wanted ? null : BARRED };
  }

  /**
   * A number that another route takes in the same batch stays with that route. Sending its row again replaces
   * this one too.
   */
  #removal(id: string, soon: Soon): RowChange | undefined {
    const row = this.#needs.routes.removal(id, soon.keys.get(id));
    const last = row && soon.rows.get(row.key);
    return last && last.text !== null && ownerOf(last.text).id !== id ? last : row;
  }

  async #applyConnections(changes: SwitchChange[], answer: Answered): Promise<void> {
    const items = new Map<string, HeldItem | null>();
    for (const { id, want } of changes) items.set(id, want);
    const hostsOf = (change: SwitchChange) =>
      change.want ? hostsIn("cn", connectionText(change.want, "")) : [];
    let error: string | null = null;
    try {
      this.#needs.hosts.want(changes.flatMap(hostsOf));
      await this.#changeConnections(items);
    } catch (failure) {
      error = textOf(failure);
    }
    for (const change of changes) answer(change, error === null ? hostsOf(change) : [], error);
  }

  async #changeConnections(items: Map<string, HeldItem | null>): Promise<void> {
    let rows: RowChange[] = [];
    const values = new Map([...items].map(([id, item]) => [id, item && (item.value as ConnectionValue)]));
    await this.#needs.sets.change(values, {
      store: (sets) => {
        rows = [...items].map(([key, item]) => ({
          table: "cn",
          key,
          text: item && connectionText(item, sets.get(key) ?? ""),
        }));
        this.#needs.rows.write(rows);
      },
      tell: () => this.#needs.memory.set("cn", rows),
    });
  }

  /**
   * Deletes names that no row needs. Otherwise a client that keeps using new names would fill the switch's
   * memory.
   */
  async dropHosts(hosts: string[]): Promise<void> {
    if (hosts.length === 0) return;
    const rows = hosts.map((key) => ({ table: "host" as const, key, text: null }));
    this.#needs.rows.write(rows);
    this.#needs.hosts.forget(hosts);
    await this.#needs.memory.set("host", rows);
  }

  async setHost(host: string, text: string): Promise<void> {
    // No row uses the name now. If one does later, it gets a new look-up.
    if (!this.#needs.rows.isUsed(host)) return this.#needs.hosts.forget([host]);
    const row: RowChange = { table: "host", key: host, text: text === "" ? null : text };
    this.#needs.rows.write([row]);
    const users = this.#needs.rows.listUsers(host, "cn").flatMap((key): [string, HeldItem][] => {
      const stored = this.#needs.rows.find("cn", key);
      const read = stored === undefined ? undefined : readConnectionText({ key, text: stored });
      return read ? [[key, read.item]] : [];
    });
    await this.#needs.memory.set("host", [row]);
    if (users.length > 0) await this.#changeConnections(new Map(users));
  }
}

/** Neighbours of one kind together; the order stays. */
function runsOf(changes: SwitchChange[]): SwitchChange[][] {
  const runs: SwitchChange[][] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (last?.[0]!.kind === change.kind) last.push(change);
    else runs.push([change]);
  }
  return runs;
}
