import { ApiError } from "../../platform/api-error.ts";
import type { StoredTrunk, TrunkDocument } from "./trunks.document.rules.ts";
import { type Fault, faultsOf, type Pointers } from "./trunks.faults.rules.ts";
import { passwordFor, type Passwords } from "./trunks.passwords.ts";
import type { NewTrunk, SetTrunkForwarding } from "./trunks.schema.ts";

/** A list and the passwords that its gateways use. */
export interface Draft {
  document: TrunkDocument;
  passwords: Passwords;
}

const USUAL_PORT = 5060;
const USUAL_CALLS = { calls_per_minute: 60, calls_at_once: 10 };
const NO_FORMAT = { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" };
const MOST_FAULTS = 100;

/** The trunks that a list had before, and the time of the change. */
interface Basis {
  current: Draft;
  now: Date;
}

/** A trunk of a request with its defaults, and with its stored password if it keeps it. */
export function draftTrunk(
  { gateway = null, ...wanted }: NewTrunk,
  { current, now }: Basis,
  at: string,
): { trunk: StoredTrunk; added: Passwords; faults: Fault[] } {
  const trunk = {
    name: wanted.name,
    direction: wanted.direction,
    sources: wanted.sources ?? [],
    transport: wanted.transport,
    nat: wanted.nat ?? false,
    number_format: { ...NO_FORMAT, ...wanted.number_format },
    trusts_identity: wanted.trusts_identity ?? false,
    max_calls: wanted.max_calls ?? 0,
    switches: (wanted.switches ?? []).map((id) => id.toLowerCase()),
  };
  if (gateway === null) return { trunk: { ...trunk, gateway }, added: {}, faults: [] };
  const { host, port = USUAL_PORT, username = null } = gateway;
  const stored = current.document.trunks.find(({ name }) => name === trunk.name);
  const given = { ...gateway, port, username };
  const password = passwordFor(given, { stored, known: current.passwords, now, at });
  const { added = {}, fault, ...ids } = password;
  const { in_trust_domain = false, history_info = false } = gateway;
  return {
    trunk: { ...trunk, gateway: { host, port, username, ...ids, in_trust_domain, history_info } },
    added,
    faults: fault ? [fault] : [],
  };
}

function draftForwarding(wanted: SetTrunkForwarding | null): TrunkDocument["forwarding"] {
  if (wanted === null) return null;
  return {
    gateways: wanted.gateways.map(({ trunk, priority = 1, weight = 1, ping = true }) => ({
      trunk,
      priority,
      weight,
      ping,
    })),
    prefixes: wanted.prefixes,
    calls_per_minute: wanted.calls_per_minute ?? USUAL_CALLS.calls_per_minute,
    calls_at_once: wanted.calls_at_once ?? USUAL_CALLS.calls_at_once,
  };
}

/** All of a list, as a request replaces it. */
export function draftList(
  wanted: { trunks: readonly NewTrunk[]; forwarding: SetTrunkForwarding | null },
  basis: Basis,
  switchIds: ReadonlySet<string>,
): Draft {
  const at: Pointers = { trunk: (index) => `#/trunks/${index}`, forwarding: "#/forwarding" };
  const drafts = wanted.trunks.map((one, index) => draftTrunk(one, basis, at.trunk(index)));
  const document = {
    trunks: drafts.map(({ trunk }) => trunk),
    forwarding: draftForwarding(wanted.forwarding),
  };
  rejectFaults([...drafts.flatMap(({ faults }) => faults), ...faultsOf(document, switchIds, at)]);
  const passwords = Object.assign({ ...basis.current.passwords }, ...drafts.map(({ added }) => added));
  return { document, passwords };
}

export function rejectFaults(faults: readonly Fault[]): void {
  const [first] = faults;
  if (first) throw new ApiError("invalid_request", first.detail, { errors: faults.slice(0, MOST_FAULTS) });
}
