import type { App } from "../../app.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { dayStart } from "./probes.day.rules.ts";
import {
  type CallerRow,
  findCallerOfGroup,
  findPolicy,
  hasGateway,
  lockRow,
  type PolicyRow,
  upsertCaller,
  upsertPolicy,
} from "./probes.policy.store.ts";
import type { SetProbeCaller, SetProbePolicy } from "./probes.schema.ts";

type Needs = Pick<App, "db" | "clock">;

export async function getProbePolicy({ db, clock }: Needs, organisationId: string): Promise<PolicyRow> {
  const found = await db.forSystem("probes", (tx) => findPolicy(tx, organisationId, dayStart(clock.now())));
  if (!found) throw notFound("organisation_not_found");
  return found;
}

/** A change without effect records nothing. */
export async function setProbePolicy(
  { db, clock }: Needs,
  author: Author,
  organisationId: string,
  { probes_per_day }: SetProbePolicy,
): Promise<PolicyRow> {
  const at = clock.now();
  return db.forSystem("probes", async (tx) => {
    await lockRow(tx, organisationId);
    const before = await findPolicy(tx, organisationId, dayStart(at));
    if (!before) throw notFound("organisation_not_found");
    if (before.probes_per_day === probes_per_day) return before;
    await upsertPolicy(tx, organisationId, probes_per_day, at);
    await recordAct(tx, author, at, {
      action: "organisation.probes_changed",
      subject: organisationId,
      organisationId,
      before: { probes_per_day: before.probes_per_day },
      after: { probes_per_day },
    });
    return { ...before, probes_per_day, updated_at: at };
  });
}

export async function getProbeCaller({ db }: Needs, groupId: string): Promise<CallerRow> {
  const found = await db.forSystem("probes", (tx) => findCallerOfGroup(tx, groupId));
  if (!found) throw notFound("switch_group_not_found");
  return found;
}

export async function setProbeCaller(
  { db, clock }: Needs,
  author: Author,
  groupId: string,
  { trunk, caller }: SetProbeCaller,
): Promise<CallerRow> {
  const at = clock.now();
  return db.forSystem("probes", async (tx) => {
    await lockRow(tx, groupId);
    const before = await findCallerOfGroup(tx, groupId);
    if (!before) throw notFound("switch_group_not_found");
    if ((await hasGateway(tx, groupId, trunk)) === false)
      throw new ApiError("trunk_not_found", `The switch group has no trunk “${trunk}” with a gateway.`);
    if (before.trunk === trunk && before.caller === caller) return before;
    await upsertCaller(tx, groupId, { trunk, caller }, at);
    await recordAct(tx, author, at, {
      action: "switch_group.probe_caller_changed",
      subject: groupId,
      before: before.trunk === null ? null : { trunk: before.trunk, caller: before.caller },
      after: { trunk, caller },
    });
    return { ...before, trunk, caller, updated_at: at };
  });
}
