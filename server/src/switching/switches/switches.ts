import type { App } from "../../app.ts";
import { violatedConstraint } from "../../platform/db/database-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { setJobsDueAfterSwitch } from "../../numbers/jobs/jobs.ts";
import { credentialOf, openSwitchCredentials } from "./switches.credentials.ts";
import { newSwitchCredential } from "./switches.format.ts";
import { listExceptionsAfter, type SwitchExceptionRow } from "./switches.exceptions.store.ts";
import type { ChangeSwitch, CreateSwitch, CreateSwitchGroup } from "./switches.schema.ts";
import {
  confirmGroup,
  findSwitch,
  findSwitchGroup,
  forgetReadings,
  insertSwitch,
  insertSwitchGroup,
  listSwitchesAfter,
  listSwitchGroupsAfter,
  listSwitchIdsByName,
  lockConfirmations,
  lockSwitch,
  readSwitchGroup,
  setCredential,
  setSwitchLimit,
  setSwitchState,
  type SwitchGroupRow,
  type SwitchRow,
} from "./switches.store.ts";

export {
  newSwitchCredential,
  openSwitchCredentials,
  type SwitchExceptionRow,
  type SwitchGroupRow,
  type SwitchRow,
};
export { recordReport } from "./switches.reports.ts";
export { listSockets } from "./switches.reports.store.ts";
export { startSimulatedSwitch } from "./switches.simulated.ts";
export { shownState } from "./switches.rules.ts";

const DEFAULT_SHARDS = 64;
const USUAL_LIMIT_SECONDS = 30;

export async function listSwitchGroups({ db }: Pick<App, "db">, page: Page): Promise<SwitchGroupRow[]> {
  return db.forSystem("operator", (tx) => listSwitchGroupsAfter(tx, page.after, page.limit));
}

export async function createSwitchGroup(
  app: Pick<App, "db" | "clock">,
  author: Author,
  { name, shards = DEFAULT_SHARDS }: CreateSwitchGroup,
): Promise<SwitchGroupRow> {
  const at = app.clock.now();
  return app.db.forSystem("operator", async (tx) => {
    const group = await insertSwitchGroup(tx, { id: newId(), name, shards, at }).catch(rejectTakenName);
    await recordAct(tx, author, at, {
      action: "switch_group.created",
      subject: group.id,
      detail: { name, shards },
    });
    return group;
  });
}

export async function getSwitchGroup({ db }: Pick<App, "db">, id: string): Promise<SwitchGroupRow> {
  const group = await db.forSystem("operator", (tx) => readSwitchGroup(tx, id));
  if (!group) throw notFound("switch_group_not_found");
  return group;
}

export async function listSwitches({ db }: Pick<App, "db">, page: Page): Promise<SwitchRow[]> {
  return db.forSystem("operator", (tx) => listSwitchesAfter(tx, page.after, page.limit));
}

export async function getSwitch({ db }: Pick<App, "db">, id: string): Promise<SwitchRow> {
  return db.forSystem("operator", (tx) => requireSwitch(tx, id));
}

/** Items whose value on the switch is not the expected one, and those that drifted recently. */
export async function listSwitchExceptions(
  { db }: Pick<App, "db">,
  id: string,
  { after, limit }: Page,
): Promise<SwitchExceptionRow[]> {
  const rows = await listExceptionsAfter(db, id, after, limit);
  // An unknown switch has none, so only then is it looked up.
  if (rows.length === 0) await db.forSystem("operator", (tx) => requireSwitch(tx, id));
  return rows;
}

/** The credential is given out here and kept nowhere. */
export async function createSwitch(
  app: Pick<App, "db" | "clock" | "secrets">,
  author: Author,
  wanted: CreateSwitch | (Omit<CreateSwitch, "group_id"> & { groupName: string }),
): Promise<{ row: SwitchRow; credential: string }> {
  const at = app.clock.now();
  const credential = newSwitchCredential();
  return app.db.forSystem("operator", async (tx) => {
    const groupId = await groupFor(tx, wanted);
    const id = newId();
    const row = {
      id,
      groupId,
      name: wanted.name,
      credential: credentialOf(app, credential),
      unreachableAfterSeconds: wanted.unreachable_after_seconds ?? USUAL_LIMIT_SECONDS,
      at,
    };
    await insertSwitch(tx, row).catch(rejectTakenName);
    const detail = { name: wanted.name, group_id: groupId };
    await recordAct(tx, author, at, { action: "switch.created", subject: id, detail });
    return { row: await requireSwitch(tx, id), credential };
  });
}

/** The old credential ends with this; the agent's stream within a second. */
export async function rotateCredential(
  app: Pick<App, "db" | "clock" | "secrets">,
  author: Author,
  id: string,
): Promise<{ row: SwitchRow; credential: string }> {
  const credential = newSwitchCredential();
  return app.db.forSystem("operator", async (tx) => {
    if (!(await setCredential(tx, id, credentialOf(app, credential)))) throw noSuchSwitch();
    await recordAct(tx, author, app.clock.now(), { action: "switch.credential_rotated", subject: id });
    return { row: await requireSwitch(tx, id), credential };
  });
}

/**
 * Retiring takes a switch out of the count, so what only it had not read back is confirmed. One that returns
 * is a stranger: it counts again when it has read back everything.
 */
export async function changeSwitch(
  app: Pick<App, "db" | "clock" | "feed">,
  author: Author,
  id: string,
  { state, unreachable_after_seconds: seconds }: ChangeSwitch,
): Promise<SwitchRow> {
  const at = app.clock.now();
  const changed = await app.db.forSystem("operator", async (tx) => {
    const { group_id: groupId } = await requireSwitch(tx, id);
    if (state === "retired") await lockConfirmations(tx, groupId);
    const before = await lockSwitch(tx, id);
    if (state !== undefined && before?.state !== state) {
      await setSwitchState(tx, id, state);
      if (state === "retired") {
        await forgetReadings(tx, id, at);
        await confirmGroup(tx, groupId, at);
        await setJobsDueAfterSwitch(tx, at);
      }
      const states = { before: { state: before?.state ?? null }, after: { state } };
      await recordAct(tx, author, at, { action: `switch.${VERBS[state]}`, subject: id, ...states });
    }
    if (seconds !== undefined) {
      await setSwitchLimit(tx, id, seconds);
      const detail = { unreachable_after_seconds: seconds };
      await recordAct(tx, author, at, { action: "switch.limit_set", subject: id, detail });
    }
    return requireSwitch(tx, id);
  });
  app.feed.poke();
  return changed;
}

const VERBS = { active: "activated", draining: "drained", retired: "retired" } as const;

export async function findSwitchesByName({ db }: Pick<App, "db">, name: string): Promise<string[]> {
  return db.forSystem("operator", (tx) => listSwitchIdsByName(tx, name));
}

async function groupFor(tx: Tx, wanted: CreateSwitch | { groupName: string }): Promise<string> {
  const by =
    "groupName" in wanted
      ? { name: wanted.groupName }
      : wanted.group_id === undefined
        ? { defaultOf: "live" as const }
        : { id: wanted.group_id };
  const group = await findSwitchGroup(tx, by);
  // Numbers of the test environment never reach a real switch.
  if (!group || group.environment === "test")
    throw new ApiError("switch_group_not_found", "No switch group with this ID in the live environment.");
  return group.id;
}

async function requireSwitch(tx: Tx, id: string): Promise<SwitchRow> {
  const row = await findSwitch(tx, id);
  if (!row) throw noSuchSwitch();
  return row;
}

function rejectTakenName(error: unknown): never {
  const constraint = violatedConstraint(error);
  if (constraint === "switches_group_id_name_key" || constraint === "switch_groups_name_key")
    throw new ApiError("switch_name_taken", "This name is already taken.");
  throw error;
}

function noSuchSwitch(): ApiError {
  return notFound("switch_not_found");
}
