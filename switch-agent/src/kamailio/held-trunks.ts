import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { textOf } from "../agent-log.ts";
import type { TrunkDriver, TrunkReading } from "../driver.ts";
import type { SentTrunkList, TrunkList } from "../trunk-list.ts";
import type { ConnectionSets } from "./connection-sets.ts";
import { gatewayLines, readGatewayLines, storeGatewayLines } from "./gateway-sets.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import type { SwitchRpc } from "./switch-rpc.ts";
import { addressFile, readAddresses } from "./trunk-addresses.ts";
import { loginsOf, openTrunkFile, type TrunkFile } from "./trunk-file.ts";
import { compareTrunks, isSameState, stateOf, type TrunkState } from "./trunk-readings.ts";
import { FORWARDING_KEYS, isGatewaySet, settableTrunks } from "./trunk-rows.ts";

/** Trunks of the switch's settings file, and what the agent needs to replace them. */
export interface TrunkPlace {
  own: TrunkList;
  runDir: string;
  hasTls: boolean;
}

interface Needs extends TrunkPlace {
  dataDir: string;
  rpc: SwitchRpc;
  memory: SwitchMemory;
  sets: ConnectionSets;
  features(): readonly string[];
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The service rejects longer ones. */
const MOST_ERROR_CHARACTERS = 500;

const EMPTY: TrunkList = { trunks: [], forwarding: null };

/** Trunks and gateways in the switch's tables of addresses, gateways and logins. */
export class HeldTrunks implements TrunkDriver {
  readonly #needs: Needs;
  readonly #file: TrunkFile;
  #saved: SentTrunkList | null;
  /** Why the last list could not be set. */
  #fault = "";

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#file = openTrunkFile(needs.dataDir);
    this.#saved = this.#file.saved();
  }

  get features(): readonly string[] {
    return this.#needs.features();
  }

  desiredTrunks(): TrunkList {
    return this.#saved ?? this.#needs.own;
  }

  async readTrunks(): Promise<TrunkReading> {
    const desired = this.desiredTrunks();
    const { list, faults } = settableTrunks(desired, this.#needs.hasTls);
    const expected = stateOf(list, this.#saved ? loginsOf(list, this.#saved.passwords) : this.#file.logins());
    const held = await this.#needs.inTurn(() => this.#readState());
    const { trunks, forwarding } = compareTrunks(desired, faults, { expected, held });
    const wantedOf = (name: string) => desired.trunks.find((one) => one.name === name) ?? null;
    const errorOf = (error: string, isAsWanted: boolean): string => error || (isAsWanted ? "" : this.#fault);
    return {
      report: {
        etag: this.#saved?.etag ?? null,
        trunks: trunks.map(({ name, found, error }) => ({
          name,
          found,
          error: errorOf(error, isDeepStrictEqual(found, wantedOf(name))),
        })),
        forwarding: {
          ...forwarding,
          error: errorOf(forwarding.error, isDeepStrictEqual(forwarding.found, desired.forwarding)),
        },
      },
      isAsDesired: isSameState(expected, held),
    };
  }

  async setTrunks(list: SentTrunkList): Promise<void> {
    this.#file.save(list);
    this.#saved = list;
    await this.repairTrunks();
  }

  /** The file's own list takes effect when the switch starts, and only then. */
  async repairTrunks(): Promise<void> {
    const saved = this.#saved;
    if (!saved) return;
    const { list } = settableTrunks(saved, this.#needs.hasTls);
    await this.#needs.inTurn(async () => {
      const expected = stateOf(list, loginsOf(list, saved.passwords));
      const held = await this.#readState();
      try {
        this.#file.setLogins([...expected.logins]);
        await this.#setGateways(list, expected, held);
        await this.#setAddresses(list, expected, held);
        this.#fault = "";
      } catch (error) {
        this.#fault = textOf(error).slice(0, MOST_ERROR_CHARACTERS);
        throw error;
      }
    });
  }

  close(): void {
    this.#file.close();
  }

  /**
   * A call that is being forwarded must find its gateway at any moment: gateways come before the list that names
   * them, and go after it.
   */
  async #setGateways(list: TrunkList, expected: TrunkState, held: TrunkState): Promise<void> {
    const { memory, sets, dataDir } = this.#needs;
    const changes = [...new Set([...held.rows.keys(), ...expected.rows.keys()])]
      .filter((key) => held.rows.get(key) !== expected.rows.get(key))
      .map((key) => ({ key, text: expected.rows.get(key) ?? null }));
    const isForwarding = ({ key }: { key: string }): boolean => FORWARDING_KEYS.includes(key);
    const lines = gatewayLines(list);
    const former = readGatewayLines(dataDir).filter(
      ({ set, uri }) => !lines.some((line) => line.set === set && line.uri === uri),
    );
    await memory.set(
      "trunk",
      changes.filter((one) => !isForwarding(one) && one.text !== null),
    );
    storeGatewayLines(dataDir, [...lines, ...former]);
    await sets.settle();
    await memory.set("trunk", changes.filter(isForwarding));
    await memory.set(
      "trunk",
      changes.filter((one) => !isForwarding(one) && one.text === null),
    );
    if (former.length === 0) return;
    storeGatewayLines(dataDir, lines);
    await sets.settle();
  }

  async #setAddresses(list: TrunkList, expected: TrunkState, held: TrunkState): Promise<void> {
    const part = ({ addresses }: TrunkState): TrunkState => ({ ...stateOf(EMPTY, []), addresses });
    if (isSameState(part(expected), part(held))) return;
    writeFileSync(join(this.#needs.runDir, "address.list"), addressFile(list.trunks), { mode: 0o600 });
    await this.#needs.rpc.call("permissions.addressReload");
    // It reports success even if its table is full.
    const addresses = await readAddresses(this.#needs.rpc);
    if (isSameState(part(expected), part({ ...held, addresses }))) return;
    throw new Error(`The switch holds ${addresses.length} of ${expected.addresses.length} addresses.`);
  }

  async #readState(): Promise<TrunkState> {
    const { rpc, sets } = this.#needs;
    const [addresses, rows, listed] = await Promise.all([
      readAddresses(rpc),
      rpc.call("htable.dump", ["trunk"]).then(rowsIn),
      sets.list(),
    ]);
    const pinged = [...listed]
      .filter(([set]) => isGatewaySet(set))
      .flatMap(([set, destinations]) => [...destinations.keys()].map((uri) => `${set} ${uri}`));
    return { addresses, rows, logins: this.#file.logins(), pinged };
  }
}

interface Slot {
  slot: { name: string; value: string | number }[];
}

/** An empty table is dumped as an object. */
function rowsIn(dump: unknown): Map<string, string> {
  if (!Array.isArray(dump)) return new Map();
  return new Map(
    (dump as Slot[]).flatMap(({ slot }) => slot.map(({ name, value }) => [name, String(value)] as const)),
  );
}
