import type { ForwardingValue, TrunkValue } from "./trunks.wire.schema.ts";
import { canonicalNetworks } from "./trunks.rules.ts";

type StoredGateway = NonNullable<TrunkValue["gateway"]> & { password_set_at: string | null };

/** A trunk as a revision keeps it: with all defaults, and with the ID of its password. */
export type StoredTrunk = Omit<TrunkValue, "gateway"> & { switches: string[]; gateway: StoredGateway | null };

/** List of a switch group, without passwords. */
export interface TrunkDocument {
  trunks: StoredTrunk[];
  forwarding: ForwardingValue | null;
}

/** The part of a list that one switch gets. */
export interface SwitchValues {
  trunks: TrunkValue[];
  forwarding: ForwardingValue | null;
}

export const EMPTY: TrunkDocument = { trunks: [], forwarding: null };

/** Settings of a trunk as operators see them. */
export function settingsOf({ gateway, ...trunk }: StoredTrunk) {
  if (gateway === null) return { ...trunk, gateway };
  const { password_id: _, ...shown } = gateway;
  return { ...trunk, gateway: shown };
}

export function valuesFor({ trunks, forwarding }: TrunkDocument, switchId: string): SwitchValues {
  const own = trunks.filter(({ switches }) => switches.length === 0 || switches.includes(switchId));
  const gateways = forwarding?.gateways.filter(({ trunk }) => own.some(({ name }) => name === trunk)) ?? [];
  return {
    trunks: own.map(valueOf),
    forwarding: forwarding && gateways.length > 0 ? { ...forwarding, gateways } : null,
  };
}

function valueOf(stored: StoredTrunk): TrunkValue {
  const { switches: _, gateway, ...trunk } = stored;
  if (gateway === null) return { ...trunk, gateway };
  const { password_set_at: _at, ...sent } = gateway;
  return { ...trunk, gateway: sent };
}

/** Whether both mean the same. A switch can return its networks in another order or form. */
export function isSameTrunk(one: TrunkValue | null, other: TrunkValue | null): boolean {
  return canonicalJson(one && comparable(one)) === canonicalJson(other && comparable(other));
}

export function isSameForwarding(one: ForwardingValue | null, other: ForwardingValue | null): boolean {
  return (
    canonicalJson(one && comparableForwarding(one)) === canonicalJson(other && comparableForwarding(other))
  );
}

/** JSON that does not depend on the order of members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

const NETWORK = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/;

function comparable({ sources, ...trunk }: TrunkValue): object {
  const isReadable = sources.every((source) => NETWORK.test(source));
  return { ...trunk, sources: isReadable ? canonicalNetworks(sources) : sources };
}

function comparableForwarding({ gateways, prefixes, ...forwarding }: ForwardingValue): object {
  return {
    ...forwarding,
    gateways: gateways.toSorted((one, other) => (one.trunk < other.trunk ? -1 : 1)),
    prefixes: [...new Set(prefixes)].toSorted(),
  };
}
