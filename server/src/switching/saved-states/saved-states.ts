import type { App } from "../../app.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import type { Page } from "../../platform/http/page.ts";
import { isId, newId } from "../../platform/ids.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import type { AnnouncedStates, SavedStatePart } from "./saved-states.schema.ts";
import {
  countItems,
  deleteItems,
  findState,
  insertItems,
  listItems,
  listRequested,
  listStates,
  lockState,
  replaceAnnounced,
  type SavedStateItemRow,
  type SavedStateRow,
  setRequested,
  setUploaded,
} from "./saved-states.store.ts";

export type { SavedStateItemRow, SavedStateRow };

type Needs = Pick<App, "db" | "clock">;

/** As many as an agent keeps. */
const MOST_UPLOADED = 3;

/**
 * Remembers which states an agent has saved; returns the epochs of those to upload. States of an open restore are
 * uploaded without a request.
 */
export async function announceStates(
  { db, clock }: Needs,
  who: SwitchCaller,
  { states }: AnnouncedStates,
): Promise<string[]> {
  return db.forSwitch(who, async (tx) => {
    await replaceAnnounced(
      tx,
      who.switchId,
      states.map((state) => ({ id: newId(), ...state })),
      clock.now(),
    );
    return listRequested(tx, who.switchId);
  });
}

/** Takes one part of a requested state. Parts may come again and in any order; the last one makes the state readable. */
export async function takePart(
  { db, clock }: Needs,
  who: SwitchCaller,
  epoch: string,
  { items, is_last: isLast }: SavedStatePart,
): Promise<void> {
  const missing = await db.forSwitch(who, async (tx) => {
    const state = await lockState(tx, who.switchId, epoch);
    if (!state?.requested_at) throw noSuchState();
    if (state.uploaded_at) return 0;
    await insertItems(tx, state.id, items);
    if (!isLast) return 0;
    const count = await countItems(tx, state.id);
    if (count === state.items) {
      await setUploaded(tx, state, clock.now(), MOST_UPLOADED);
      return 0;
    }
    // Parts of two copies under one name: the agent begins again with the one it has now.
    await deleteItems(tx, state.id);
    return state.items - count;
  });
  if (missing !== 0)
    throw new ApiError(
      "saved_state_incomplete",
      `The parts do not add up to the announced number of items, by a difference of ${missing}. Announce the state and upload all parts again.`,
    );
}

export async function listSavedStates(
  { db }: Needs,
  filter: { switchId: string | undefined },
  { after, limit }: Page,
): Promise<SavedStateRow[]> {
  const [savedAt = "", id = ""] = after?.split(" ") ?? [];
  const before = after === undefined ? undefined : { savedAt, id };
  return db.forSystem("operator", (tx) => listStates(tx, filter, { before, limit }));
}

/** Asks the agent to upload a state. Asking again changes nothing. */
export async function requestState({ db, clock }: Needs, author: Author, id: string): Promise<SavedStateRow> {
  const at = clock.now();
  if (!isId(id)) throw noSuchState();
  return db.forSystem("operator", async (tx) => {
    const requested = await setRequested(tx, id, at);
    if (requested) {
      const { switch_id: switchId, epoch } = requested;
      await recordAct(tx, author, at, {
        action: "saved_state.requested",
        subject: id,
        detail: { switch_id: switchId, epoch },
      });
    }
    const state = requested ?? (await findState(tx, id));
    if (!state) throw noSuchState();
    return state;
  });
}

export async function listSavedStateItems(
  { db }: Needs,
  id: string,
  number: string | undefined,
  page: Page,
): Promise<SavedStateItemRow[]> {
  if (!isId(id)) throw noSuchState();
  return db.forSystem("operator", async (tx) => {
    const state = await findState(tx, id);
    if (!state) throw noSuchState();
    if (!state.uploaded_at)
      throw new ApiError(
        "saved_state_not_uploaded",
        state.requested_at
          ? "The agent has not finished uploading this state."
          : "This state is only on the switch. Request it first.",
      );
    return listItems(tx, id, { number, ...page });
  });
}

function noSuchState(): ApiError {
  return notFound("saved_state_not_found");
}
