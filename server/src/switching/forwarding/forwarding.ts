import type { App } from "../../app.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import type { ForwardingAllowances, ForwardingReport, SetForwarding } from "./forwarding.schema.ts";
import { dayOf, divide } from "./forwarding.rules.ts";
import {
  type Allowance,
  confirmAllowances,
  type DividedRow,
  type Division,
  findForwarding,
  findNewestVersion,
  type ForwardingRow,
  hasPolicies,
  listAllowancesAfter,
  listDivisions,
  listOutdatedSwitches,
  lockDivision,
  lockPolicy,
  type PolicyRow,
  setAllowances,
  setUse,
  upsertPolicy,
} from "./forwarding.store.ts";

export type { ForwardingRow };
type Needs = Pick<App, "db" | "clock">;

const NO_POLICY: PolicyRow = {
  calls_at_once: null,
  calls_per_day: null,
  minutes_per_day: null,
  caller: "pass",
  caller_number: null,
  identity: "keep",
};

export async function getForwarding({ db, clock }: Needs, organisationId: string): Promise<ForwardingRow> {
  const found = await db.forSystem("operator", (tx) =>
    findForwarding(tx, organisationId, dayOf(clock.now())),
  );
  if (!found) throw notFound("organisation_not_found");
  return found;
}

/** A change without effect records nothing. */
export async function setForwarding(
  { db, clock }: Needs,
  author: Author,
  organisationId: string,
  wanted: SetForwarding,
): Promise<ForwardingRow> {
  const after = policyOf(wanted);
  const at = clock.now();
  return db.forSystem("operator", async (tx) => {
    const found = await lockPolicy(tx, organisationId);
    if (!found) throw notFound("organisation_not_found");
    const before = found.policy ?? NO_POLICY;
    if (!isSame(before, after)) {
      await rejectOutdatedSwitches(tx);
      await upsertPolicy(tx, organisationId, after, at);
      await recordAct(tx, author, at, {
        action: "organisation.forwarding_changed",
        subject: organisationId,
        organisationId,
        before: { ...before },
        after: { ...after },
      });
    }
    return (await findForwarding(tx, organisationId, dayOf(at)))!;
  });
}

function policyOf({ caller = "pass", caller_number = null, ...wanted }: SetForwarding): PolicyRow {
  const { calls_at_once = null, calls_per_day = null, minutes_per_day = null } = wanted;
  if ((caller === "fixed") !== (caller_number !== null))
    throw invalid("caller_number", "Send `caller_number` if `caller` is `fixed`, and only then.");
  const { identity = caller === "pass" ? "keep" : "drop" } = wanted;
  if (caller !== "pass" && identity === "keep")
    throw invalid("identity", "Another caller ID invalidates the `Identity` header. Use `drop`.");
  return { calls_at_once, calls_per_day, minutes_per_day, caller, caller_number, identity };
}

function invalid(field: string, detail: string): ApiError {
  return new ApiError("invalid_request", detail, {
    errors: [{ pointer: `#/${field}`, code: "not_allowed", detail }],
  });
}

function isSame(one: PolicyRow, other: PolicyRow): boolean {
  return (Object.keys(NO_POLICY) as (keyof PolicyRow)[]).every((field) => one[field] === other[field]);
}

async function rejectOutdatedSwitches(tx: Tx): Promise<void> {
  const names = await listOutdatedSwitches(tx);
  if (names.length === 0) return;
  throw new ApiError(
    "switches_outdated",
    `These switches cannot limit forwarded calls: ${names.slice(0, 10).join(", ")}. Update their agent and Kamailio configuration first.`,
  );
}

/** Records what a switch holds and has used, and divides the limits for it again. */
export async function syncForwarding(
  { db, clock }: Needs,
  { switchId }: SwitchCaller,
  { held_version, use }: ForwardingReport,
): Promise<ForwardingAllowances> {
  const at = clock.now();
  return db.forSystem("forwarding", async (tx) => {
    if (!(await hasPolicies(tx))) return { version: 0, is_complete: true, allowances: [] };
    await lockDivision(tx);
    // After a rollback of the database, the switch holds versions that do not exist.
    const held = held_version > (await findNewestVersion(tx, switchId)) ? 0 : held_version;
    await confirmAllowances(tx, switchId, held, at);
    await setUse(tx, switchId, use, at);
    await divideFor(tx, switchId, dayOf(at));
    const sent = await listAllowancesAfter(tx, switchId, held);
    return {
      version: sent.length > 0 ? Number(sent.at(-1)!.version) : held,
      is_complete: held === 0,
      allowances: sent.map((row) => ({ ...row, version: Number(row.version) })),
    };
  });
}

async function divideFor(tx: Tx, switchId: string, today: number): Promise<void> {
  const changed: Division[] = [];
  const unchanged: string[] = [];
  for (const row of await listDivisions(tx, switchId, today)) {
    const next = allowanceOf(row, switchId);
    const { own, generation, organisation_id: organisationId } = row;
    if (own && own.generation === Number(generation) && isSameAllowance(own, next))
      unchanged.push(organisationId);
    else changed.push({ organisationId, generation, ...next });
  }
  await setAllowances(tx, switchId, { changed, unchanged, today });
}

function allowanceOf(row: DividedRow, switchId: string): Allowance {
  const part = (limit: number | null, of: "at_once" | "calls" | "seconds"): number | null => {
    if (limit === null) return null;
    const parts = row.parts.map((one) => ({
      switchId: one.switch_id,
      isServing: one.is_serving,
      most: one[`most_${of}`],
      used: one[`use_${of}`],
    }));
    return divide(limit, switchId, parts);
  };
  return {
    calls_at_once: part(row.calls_at_once, "at_once"),
    calls: part(row.calls_per_day, "calls"),
    seconds: part(row.minutes_per_day === null ? null : row.minutes_per_day * 60, "seconds"),
  };
}

const isSameAllowance = (one: Allowance, other: Allowance): boolean =>
  one.calls_at_once === other.calls_at_once && one.calls === other.calls && one.seconds === other.seconds;
