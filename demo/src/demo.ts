#!/usr/bin/env node
import { explain } from "./demo-ending.ts";
import { readOptions, USAGE } from "./demo-options.ts";
import { showProgress } from "./demo-progress.ts";
import { runDemo } from "./demo-run.ts";

process.exit(await main());

async function main(): Promise<number> {
  const progress = showProgress();
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options) {
      console.log(USAGE);
      return 0;
    }
    return await runDemo(options, progress);
  } catch (error) {
    progress.say(explain(error));
    return 1;
  }
}
