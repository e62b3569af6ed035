import { signUp } from "../service/customer.ts";
import { startCallees } from "../sip/sipp.ts";
import { until } from "../sip/until.ts";
import { CallLoad } from "./call-load.ts";
import { DatabaseCluster } from "./database-cluster.ts";
import type { DrillFolder } from "./drill-folder.ts";
import { Edge, type EdgeName } from "./edge.ts";
import { RouteLoad } from "./route-load.ts";
import { ServiceParts } from "./service-parts.ts";

const COUNT = 200;
const CALLEE = { address: "127.0.5.1", port: 5080 };
const EDGES: { name: EdgeName; address: string; carrier: string }[] = [
  { name: "edge-1", address: "127.0.4.1", carrier: "127.0.5.11" },
  { name: "edge-2", address: "127.0.4.2", carrier: "127.0.5.12" },
];
const CARRIER_PORT = 5070;

/** Everything that runs in production on nine machines, on this one, under load. */
export interface Installation extends Disposable {
  folder: DrillFolder;
  database: DatabaseCluster;
  service: ServiceParts;
  edges: Edge[];
  routes: RouteLoad;
  calls: CallLoad;
}

export async function startInstallation(
  folder: DrillFolder,
  { say, databaseUrl }: { say: (text: string) => void; databaseUrl: string | undefined },
): Promise<Installation> {
  const database = new DatabaseCluster(folder);
  await database.start();
  say("PostgreSQL, Patroni and etcd run on three nodes");
  const service = new ServiceParts(folder, databaseUrl);
  await service.start();
  say("APIs, workers and proxies run");
  const edges: Edge[] = [];
  for (const of of EDGES) {
    const created = await service.server("operator", "create-switch", of.name);
    const edge = new Edge(folder, of.name, { ...of, credential: /svc_switch_\S+/.exec(created)![0] });
    await edge.start();
    edge.agent.start();
    edges.push(edge);
  }
  say("switches and agents run");
  const numbers = Array.from({ length: COUNT }, (_, at) => `+4930${1_000_000 + at}`);
  const { credentials } = await signUp(
    {
      url: service.url,
      mailFolder: service.mailFolder,
      ready: async () => undefined,
      operator: (...args) => service.server("operator", ...args),
    },
    numbers[0]!,
    numbers.slice(1),
  );
  const routes = new RouteLoad({ url: service.url, key: credentials.key }, numbers, CALLEE);
  await routes.setAll();
  say(`${COUNT} numbers are routed`);
  const calls = new CallLoad(folder.path);
  return { folder, database, service, edges, routes, calls, [Symbol.dispose]: () => calls[Symbol.dispose]() };
}

export interface Rates {
  writes: number;
  reads: number;
  calls: number;
}

/** Begins writes, reads and calls, and waits until calls succeed at each switch. */
export async function startLoad({ routes, calls, edges }: Installation, rates: Rates): Promise<void> {
  startCallees(CALLEE);
  const numbers = routes.numbers.map(({ e164 }) => e164);
  for (const [at, edge] of edges.entries()) {
    const from = { address: EDGES[at]!.carrier, port: CARRIER_PORT };
    calls.start(edge, from, { numbers, perSecond: rates.calls / edges.length });
  }
  for (const { name } of edges) await until(`a call over ${name}`, () => calls.count(name).successful > 0);
  routes.start(rates);
}
