import type { App } from "../../app.ts";
import type { Config } from "../../config.ts";
import { type Author, recordAct, systemAuthor } from "../../events/audit/audit.ts";
import type { Divergence } from "../feed/feed.ts";
import { queueMailToOperators } from "../../events/mails/mails.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import { isRestoring } from "../../platform/restoring.ts";
import { newId } from "../../platform/ids.ts";
import {
  beginEpoch,
  type EpochRow,
  findEpoch,
  insertRestore,
  listEpochsBefore,
  lockEpoch,
  setEpochResolved,
  setEpochsResolved,
} from "./epochs.store.ts";

export type { EpochRow };

type Needs = Pick<App, "db" | "clock" | "jobs" | "log" | "metrics"> & Pick<Config, "rollbackPolicy">;

/** Begins another epoch and raises the alarm, once, however many processes and agents notice the same rollback. */
export async function declareRollback(needs: Needs, { epoch: ended, evidence }: Divergence): Promise<void> {
  const { db, clock, log, metrics, rollbackPolicy: policy } = needs;
  const at = clock.now();
  const begun = await db.forSystem("feed", async (tx) => {
    const isHeld = policy !== "resync";
    const begun = await beginEpoch(tx, { at, cause: "rollback", ended, evidence, isHeld });
    if (!begun.isNew) return undefined;
    if (policy === "restore")
      await insertRestore(tx, { id: newId(), ...begun, cause: "rollback", restoredTo: null, by: "feed", at });
    const detail = { ended, evidence, policy };
    await recordAct(tx, systemAuthor("feed"), at, {
      action: "feed.rolled_back",
      subject: begun.epoch,
      detail,
    });
    await tx
      .attempt((mails) => queueMailToOperators(mails, needs, "database_rolled_back"))
      .catch((error: unknown) => {
        log.error({ err: error }, "operators could not be mailed about the rollback");
      });
    return begun.epoch;
  });
  if (begun === undefined) return;
  metrics.feedEpochs.inc({ cause: "rollback" });
  log.error(
    { ended, epoch: begun, evidence, policy },
    "the database was rolled back: versions that switches hold are not part of its history",
  );
}

/** Begins an epoch that holds the switches, and opens the restore. */
export async function beginRestoreEpoch(
  tx: Tx,
  { id, restoredTo, by, at }: { id: string; restoredTo: Date | null; by: string; at: Date },
): Promise<void> {
  const ended = await findEpoch(tx);
  const { epoch } = await beginEpoch(tx, { at, cause: "operator", ended, evidence: {}, isHeld: true });
  await insertRestore(tx, { id, epoch, cause: "operator", restoredTo, by, at });
}

/** Every switch loads the state of the restored database. */
export async function endRestoreEpoch(tx: Tx, at: Date, by: string): Promise<string> {
  const ended = await findEpoch(tx);
  await setEpochsResolved(tx, at, by);
  const begun = await beginEpoch(tx, { at, cause: "operator", ended, evidence: {}, isHeld: false });
  return begun.epoch;
}

/** Makes every agent load all shards again, whatever was noticed. */
export async function beginEpochByHand(app: Pick<App, "db" | "clock">, author: Author): Promise<string> {
  const at = app.clock.now();
  return app.db.forSystem("feed", async (tx) => {
    if (await isRestoring(tx))
      throw new ApiError("restore_open", "A restore of the database is open. Finish it instead.");
    const ended = await findEpoch(tx);
    const begun = await beginEpoch(tx, { at, cause: "operator", ended, evidence: {}, isHeld: false });
    if (begun.isNew)
      await recordAct(tx, author, at, {
        action: "feed.epoch_began",
        subject: begun.epoch,
        detail: { ended },
      });
    return begun.epoch;
  });
}

export async function listEpochs(
  { db }: Pick<App, "db">,
  page: { after: string | undefined; limit: number },
): Promise<EpochRow[]> {
  const [beganAt = "", epoch = ""] = page.after?.split(" ") ?? [];
  return db.forSystem("operator", (tx) =>
    listEpochsBefore(tx, page.after === undefined ? undefined : { beganAt, epoch }, page.limit),
  );
}

/** The operator has looked at a rollback. Switches that were held load the state of the database now. */
export async function resolveEpoch(
  app: Pick<App, "db" | "clock">,
  author: Author,
  epoch: string,
): Promise<EpochRow> {
  const at = app.clock.now();
  return app.db.forSystem("operator", async (tx) => {
    const row = await lockEpoch(tx, epoch);
    if (!row) throw notFound("epoch_not_found");
    if (row.resolved_at) return row;
    if (await isRestoring(tx))
      throw new ApiError("restore_open", "A restore of the database is open. Finish it instead.");
    await recordAct(tx, author, at, { action: "feed.rollback_resolved", subject: epoch });
    return setEpochResolved(tx, epoch, at, author.actor_name ?? author.actor_kind);
  });
}
