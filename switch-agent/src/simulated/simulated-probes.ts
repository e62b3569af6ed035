import { hash } from "node:crypto";
import type { ProbeDriver, ProbeTarget } from "../driver.ts";
import type { HeldItem, ItemName } from "../held-item.ts";
import { PROBE_TRUNK } from "../probes/expected-probes.ts";
import type { PlacedProbe, ProbeToPlace } from "../probes/probe-service.ts";
import type { AccRow } from "../records/acc-row.ts";
import type { TriedTarget } from "../records/call-events.ts";
import { parseSipUri } from "../sip-uri.ts";
import { simulatedFailure, simulatedHealth } from "./magic-hosts.ts";

const REJECTED = 480;
const UNKNOWN = 404;
const PING_MS = 12;

interface HeldTable {
  all(): Iterable<HeldItem>;
  find(name: ItemName): HeldItem | undefined;
}

/** Probes of a simulated switch. No carrier delivers calls to it. */
export class SimulatedProbes implements ProbeDriver {
  readonly features = ["probes"];
  /** Gets the row of each call, as a spool reads it from a real switch. */
  takeRow: (row: AccRow) => void = () => undefined;
  readonly #table: HeldTable;

  constructor(table: HeldTable) {
    this.#table = table;
  }

  async expectProbes(): Promise<void> {}

  async placeProbe(probe: ProbeToPlace): Promise<PlacedProbe> {
    const row = this.#rowOf(probe);
    if (probe.gateway === null) this.takeRow(row);
    return { probe_id: probe.id, code: row.code, has_rung: false, took_ms: 1 };
  }

  async pingTarget({ address }: ProbeTarget): Promise<{ code: number; tookMs: number }> {
    if (simulatedFailure(address) === "unreachable") throw new Error("The target did not reply.");
    return { code: 200, tookMs: PING_MS };
  }

  #rowOf({ id, number, caller }: ProbeToPlace): AccRow {
    const atUs = Date.now() * 1_000;
    const item = [...this.#table.all()].find(({ value }) => "e164" in value && value.e164 === number);
    const value = item && "mode" in item.value ? item.value : undefined;
    const isRouted = value !== undefined && value.mode !== "unrouted";
    return {
      kind: "invite",
      isBySwitch: false,
      fromTag: null,
      rid: hash("md5", id),
      code: value ? REJECTED : UNKNOWN,
      atUs,
      startedUs: atUs,
      numberId: item?.id ?? null,
      called: number,
      mode: value?.mode ?? null,
      generation: item?.generation ?? null,
      trunk: PROBE_TRUNK,
      caller: caller ?? number,
      target: value?.sip_uri ?? value?.forward_to ?? null,
      sipCallId: null,
      why: isRouted ? "probe" : value ? "unrouted" : "unknown_number",
      events: { attempts: isRouted ? this.#attempts(value, atUs) : [], q850: null, asserted: null },
    };
  }

  #attempts(value: { sip_uri?: string; connection_id?: string }, startedUs: number): TriedTarget[] {
    const address = this.#addressOf(value);
    if (address === undefined) return [];
    const tried = {
      step: 1,
      host: null,
      transport: "udp",
      gateway: null,
      startedUs,
      ringingUs: null,
      end: null,
    };
    return [{ ...tried, mode: value.sip_uri === undefined ? "connection" : "sip_uri", address }];
  }

  #addressOf({ sip_uri, connection_id }: { sip_uri?: string; connection_id?: string }): string | undefined {
    if (sip_uri !== undefined) {
      const uri = parseSipUri(sip_uri);
      return "host" in uri ? uri.host : undefined;
    }
    const connection =
      connection_id === undefined ? undefined : this.#table.find({ kind: "connection", id: connection_id });
    if (!connection || !("targets" in connection.value)) return undefined;
    const up = connection.value.targets.map(simulatedHealth).find(({ state }) => state === "up");
    return up?.addresses[0]?.address;
  }
}
