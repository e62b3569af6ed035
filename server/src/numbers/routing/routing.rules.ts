import type { Caller } from "../../platform/http/access.ts";
import type { Mode, SetRouting } from "./routing.schema.ts";

/** Desired destination without author or reason, normalised for storage and comparison. */
export interface Destination {
  mode: Mode;
  sip_uri?: string;
  connection_id?: string;
  forward_to?: string;
  webhook_url?: string;
  fallback?: Destination;
}

/** Only people hand calls to another number or to a program. */
const MODES_OF_PEOPLE: ReadonlySet<unknown> = new Set<Mode>(["forward", "webhook"]);

export function canSetMode(caller: Caller, mode: unknown): boolean {
  return caller.kind === "session" || !MODES_OF_PEOPLE.has(mode);
}

export function destinationOf(body: SetRouting): Destination {
  const wanted = { ...body };
  delete wanted.reason;
  if (wanted.mode === "connection") return { ...wanted, connection_id: wanted.connection_id.toLowerCase() };
  if (wanted.mode !== "webhook") return wanted;
  const fallback = wanted.fallback ?? { mode: "unrouted" };
  return {
    ...wanted,
    fallback:
      fallback.mode === "connection"
        ? { ...fallback, connection_id: fallback.connection_id.toLowerCase() }
        : fallback,
  };
}

export function connectionsOf({ connection_id: id, fallback }: Destination): string[] {
  return [id, fallback?.connection_id].filter((one) => one !== undefined);
}

export interface Difference {
  field: string;
  from: string | null;
  to: string | null;
}

/** Field by field, a fallback's among them as fallback.mode and so on. */
export function differencesBetween(before: Destination, after: Destination): Difference[] {
  const [from, to] = [flat(before), flat(after)];
  const fields = [...new Set([...from.keys(), ...to.keys()])];
  return fields
    .map((field) => ({ field, from: from.get(field) ?? null, to: to.get(field) ?? null }))
    .filter((one) => one.from !== one.to);
}

function flat({ fallback, ...fields }: Destination): Map<string, string> {
  return new Map([
    ...Object.entries(fields),
    ...Object.entries(fallback ?? {}).map(([name, value]) => [`fallback.${name}`, String(value)] as const),
  ]);
}
