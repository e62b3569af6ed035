import type { App } from "../../app.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { changesBetween } from "./trunks.audit.rules.ts";
import { canonicalJson, EMPTY } from "./trunks.document.rules.ts";
import { type Draft, draftList, draftTrunk, rejectFaults } from "./trunks.draft.ts";
import { faultsOf } from "./trunks.faults.rules.ts";
import { readList } from "./trunks.list.ts";
import { openPasswords, passwordsOf, sealPasswords } from "./trunks.passwords.ts";
import { canonicalNetworks, openedNetworks } from "./trunks.rules.ts";
import type { ReplaceTrunks, RestoreTrunks, SetTrunk } from "./trunks.schema.ts";
import type { TrunkList } from "./trunks.shown.schema.ts";
import {
  deleteRevisionsUpTo,
  findNewest,
  findRevision,
  type GroupSwitchRow,
  insertRevision,
  isLiveGroup,
  listGroupSwitches,
  listRevisionsBefore,
  lockGroup,
  type RevisionRow,
} from "./trunks.store.ts";

export type { RevisionRow };
export { syncTrunks } from "./trunks.sync.ts";

type Needs = Pick<App, "db" | "clock" | "secrets">;

/** Revisions of a group that can be restored. */
const KEPT_REVISIONS = 200;
const MOST_NAMED = 10;

interface Current extends Draft {
  revision: number;
  switches: GroupSwitchRow[];
  now: Date;
}

interface Wish {
  revision?: number;
  confirmed_networks?: string[];
  restoredFrom?: number;
}

export async function getTrunks({ db, clock }: Needs, groupId: string): Promise<TrunkList> {
  return db.forSystem("trunks", async (tx) => {
    if (!(await isLiveGroup(tx, groupId))) throw noSuchGroup();
    return readList(tx, groupId, clock.now());
  });
}

export async function listRevisions(
  { db }: Needs,
  groupId: string,
  { after, limit }: Page,
): Promise<RevisionRow[]> {
  return db.forSystem("trunks", async (tx) => {
    if (!(await isLiveGroup(tx, groupId))) throw noSuchGroup();
    return listRevisionsBefore(tx, groupId, after === undefined ? null : Number(after), limit);
  });
}

export async function replaceTrunks(
  app: Needs,
  author: Author,
  groupId: string,
  { trunks, forwarding, ...wish }: ReplaceTrunks,
): Promise<TrunkList> {
  return change(app, { author, groupId }, wish, async ({ switches, now, ...current }) =>
    draftList({ trunks, forwarding }, { current, now }, idsOf(switches)),
  );
}

/** Adds the trunk, or replaces the one with this name. */
export async function setTrunk(
  app: Needs,
  author: Author,
  { id, name }: { id: string; name: string },
  { trunk: settings, ...wish }: SetTrunk,
): Promise<TrunkList> {
  return change(app, { author, groupId: id }, wish, async ({ switches, now, ...current }) => {
    const { trunks, forwarding } = current.document;
    const { trunk, added, faults } = draftTrunk({ ...settings, name }, { current, now }, "#/trunk");
    const others = trunks.filter((one) => one.name !== name);
    // The changed trunk is checked last, so that an address of two trunks is a fault of this request.
    const found = faultsOf({ trunks: [...others, trunk], forwarding }, idsOf(switches), {
      trunk: (index) => (index === others.length ? "#/trunk" : "#"),
      forwarding: "",
    });
    rejectFaults([...faults, ...found.map((fault) => (fault.pointer.startsWith("#") ? fault : IN_USE))]);
    const isNew = others.length === trunks.length;
    const next = isNew ? [...trunks, trunk] : trunks.map((one) => (one.name === name ? trunk : one));
    return {
      document: { trunks: next, forwarding },
      passwords: { ...current.passwords, ...added },
    };
  });
}

const IN_USE = {
  pointer: "#/trunk/direction",
  code: "not_allowed",
  detail: "Forwarding uses this trunk. Remove it from forwarding before it only sends calls.",
};

export async function deleteTrunk(
  app: Needs,
  author: Author,
  { id, name }: { id: string; name: string },
  wish: Wish,
): Promise<TrunkList> {
  return change(
    app,
    { author, groupId: id },
    wish,
    async ({ document: { trunks, forwarding }, passwords }) => {
      const rest = trunks.filter((one) => one.name !== name);
      if (rest.length === trunks.length)
        throw new ApiError("trunk_not_found", `The group has no trunk ${name}.`);
      if (forwarding?.gateways.some(({ trunk }) => trunk === name))
        throw new ApiError("trunk_in_use", `Forwarding uses the trunk ${name}.`);
      return { document: { trunks: rest, forwarding }, passwords };
    },
  );
}

/** Sets an earlier list again, with its passwords. */
export async function restoreTrunks(
  app: Needs,
  author: Author,
  groupId: string,
  { to, ...wish }: RestoreTrunks,
): Promise<TrunkList> {
  return change(app, { author, groupId }, { ...wish, restoredFrom: to }, async (_, tx) => {
    const row = await findRevision(tx, groupId, to);
    if (!row) throw new ApiError("trunk_revision_not_found", `The group has no trunk revision ${to}.`);
    return { document: row.document, passwords: openPasswords(app.secrets, groupId, row) };
  });
}

/** A change without effect stores and records nothing. */
async function change(
  app: Needs,
  { author, groupId }: { author: Author; groupId: string },
  wish: Wish,
  draft: (current: Current, tx: Tx) => Promise<Draft>,
): Promise<TrunkList> {
  const now = app.clock.now();
  return app.db.forSystem("trunks", async (tx) => {
    if (!(await lockGroup(tx, groupId))) throw noSuchGroup();
    const current = await readCurrent(tx, app, groupId, now);
    if (wish.revision !== undefined && wish.revision !== current.revision)
      throw new ApiError(
        "trunks_changed",
        `The trunks have revision ${current.revision} now, not ${wish.revision}.`,
        { members: { revision: current.revision } },
      );
    const next = await draft(current, tx);
    const isSame = canonicalJson(current.document) === canonicalJson(next.document);
    if (!isSame || current.revision === 0) await store(tx, app, author, { groupId, current, next, wish });
    return readList(tx, groupId, now);
  });
}

async function readCurrent(tx: Tx, { secrets }: Needs, groupId: string, now: Date): Promise<Current> {
  const row = await findNewest(tx, groupId);
  const switches = await listGroupSwitches(tx, groupId);
  if (!row) return { revision: 0, document: EMPTY, passwords: {}, switches, now };
  const passwords = openPasswords(secrets, groupId, row);
  return { revision: row.revision, document: row.document, passwords, switches, now };
}

async function store(
  tx: Tx,
  { secrets }: Needs,
  author: Author,
  { groupId, current, next, wish }: { groupId: string; current: Current; next: Draft; wish: Wish },
): Promise<void> {
  rejectOutdated(current.switches);
  const opened = openedNetworks(current.document.trunks, next.document.trunks);
  rejectUnconfirmed(opened, wish.confirmed_networks ?? []);
  const revision = current.revision + 1;
  const passwords = passwordsOf(next.document, next.passwords);
  await insertRevision(tx, groupId, {
    revision,
    document: next.document,
    ...sealPasswords(secrets, groupId, revision, passwords),
    opened_networks: opened,
    restored_from: wish.restoredFrom ?? null,
    created_at: current.now,
    actor_id: author.actor_id,
    actor_name: author.actor_name,
  });
  await deleteRevisionsUpTo(tx, groupId, revision - KEPT_REVISIONS);
  await recordAct(tx, author, current.now, {
    action: "trunks.changed",
    subject: groupId,
    detail: {
      revision,
      opened_networks: opened,
      ...(wish.restoredFrom !== undefined && { restored_from: wish.restoredFrom }),
    },
    ...changesBetween(current.document, next.document),
  });
}

function rejectOutdated(switches: readonly GroupSwitchRow[]): void {
  const names = switches.flatMap((one) => (one.is_outdated && one.state !== "retired" ? [one.name] : []));
  if (names.length === 0) return;
  throw new ApiError(
    "switches_outdated",
    `These switches cannot set trunks: ${names.slice(0, MOST_NAMED).join(", ")}. Update their agent and Kamailio configuration first.`,
  );
}

/** Too many are an error as well: the operator has confirmed another change. */
function rejectUnconfirmed(opened: readonly string[], confirmed: readonly string[]): void {
  if (canonicalNetworks(confirmed).join() === opened.join()) return;
  const named = opened.length > MOST_NAMED ? [...opened.slice(0, MOST_NAMED), "…"] : opened;
  throw new ApiError(
    "networks_not_confirmed",
    opened.length > 0
      ? `The change opens the switches to ${named.join(", ")}, and \`confirmed_networks\` does not list exactly these.`
      : "The change opens no network, and `confirmed_networks` lists some.",
    { members: { networks: opened } },
  );
}

function idsOf(switches: readonly GroupSwitchRow[]): Set<string> {
  return new Set(switches.map(({ id }) => id));
}

function noSuchGroup(): ApiError {
  return notFound("switch_group_not_found");
}
