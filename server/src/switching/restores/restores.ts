import type { App } from "../../app.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { reconcileAll } from "../../numbers/reconciliations/reconciliations.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { isRestoring } from "../../platform/restoring.ts";
import { beginRestoreEpoch, endRestoreEpoch } from "../epochs/epochs.ts";
import { closeOutdated, countFindings, takeCarrierFindings } from "./restores.findings.store.ts";
import { missingRestore, openOnly } from "./restores.open.ts";
import type { FindingKind, FindingState } from "./restores.rules.ts";
import {
  type CarrierState,
  compareShard,
  findRestore,
  listCarrierStates,
  listRestoresBefore,
  listShardsOf,
  listSwitchStates,
  listUncomparedStates,
  lockRestore,
  type RestoreRow,
  setCompared,
  setEnded,
  setStateCompared,
  type SwitchState,
} from "./restores.store.ts";

export { adoptFinding, dropFinding, listRestoreFindings } from "./restores.decisions.ts";
export { type ExportedEntry, replayRevocations, suspendApiKeys } from "./restores.revocations.ts";
export type { RestoreFindingRow } from "./restores.findings.store.ts";
export { FINDING_KINDS } from "./restores.rules.ts";
export type { FindingKind, FindingState, RestoreRow };

type Needs = Pick<App, "db" | "clock">;

export interface RestoreView extends RestoreRow {
  switches: SwitchState[];
  carriers: CarrierState[];
  findings: { kind: FindingKind; state: FindingState; count: number }[];
}

const nameOf = ({ actor_name: name, actor_kind: kind }: Author): string => name ?? kind;

/** Holds switches, carriers, webhooks and deletions until the restore is finished. Ends all sign-ins. */
export async function beginRestore(
  { db, clock }: Needs,
  author: Author,
  restoredTo: Date | null,
): Promise<RestoreView> {
  const at = clock.now();
  const id = newId();
  await db.forSystem("feed", async (tx) => {
    if (await isRestoring(tx))
      throw new ApiError("restore_open", "A restore is already open. Finish it first.");
    await beginRestoreEpoch(tx, { id, restoredTo, by: nameOf(author), at });
    const detail = { restored_to: restoredTo?.toISOString() ?? null };
    await recordAct(tx, author, at, { action: "restore.began", subject: id, detail });
  });
  return getRestore({ db }, id);
}

export async function listRestores({ db }: Pick<App, "db">, page: Page): Promise<RestoreView[]> {
  return db.forSystem("operator", async (tx) => {
    const views: RestoreView[] = [];
    for (const row of await listRestoresBefore(tx, page.after, page.limit)) views.push(await viewOf(tx, row));
    return views;
  });
}

export async function getRestore({ db }: Pick<App, "db">, id: string): Promise<RestoreView> {
  return db.forSystem("operator", async (tx) => viewOf(tx, (await findRestore(tx, id)) ?? missingRestore()));
}

async function viewOf(tx: Tx, row: RestoreRow): Promise<RestoreView> {
  return {
    ...row,
    switches: await listSwitchStates(tx, row.epoch),
    carriers: await listCarrierStates(tx, row.began_at),
    findings: await countFindings(tx, row.id),
  };
}

/**
 * Compares the database with the states that switches have uploaded, and with the numbers of all carriers. Can be
 * repeated: it adds what is new.
 */
export async function compareRestore(
  app: Pick<App, "db" | "clock" | "carriers">,
  author: Author,
  id: string,
): Promise<RestoreView> {
  const { db, clock } = app;
  const restore = await db.forSystem("operator", async (tx) => openOnly(await findRestore(tx, id)));
  const states = await db.forSystem("operator", (tx) => listUncomparedStates(tx, restore.epoch));
  for (const state of states) {
    // One shard at a time: a group can have a million items.
    for (const shard of await db.forSystem("operator", (tx) => listShardsOf(tx, state.switch_id)))
      await db.forSystem("operator", (tx) => compareShard(tx, { restoreId: id, stateId: state.id, shard }));
    await db.forSystem("operator", (tx) => setStateCompared(tx, state.id, clock.now()));
  }
  await reconcileAll(app, author);
  await db.forSystem("operator", async (tx) => {
    const at = clock.now();
    await takeCarrierFindings(tx, id, { since: restore.began_at, at });
    await closeOutdated(tx, id, at);
    await setCompared(tx, id, at);
  });
  return getRestore(app, id);
}

/** Switches load the state of the database, and everything that waited continues. */
export async function finishRestore(
  app: Pick<App, "db" | "clock" | "feed">,
  author: Author,
  id: string,
  { withoutUnreachable = false }: { withoutUnreachable?: boolean } = {},
): Promise<RestoreView> {
  const at = app.clock.now();
  const view = await app.db.forSystem("feed", async (tx) => {
    const restore = openOnly(await lockRestore(tx, id));
    await closeOutdated(tx, id, at);
    const view = await viewOf(tx, restore);
    rejectUnfinished(view, withoutUnreachable);
    const epoch = await endRestoreEpoch(tx, at, nameOf(author));
    await setEnded(tx, id, at, nameOf(author));
    await recordAct(tx, author, at, { action: "restore.finished", subject: id, detail: { epoch } });
    return { ...view, ended_at: at, ended_by: nameOf(author) };
  });
  app.feed.checkEpoch();
  return view;
}

function rejectUnfinished(
  { compared_at, findings, switches, carriers }: RestoreView,
  withoutUnreachable: boolean,
): void {
  if (compared_at === null)
    throw new ApiError("restore_unfinished", "The restore was not compared with switches and carriers yet.");
  const open = findings.reduce((sum, { state, count }) => sum + (state === "open" ? count : 0), 0);
  if (open > 0)
    throw new ApiError("restore_unfinished", `${open} ${open === 1 ? "finding is" : "findings are"} open.`);
  const missing = [
    ...switches.filter(({ state }) => state !== "compared").map((one) => `switch ${one.switch}`),
    ...carriers.filter(({ state }) => state !== "finished").map(({ carrier }) => `carrier ${carrier}`),
  ];
  if (missing.length > 0 && !withoutUnreachable)
    throw new ApiError(
      "restore_unfinished",
      `Not compared: ${missing.join(", ")}. Compare again when they are reachable, or finish without them.`,
    );
}
