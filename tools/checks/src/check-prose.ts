import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compareProse, countByPath, findProse, type ProseHit } from "./prose.ts";
import { repositoryRoot } from "./repository-files.ts";

/**
 * Fails on wordings that docs/style.md rules out, above what prose-baseline.json allows per file.
 *   --update       lowers the baseline to the hits there are
 *   --list <path>  prints the hits in paths that start so
 *   --table        prints hits per area
 */
const BASELINE = join(repositoryRoot, "tools/checks/prose-baseline.json");
const ALLOWED = join(repositoryRoot, "tools/checks/prose-allowed.json");
const options = parseArgs({
  options: { update: { type: "boolean" }, list: { type: "string" }, table: { type: "boolean" } },
}).values;

const hits = findProse(repositoryRoot, read(ALLOWED, []));
if (options.list !== undefined) printHits(hits.filter(({ path }) => path.startsWith(options.list!)));
else if (options.table) printTable(hits);
else if (options.update) update();
else report(compareProse(hits, read(BASELINE, {})));

function read<Content>(path: string, otherwise: Content): Content {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Content) : otherwise;
}

function printHits(found: readonly ProseHit[]): void {
  for (const { path, line, rule, words, text } of found)
    console.log(`${path}:${line}: ${rule.id} "${words}" in: ${text}`);
}

function printTable(found: readonly ProseHit[]): void {
  const areas = Map.groupBy(found, ({ area }) => area);
  console.table(
    [...areas].map(([area, all]) => ({ area, hits: all.length })).toSorted((a, b) => b.hits - a.hits),
  );
  console.log(`${found.length} hits`);
}

function update(): void {
  const baseline = read<Record<string, number>>(BASELINE, {});
  const counts = countByPath(hits);
  const grown = existsSync(BASELINE)
    ? Object.keys(counts).filter((path) => counts[path]! > (baseline[path] ?? 0))
    : [];
  if (grown.length > 0) return report(compareProse(hits, baseline));
  writeFileSync(BASELINE, `${JSON.stringify(counts, null, 2)}\n`);
}

function report(faults: readonly string[]): void {
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}
