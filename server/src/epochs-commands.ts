import type { Config } from "./config.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import { beginEpochByHand, type EpochRow, listEpochs, resolveEpoch } from "./switching/epochs/epochs.ts";
import { ApiError } from "./platform/api-error.ts";
import { openApp } from "./start.ts";

const AUTHOR = systemAuthor("server command");

export const EPOCHS_USAGE = `  epochs               list the epochs of the feed, newest first
  new-epoch            make every switch load its whole state again
  resolve-epoch [id]   end the alarm of a rollback and the hold of switches; without an ID, of the newest epoch`;

/** Needs access to the server, and works while sign-in is down. */
export async function runEpochsCommand(config: Config, command: string, id?: string): Promise<number> {
  const app = await openApp(config);
  try {
    const [newest, ...older] = await listEpochs(app, { after: undefined, limit: 100 });
    if (command === "new-epoch") {
      console.log(
        `Epoch ${await beginEpochByHand(app, AUTHOR)} begins. Every switch loads its whole state again.`,
      );
    } else if (command === "resolve-epoch") {
      const { epoch } = await resolveEpoch(app, AUTHOR, id ?? newest!.epoch);
      console.log(`Epoch ${epoch} is resolved.`);
    } else {
      for (const row of [newest!, ...older]) console.log(lineOf(row));
    }
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await app.close();
  }
}

function lineOf(row: EpochRow): string {
  const began = `${row.began_at.toISOString()}  ${row.epoch}  ${row.cause}`;
  if (row.cause !== "rollback") return began;
  const state = row.resolved_at
    ? `resolved ${row.resolved_at.toISOString()}`
    : row.is_held
      ? "HELD"
      : "UNRESOLVED";
  const lost = row.newest_row_at ? `, changes after ${row.newest_row_at.toISOString()} are lost` : "";
  return `${began}  ${state}${lost}\n  ${JSON.stringify(row.evidence)}`;
}
