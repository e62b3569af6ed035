import { sendToService, type ServiceAddress } from "../service-request.ts";

/** A probe call that may reach this switch. */
export interface ExpectedProbe {
  id: string;
  /** Called number, in E.164. */
  number: string;
  /** Caller that a carrier passes on, in E.164. Null if the call does not go through one. */
  caller: string | null;
  /** Value of the header `X-Dialplane-Probe`. */
  token: string;
}

/** A probe call that this switch should place. */
export interface ProbeToPlace extends ExpectedProbe {
  /** Trunk to the carrier. Null if the call should enter this switch directly. */
  gateway: string | null;
}

/** How a probe call ended, as its caller sees it. */
export interface PlacedProbe {
  probe_id: string;
  /** Final SIP status. Null if there was none. */
  code: number | null;
  has_rung: boolean;
  took_ms: number;
}

/** Result of a probe call that this switch received. */
export interface SeenProbe {
  probe_id: string;
  at: string;
  /** Trunk that the call came by. Null if this switch placed it itself. */
  trunk: string | null;
  code: number;
  /** `probe` if the switch would have sent the call on. Otherwise why it rejected it. */
  reason: string | null;
  mode: string | null;
  generation: number | null;
  target: string | null;
  /** Address of the target. Null if a webhook decides, or if the call was rejected. */
  address: string | null;
  transport: string | null;
  /** Status with which the target replied to OPTIONS. Null if it did not reply. */
  target_code: number | null;
  target_ms: number | null;
}

export interface ProbeReport {
  /** IDs of the probes that the switch recognises now. */
  expecting: string[];
  placed: PlacedProbe[];
  seen: SeenProbe[];
}

export interface ProbeTasks {
  expect: ExpectedProbe[];
  place: ProbeToPlace[];
}

/** Source of probes, and receiver of their results. */
export interface ProbeService {
  sync(report: ProbeReport): Promise<ProbeTasks>;
}

/** The service over HTTP, with the switch's credential. */
export function httpProbeService(where: ServiceAddress): ProbeService {
  return {
    sync: async (report) => (await sendToService(where, "PUT", "/switch/v1/probes", report)) as ProbeTasks,
  };
}
