import { parseArgs } from "node:util";
import type { Config } from "./config.ts";
import { openApp } from "./start.ts";
import { archiveCallsBefore } from "./switching/calls/calls.archive.jobs.ts";
import { verifyArchive } from "./switching/calls/calls.archive.ts";

export const ARCHIVE_USAGE = `  archive calls --before <YYYY-MM> --to <folder>
                       write months of call records before this one as Parquet files, and verify them
  archive verify <folder>
                       read an archived month, and compare it with its manifest`;

/** Deletes nothing: the worker drops months that are older than CALL_RECORDS_MONTHS. */
export async function runArchiveCommand(config: Config, words: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: words,
    allowPositionals: true,
    options: { before: { type: "string" }, to: { type: "string" } },
  });
  const [verb, folder] = positionals;
  if (verb === "verify" && folder) return runVerify(folder);
  if (verb !== "calls" || !/^\d{4}-(0[1-9]|1[0-2])$/.test(values.before ?? "") || !values.to) {
    console.error(`Usage:\n${ARCHIVE_USAGE}`);
    return 2;
  }
  if (values.before! > new Date().toISOString().slice(0, 7)) {
    console.error(`--before ${values.before} is in the future. A month is archived after its end.`);
    return 2;
  }
  const app = await openApp(config);
  try {
    const months = await archiveCallsBefore(app.db, { before: values.before!, to: values.to });
    for (const { month, rows, talk_seconds, files } of months)
      console.log(`${month}: ${rows} calls, ${talk_seconds} seconds, ${files.length} files`);
    if (months.length === 0) console.log(`No call records before ${values.before} are stored.`);
    return 0;
  } finally {
    await app.close();
  }
}

async function runVerify(folder: string): Promise<number> {
  try {
    const { month, rows, talk_seconds, files } = await verifyArchive(folder);
    console.log(`${month}: ${rows} calls, ${talk_seconds} seconds, ${files.length} files, intact`);
    return 0;
  } catch (error) {
    console.error(`${folder} is not intact: ${(error as Error).message}`);
    return 1;
  }
}
