import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { programPath } from "../../../sdk/src/testing/program-path.ts";
import { runProgram } from "../service/program.ts";
import { openControlLine } from "../sip/control-client.ts";
import { endKamailio, startKamailio } from "../sip/kamailio-process.ts";
import type { Peer } from "../sip/sip-transport.ts";
import { until } from "../sip/until.ts";
import type { DrillFolder } from "./drill-folder.ts";
import { Part } from "./part.ts";
import { filledIn, readEnvironment, type Values } from "./reference-files.ts";

const AGENT = programPath("switch-agent/src/run-agent.ts");
const RENDER = programPath("switch-agent/src/render-kamailio.ts");
const MEMORY_MB = 128;
/** Both switches are on one machine here. */
const FIRST_PORT = { "edge-1": 8448, "edge-2": 8458 };

export type EdgeName = keyof typeof FIRST_PORT;

/** A switch and the agent next to it. */
export class Edge {
  readonly name: EdgeName;
  readonly at: Peer;
  readonly agent: Part;
  readonly #values: Values;
  readonly #logFile: string;
  readonly #rpcPort: number;
  readonly #controlPort: number;
  #kamailio: ChildProcess | undefined;

  constructor(
    folder: DrillFolder,
    name: EdgeName,
    of: { address: string; carrier: string; credential: string },
  ) {
    this.name = name;
    this.at = { address: of.address, port: 5060 };
    this.#values = folder.machine(name, of.address);
    this.#logFile = folder.log(name);
    [this.#controlPort, this.#rpcPort] = [FIRST_PORT[name], FIRST_PORT[name] + 1];
    this.#writeFiles(of);
    this.agent = new Part({
      name: `agent of ${name}`,
      command: [process.execPath, AGENT],
      environment: {
        ...readEnvironment(filledIn("agent.environment", this.#values)),
        NODE_EXTRA_CA_CERTS: folder.certificate,
        EGRESS_ALLOW: "127.0.0.0/8",
        NODE_COMPILE_CACHE: join(folder.path, "compiled"),
      },
      logFile: folder.log(`agent-${name}`),
    });
  }

  async start(): Promise<void> {
    const settings = await runProgram(RENDER, [this.#settingsFile()], {});
    this.#kamailio = startKamailio(settings.trim(), this.#logFile, { memoryMb: MEMORY_MB });
    await until(`the switch ${this.name}`, async () => {
      if (this.#kamailio!.exitCode !== null)
        throw new Error(readFileSync(this.#logFile, "utf8").slice(-2_000));
      const line = await openControlLine(this.#controlPort).catch(() => undefined);
      if (!line) return false;
      await line.ask("P", "", []);
      line.close();
      return true;
    });
  }

  async kill(): Promise<void> {
    if (this.#kamailio) await endKamailio(this.#kamailio);
    this.#kamailio = undefined;
  }

  /** The row of a number in the switch's memory. */
  async routeOf(number: string): Promise<string | undefined> {
    const response = await fetch(`http://127.0.0.1:${this.#rpcPort}/rpc`, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "htable.get", params: ["rt", number] }),
    });
    const { result } = (await response.json()) as { result?: { item: { value: string } } };
    return result?.item.value;
  }

  #settingsFile(): string {
    return join(this.#values["SWITCH_FOLDER"]!, "switch.json");
  }

  #writeFiles({ carrier, credential }: { carrier: string; credential: string }): void {
    const reference = JSON.parse(filledIn("switch.json", this.#values)) as { secrets_file: string };
    const trunk = {
      name: "carrier",
      direction: "in",
      sources: [carrier],
      transport: "udp",
      trusts_identity: true,
    };
    const settings = {
      ...reference,
      control_port: this.#controlPort,
      rpc_port: this.#rpcPort,
      webhook_port: this.#rpcPort + 1,
      workers: 2,
      shared_memory_mb: MEMORY_MB,
      trunks: [trunk],
    };
    mkdirSync(dirname(reference.secrets_file), { recursive: true });
    writeFileSync(reference.secrets_file, randomBytes(32).toString("hex"));
    const { SWITCH_CREDENTIAL_FILE: file } = readEnvironment(filledIn("agent.environment", this.#values));
    writeFileSync(file!, credential, { mode: 0o600 });
    writeFileSync(this.#settingsFile(), JSON.stringify(settings, null, 2));
  }
}
