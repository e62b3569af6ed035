import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  CONTRACT,
  generateFiles,
  listStale,
  RELEASED_CONTRACT,
  REPOSITORY,
  writeFiles,
} from "./contract/contract.generated.ts";
import { OPERATIONS } from "./operations.ts";

/**
 * Writes what is derived from the code: contracts, reference pages, the schema of the database.
 *   --check     only says which of them are stale
 *   --release   also makes the contract the one that later versions are compared with
 */
const { check, release } = parseArgs({
  options: { check: { type: "boolean" }, release: { type: "boolean" } },
}).values;
const files = await generateFiles(OPERATIONS);
const stale = listStale(REPOSITORY, files);

if (check) {
  for (const path of stale) console.error(`${path} is stale: npm run generate`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  writeFiles(REPOSITORY, files);
  for (const path of stale) console.log(`wrote ${path}`);
  if (release) copyFileSync(join(REPOSITORY, CONTRACT), join(REPOSITORY, RELEASED_CONTRACT));
}
