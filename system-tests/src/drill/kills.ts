import type { EdgeName } from "./edge.ts";
import type { Installation } from "./installation.ts";
import type { Part } from "./part.ts";

/** A part to kill, and the way to bring it back. */
export interface Victim {
  name: string;
  /** Calls over this switch fail while it is down. */
  edge?: EdgeName;
  kill(): Promise<void>;
  start(): Promise<unknown>;
}

type Choice = (installation: Installation, round: number) => Promise<Victim>;

/** Each kind of part, in the order of a round. Rounds take turns between parts of a kind. */
export const KILLS: Record<string, Choice> = {
  primary: async ({ database }) => {
    const { patroni, name } = await database.primary();
    return victimOf(patroni, `primary (${name}): Patroni and PostgreSQL`);
  },
  standby: async ({ database }) => {
    const { patroni, name } = await database.standby();
    return victimOf(patroni, `synchronous standby (${name}): Patroni and PostgreSQL`);
  },
  etcd: async ({ database }, round) => {
    const node = database.nodes[round % database.nodes.length]!;
    const victim = victimOf(node.etcd, node.etcd.name);
    return { ...victim, start: async () => victim.start().then(() => database.waitForEtcd(node)) };
  },
  proxy: async ({ service }, round) => partOf(service.proxies, round),
  api: async ({ service }, round) => partOf(service.apis, round),
  worker: async ({ service }, round) => partOf(service.workers, round),
  agent: async ({ edges }, round) =>
    partOf(
      edges.map(({ agent }) => agent),
      round,
    ),
  switch: async ({ edges }, round) => {
    const edge = edges[round % edges.length]!;
    return {
      name: `switch ${edge.name}`,
      edge: edge.name,
      kill: () => edge.kill(),
      start: () => edge.start(),
    };
  },
};

const partOf = (parts: Part[], round: number): Victim => {
  const part = parts[round % parts.length]!;
  return victimOf(part, part.name);
};

function victimOf(part: Part, name: string): Victim {
  return { name, kill: () => part.kill(), start: async () => part.start() };
}
