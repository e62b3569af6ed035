import { randomBytes } from "node:crypto";
import { newId } from "../../platform/ids.ts";
import type { NewProbe, ProbedNumber, ProbeRow } from "./probes.store.ts";

/** Longer than an agent takes to notice the probe, and a carrier to deliver the call. */
const LASTS_MS = { switch: 30_000, carrier: 60_000 };

export function newProbe(
  { holding_id, e164, group_id }: ProbedNumber,
  of: {
    organisationId: string;
    environment: NewProbe["environment"];
    via: ProbeRow["via"];
    caller: { trunk: string; caller: string } | undefined;
    by: string | null;
    now: Date;
  },
): NewProbe {
  const { organisationId, environment, via, caller, by, now } = of;
  return {
    id: newId(),
    organisation_id: organisationId,
    environment,
    holding_id,
    e164,
    group_id,
    via,
    token: randomBytes(18).toString("base64url"),
    caller: caller?.caller ?? null,
    trunk: caller?.trunk ?? null,
    created_by: by,
    created_at: now,
    ends_by: new Date(now.getTime() + LASTS_MS[via]),
  };
}
