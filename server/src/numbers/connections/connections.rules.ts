import type { ChangeConnection, SetTarget, Transport } from "./connections.schema.ts";

export interface Target {
  host: string;
  port: number;
  transport: Transport;
  priority: number;
  weight: number;
}

/** Settings of a connection that the customer chooses. */
export interface Settings {
  name: string;
  targets: Target[];
  max_calls: number | null;
  ring_seconds: number | null;
  sources: string[];
  metadata: Record<string, string>;
}

/** Normalises names, so that a different spelling does not count as a change. */
export function targetOf(given: SetTarget): Target {
  const transport = given.transport ?? "udp";
  return {
    host: given.host.toLowerCase(),
    port: given.port ?? (transport === "tls" ? 5061 : 5060),
    transport,
    priority: given.priority ?? 1,
    weight: given.weight ?? 1,
  };
}

/** A change whose metadata is the whole of it. */
type SettingsChange = Omit<ChangeConnection, "metadata"> & Partial<Pick<Settings, "metadata">>;

/** Omitted settings stay. Targets are replaced as a whole, and so are sources. */
export function settingsAfter(before: Settings, change: SettingsChange): Settings {
  return {
    name: change.name ?? before.name,
    targets: change.targets?.map(targetOf) ?? before.targets,
    max_calls: change.max_calls === undefined ? before.max_calls : change.max_calls,
    ring_seconds: change.ring_seconds === undefined ? before.ring_seconds : change.ring_seconds,
    sources: change.sources ?? before.sources,
    metadata: change.metadata ?? before.metadata,
  };
}

/** Whether switches see no difference. */
export function isSame(before: Settings, after: Settings): boolean {
  return (
    before.name === after.name &&
    before.max_calls === after.max_calls &&
    before.ring_seconds === after.ring_seconds &&
    before.sources.join() === after.sources.join() &&
    before.targets.length === after.targets.length &&
    before.targets.every((target, at) => isSameTarget(target, after.targets[at]!))
  );
}

function isSameTarget(one: Target, other: Target): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    one.transport === other.transport &&
    one.priority === other.priority &&
    one.weight === other.weight
  );
}
