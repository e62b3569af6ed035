import type { Allowance, ForwardingUse } from "./allowance.ts";
import { sendToService, type ServiceAddress } from "./service-request.ts";

export interface ForwardingReport {
  /** Version up to which the switch holds its allowances. */
  heldVersion: number;
  use: ForwardingUse[];
}

export interface ForwardingNews {
  /** Whether `allowances` lists all, and others go. */
  isComplete: boolean;
  allowances: Allowance[];
}

/** Source of allowances, and receiver of their use. */
export interface ForwardingService {
  sync(report: ForwardingReport): Promise<ForwardingNews>;
}

interface SentAllowance {
  organisation_id: string;
  version: number;
  calls_at_once: number | null;
  calls: number | null;
  seconds: number | null;
  caller: string;
  identity: "keep" | "drop";
}

/** The service over HTTP, with the switch's credential. */
export function httpForwardingService(where: ServiceAddress): ForwardingService {
  return {
    async sync({ heldVersion, use }) {
      const report = { held_version: heldVersion, use: use.map(asSent) };
      const { is_complete: isComplete, allowances } = (await sendToService(
        where,
        "PUT",
        "/switch/v1/forwarding",
        report,
      )) as { is_complete: boolean; allowances: SentAllowance[] };
      return { isComplete, allowances: allowances.map(asAllowance) };
    },
  };
}

function asSent({ organisationId, day, calls, seconds, callsNow = 0 }: ForwardingUse): object {
  return { organisation_id: organisationId, day, calls, seconds, calls_at_once: callsNow };
}

function asAllowance({ organisation_id, calls_at_once, ...rest }: SentAllowance): Allowance {
  const { version, calls, seconds, caller, identity } = rest;
  return {
    organisationId: organisation_id,
    version,
    callsAtOnce: calls_at_once,
    calls,
    seconds,
    caller,
    identity,
  };
}
