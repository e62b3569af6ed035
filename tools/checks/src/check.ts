import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

/**
 * Runs every check:* script of package.json and continues after a failure, so that one run shows all faults.
 * A check that passes prints one line. One that fails prints its whole output.
 */
const { results } = parseArgs({ options: { results: { type: "string" } } }).values;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = Object.keys(scripts).filter((name) => name.startsWith("check:"));
if (names.length === 0) throw new Error("package.json has no check:* script");

const failed: string[] = [];
const waiting = [...names];
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
if (results)
  writeFileSync(results, JSON.stringify({ passed: names.length - failed.length, failed: failed.length }));
if (failed.length > 0) {
  console.error(`\nTo run one again: ${failed.map((name) => `npm run ${name}`).join(", ")}`);
  process.exitCode = 1;
}

async function runWaiting(): Promise<void> {
  for (let name = waiting.shift(); name; name = waiting.shift())
    if (!(await runCheck(name))) failed.push(name);
}

async function runCheck(name: string): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, ["--run", name], { stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on("close", resolve)),
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const isPassed = status === 0;
  console.log(
    `${isPassed ? "ok  " : "FAIL"} ${name.slice("check:".length).padEnd(10)} ${seconds.padStart(5)} s`,
  );
  if (!isPassed) console.log(`${stdout}${stderr}`.trimEnd());
  return isPassed;
}
