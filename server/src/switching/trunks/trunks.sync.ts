import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { recordActs, systemAuthor } from "../../events/audit/audit.ts";
import { canonicalJson } from "./trunks.document.rules.ts";
import { desiredFor } from "./trunks.etag.ts";
import { STORED_EVERY_MS } from "./trunks.list.ts";
import { openPasswords, passwordsOf } from "./trunks.passwords.ts";
import { assess, type Desired } from "./trunks.status.rules.ts";
import { findNewest, findReport, lockReport, type ReportRow, upsertReport } from "./trunks.store.ts";
import type { SwitchTrunks, TrunkReport } from "./trunks.wire.schema.ts";

type Needs = Pick<App, "db" | "clock" | "secrets">;

const AUTHOR = systemAuthor("trunks");
const MOST_ERROR_CHARACTERS = 500;

/** Records the trunks that a switch has read back, and returns those that it should hold. */
export async function syncTrunks(
  { db, clock, secrets }: Needs,
  { switchId, groupId }: SwitchCaller,
  report: TrunkReport,
): Promise<SwitchTrunks> {
  const now = clock.now();
  return db.forSystem("trunks", async (tx) => {
    await lockReport(tx, switchId);
    const newest = await findNewest(tx, groupId);
    const desired = newest && desiredFor(newest.document, switchId);
    await recordReport(tx, { switchId, groupId, report, desired, now });
    if (!newest || !desired)
      return { is_managed: false, etag: null, trunks: null, forwarding: null, passwords: {} };
    const { etag, trunks, forwarding } = desired;
    if (report.etag === etag) return { is_managed: true, etag, trunks: null, forwarding, passwords: {} };
    const own = newest.document.trunks.filter(({ name }) => trunks.some((one) => one.name === name));
    const passwords = passwordsOf({ trunks: own, forwarding: null }, openPasswords(secrets, groupId, newest));
    return { is_managed: true, etag, trunks, forwarding, passwords: { ...passwords } };
  });
}

interface Reported {
  switchId: string;
  groupId: string;
  report: TrunkReport;
  /** Undefined if the group is not managed. */
  desired: Desired | undefined;
  now: Date;
}

async function recordReport(tx: Tx, { switchId, groupId, report, desired, now }: Reported): Promise<void> {
  const kept = await findReport(tx, switchId);
  const assessed = desired && assess(desired, report, kept?.confirmed ?? { etag: null, names: [] });
  const status = assessed?.status ?? "applied";
  const drifted = assessed?.drifted ?? [];
  const row: ReportRow = {
    report,
    confirmed: assessed?.confirmed ?? { etag: null, names: [] },
    drifted: drifted.map(({ key }) => key),
    status,
    since: kept?.status === status ? kept.since : now,
    differing: assessed?.differing ?? 0,
    error: status === "failed" ? assessed!.error!.slice(0, MOST_ERROR_CHARACTERS) : null,
    observed_at: now,
  };
  if (kept && isUnchanged(kept, row)) return;
  await upsertReport(tx, switchId, row);
  const begun = drifted.filter(({ key }) => !kept?.drifted.includes(key));
  await recordActs(
    tx,
    AUTHOR,
    now,
    begun.map(({ name, expected, found }) => ({
      action: "trunks.drifted",
      subject: switchId,
      detail: { switch_group_id: groupId, trunk: name },
      before: expected && { ...expected },
      after: found && { ...found },
    })),
  );
}

function isUnchanged(
  { observed_at: before, ...kept }: ReportRow,
  { observed_at: now, ...row }: ReportRow,
): boolean {
  if (now.getTime() - before.getTime() >= STORED_EVERY_MS) return false;
  return canonicalJson(kept) === canonicalJson(row);
}
