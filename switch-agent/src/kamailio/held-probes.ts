import type { ProbeDriver, ProbeTarget } from "../driver.ts";
import { lastDigits } from "../probes/expected-probes.ts";
import { placeProbeCall } from "../probes/probe-call.ts";
import type { ExpectedProbe, PlacedProbe, ProbeToPlace } from "../probes/probe-service.ts";
import type { SwitchMemory } from "./switch-memory.ts";
import { SwitchRpc } from "./switch-rpc.ts";

interface Needs {
  memory: Pick<SwitchMemory, "set">;
  rpcPort: number;
  sockets: readonly string[];
  features(): readonly string[];
}

/** Probes in the switch's table `probe`. Its rows expire. */
export class HeldProbes implements ProbeDriver {
  readonly #needs: Needs;
  /** A target that does not reply keeps this connection waiting, and no other. */
  readonly #rpc: SwitchRpc;
  #held = new Map<string, string>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#rpc = new SwitchRpc(needs.rpcPort);
  }

  get features(): readonly string[] {
    return this.#needs.features();
  }

  async expectProbes(probes: readonly ExpectedProbe[]): Promise<void> {
    const wanted = new Map(probes.map(({ id, number, token, caller }) => [number, rowOf(id, token, caller)]));
    const gone = [...this.#held.keys()].filter((number) => !wanted.has(number));
    const rows = [
      ...[...wanted].map(([key, text]) => ({ key, text })),
      ...gone.map((key) => ({ key, text: null })),
    ];
    // Set again each time: the switch may have restarted.
    if (rows.length > 0) await this.#needs.memory.set("probe", rows);
    this.#held = wanted;
  }

  placeProbe(probe: ProbeToPlace): Promise<PlacedProbe> {
    const [contact = "127.0.0.1:5060"] = this.#needs.sockets;
    return placeProbeCall({ port: this.#needs.rpcPort, contact }, probe);
  }

  /** The switch itself sends OPTIONS, from the socket and by the transport that calls use. */
  async pingTarget({ address, transport, target }: ProbeTarget): Promise<{ code: number; tookMs: number }> {
    const startMs = performance.now();
    const uri = target !== null && /^sips?:/.test(target) ? target : `sip:${address}`;
    const headers = `From: <sip:probe@dialplane.invalid>\r\nTo: <${uri}>\r\nMax-Forwards: 70\r\n`;
    const hop = `sip:${address};transport=${transport}`;
    const words = await this.#rpc.call("tm.t_uac_wait", ["OPTIONS", uri, hop, ".", headers, ""]);
    const code = codeIn(words);
    if (code === undefined || code === 408) throw new Error("The target did not reply.");
    return { code, tookMs: Math.round(performance.now() - startMs) };
  }

  close(): void {
    this.#rpc.close();
  }
}

/** ID|token|last digits of the caller */
function rowOf(id: string, token: string, caller: string | null): string {
  return `${id}|${token}|${caller === null ? "" : lastDigits(caller)}`;
}

function codeIn(words: unknown): number | undefined {
  const code = /\b([1-6]\d\d)\b/.exec(JSON.stringify(words))?.[1];
  return code === undefined ? undefined : Number(code);
}
