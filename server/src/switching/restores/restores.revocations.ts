import type { App } from "../../app.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { notFound } from "../../platform/api-error.ts";
import { organisationExists } from "./restores.findings.store.ts";
import { openOnly } from "./restores.open.ts";
import { lockRestore, replayEntry, type ReplayOutcome, suspendKeys } from "./restores.store.ts";

/** A line of an audit export. Other fields are ignored. */
export interface ExportedEntry {
  id: string;
  action: string;
  outcome: string;
  subject: string | null;
  detail: Record<string, unknown>;
}

export interface Replayed {
  id: string;
  action: string;
  subject: string | null;
  outcome: ReplayOutcome;
}

/**
 * Repeats revocations of an audit export that the restored database does not have: keys, members, passwords, passkeys,
 * disabled users and switch credentials. The organisation is the one of the export, or undefined for the operator's.
 */
export async function replayRevocations(
  { db, clock }: Pick<App, "db" | "clock">,
  author: Author,
  restoreId: string,
  { entries, organisationId }: { entries: readonly ExportedEntry[]; organisationId: string | undefined },
): Promise<Replayed[]> {
  return db.forSystem("operator", async (tx) => {
    openOnly(await lockRestore(tx, restoreId));
    if (organisationId !== undefined && !(await organisationExists(tx, organisationId)))
      throw notFound("organisation_not_found");
    const at = clock.now();
    const replayed: Replayed[] = [];
    for (const entry of entries) {
      if (entry.outcome !== "done") continue;
      const outcome = await replayEntry(tx, entry, { organisationId, at });
      const { id, action, subject } = entry;
      if (outcome !== "other" && outcome !== "known") replayed.push({ id, action, subject, outcome });
      if (outcome === "replayed")
        await recordAct(tx, author, at, {
          action: "restore.revocation_replayed",
          subject: restoreId,
          detail: { action, subject, entry: id },
        });
    }
    return replayed;
  });
}

/** For a restore without an audit export: every API key waits until an owner confirms it. Returns how many. */
export async function suspendApiKeys(
  { db, clock }: Pick<App, "db" | "clock">,
  author: Author,
  restoreId: string,
): Promise<number> {
  return db.forSystem("operator", async (tx) => {
    openOnly(await lockRestore(tx, restoreId));
    const at = clock.now();
    const count = await suspendKeys(tx, restoreId, at);
    await recordAct(tx, author, at, {
      action: "restore.keys_suspended",
      subject: restoreId,
      detail: { count },
    });
    return count;
  });
}
