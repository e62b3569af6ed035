import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import {
  listSavedStateItems,
  listSavedStates,
  requestState,
  type SavedStateRow,
} from "./switching/saved-states/saved-states.ts";
import { ApiError } from "./platform/api-error.ts";
import { openApp } from "./start.ts";

const AUTHOR = systemAuthor("server command");
const PAGE = 1_000;

export const SAVED_STATES_USAGE = `  saved-states         list what switches saved when an epoch ended, newest first
  request-state <id>   ask the switch's agent to upload a saved state
  show-state <id>      print an uploaded state, one JSON object per line`;

/** Needs access to the server, and works while sign-in is down. */
export async function runSavedStatesCommand(config: Config, command: string, id?: string): Promise<number> {
  const app = await openApp(config);
  try {
    if (command === "saved-states") await printStates(app);
    else if (!id) throw new ApiError("saved_state_not_found", "Pass the ID of a saved state.");
    else if (command === "request-state") console.log(lineOf(await requestState(app, AUTHOR, id)));
    else await printItems(app, id);
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await app.close();
  }
}

async function printStates(app: App): Promise<void> {
  const states = await listSavedStates(app, { switchId: undefined }, { after: undefined, limit: PAGE });
  if (states.length === 0) console.log("No switch has announced a saved state.");
  for (const state of states) console.log(lineOf(state));
}

async function printItems(app: App, id: string): Promise<void> {
  let after: string | undefined;
  do {
    const rows = await listSavedStateItems(app, id, undefined, { after, limit: PAGE });
    for (const row of rows.slice(0, PAGE)) console.log(JSON.stringify(row));
    after = rows.length > PAGE ? rows[PAGE - 1]!.id : undefined;
  } while (after !== undefined);
}

function lineOf({ id, switch_id, epoch, saved_at, items, requested_at, uploaded_at }: SavedStateRow): string {
  const status = uploaded_at ? "uploaded" : requested_at ? "requested" : "on the switch";
  return `${saved_at.toISOString()}  ${id}  switch ${switch_id}, epoch ${epoch}, ${items} items, ${status}`;
}
