import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

/**
 * Runs every check:* script of package.json and goes on after a failure, so that one run shows all there is to
 * mend. A check that passes prints one line, one that fails everything it said.
 */
const { results } = parseArgs({ options: { results: { type: "string" } } }).values;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = Object.keys(scripts).filter((name) => name.startsWith("check:"));
if (names.length === 0) throw new Error("package.json has no check:* script");

const failed = names.filter((name) => !runCheck(name));
if (results)
  writeFileSync(results, JSON.stringify({ passed: names.length - failed.length, failed: failed.length }));
if (failed.length > 0) {
  console.error(`\nTo run one again: ${failed.map((name) => `npm run ${name}`).join(", ")}`);
  process.exitCode = 1;
}

function runCheck(name: string): boolean {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--run", name], { encoding: "utf8" });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const isPassed = status === 0;
  console.log(
    `${isPassed ? "ok  " : "FAIL"} ${name.slice("check:".length).padEnd(10)} ${seconds.padStart(5)} s`,
  );
  if (!isPassed) console.log(`${stdout}${stderr}`.trimEnd());
  return isPassed;
}
