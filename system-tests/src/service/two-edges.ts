import { newAddress } from "../sip/loopback.ts";
import { openPhone, type Phone } from "../sip/phone.ts";
import type { Peer } from "../sip/sip-transport.ts";
import { startSwitch, type SwitchProcess } from "../sip/switch-process.ts";
import { type Customer, signUp } from "./customer.ts";
import type { Program } from "./program.ts";
import { type RunningService, startService } from "./running-service.ts";

/** A switch and the agent next to it. */
export interface Edge {
  name: string;
  kamailio: SwitchProcess;
  agent: Program;
}

/** Everything that runs in production, as programs of this machine: PostgreSQL, API, worker, and two switches with their agents. */
export interface TwoEdges extends AsyncDisposable {
  service: RunningService;
  edges: [Edge, Edge];
  customer: Customer;
  numbers: string[];
  /** Both switches accept its calls. */
  caller: Phone;
  /** Takes what both switches forward. */
  gateway: Phone;
  /** The same carrier, for sipp. */
  loadFrom: Peer;
}

/** One organisation may do as much as the machine can. */
const NO_LIMITS = {
  LIMIT_REQUESTS_PER_SECOND: "100000",
  LIMIT_REQUEST_BURST: "100000",
  LIMIT_WRITES_PER_SECOND: "100000",
  LIMIT_FLOOD_PER_SECOND: "100000",
};

const FORWARD_PREFIX = "+44";

export async function startTwoEdges(count: number): Promise<TwoEdges> {
  await using stack = new AsyncDisposableStack();
  const caller = stack.use(await openPhone(newAddress()));
  const loadFrom = { address: newAddress(), port: 5070 };
  const gateway = stack.use(await openPhone(newAddress(), { port: 5080 }));
  const { address: host, port } = gateway.transport;
  const sources = [caller.transport.address, loadFrom.address];
  const trunks = [
    { name: "carrier", direction: "in", sources, transport: "udp", trusts_identity: true },
    { name: "gate", direction: "out", transport: "udp", gateway: { host, port } },
  ];
  const forward = {
    gateway: "gate",
    prefixes: [FORWARD_PREFIX],
    calls_per_minute: 6_000,
    calls_at_once: 500,
  };
  const start = async (name: string): Promise<SwitchProcess> =>
    stack.use(await startSwitch([], { name, shared_memory_mb: 256, trunks, forward }));
  const more = { ...NO_LIMITS, FORWARD_PREFIXES: FORWARD_PREFIX };
  const service = stack.use(await startService({ roles: ["api", "worker"], more }));
  const numbers = Array.from({ length: count }, (_, place) => `+4930${1_000_000 + place}`);
  const [told, customer, ...kamailios] = await Promise.all([
    Promise.all(["edge-1", "edge-2"].map((name) => service.operator("create-switch", name))),
    signUp(service, numbers[0]!, numbers.slice(1)),
    start("edge-1"),
    start("edge-2"),
  ]);
  const edges = kamailios.map((kamailio, place) => ({
    name: `edge-${place + 1}`,
    kamailio,
    agent: stack.use(
      service.startAgent(/svc_switch_\S+/.exec(told[place]!)![0], kamailio.folder, { AUDIT_SECONDS: "10" }),
    ),
  })) as [Edge, Edge];
  const owned = stack.move();
  return {
    service,
    edges,
    customer,
    numbers,
    caller,
    gateway,
    loadFrom,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
