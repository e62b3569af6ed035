import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { ADDRESSES, missingPrograms, prepareDrill } from "./drill-folder.ts";
import { progressOf, tableOf } from "./drill-table.ts";
import { collectEvidence } from "./drill-evidence.ts";
import { type Installation, startInstallation, startLoad } from "./installation.ts";
import { isFault, type KillResult, runKill } from "./kill-round.ts";
import { KILLS } from "./kills.ts";
import { drillRestore } from "./restore-drill.ts";

const USAGE = `Usage: npm run drill -- [restore] [--rounds 1] [--rate 50] [--reads 50] [--calls 20]
                               [--only ${Object.keys(KILLS).join(",")}]
                               [--proxied] [--keep]

Starts the installation of deploy/ha on this machine, in a private network, as root. Kills each part under load with
SIGKILL, brings it back, and compares every acknowledged write with the database and both switches. Exits with 1 if a write
is lost or repeated, if a call fails at a switch that was not killed, if the switches do not become equal, or
if an error is not a problem that an outage explains.
With restore, it restores the database to a point in time instead, with pgBackRest and restore mode. It exits with 1 if the
last acknowledged write of a number is missing afterwards, or if a call fails.
  --rounds  kills of each part (default: 1)
  --rate    writes per second (default: 50)
  --reads   reads per second (default: 50)
  --calls   calls per second, half of them to each switch (default: 20)
  --only    kinds of parts, separated by commas (default: all)
  --proxied reach the primary through HAProxy instead of directly
  --keep    keep the folder with all logs`;

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "1" },
    rate: { type: "string", default: "50" },
    reads: { type: "string", default: "50" },
    calls: { type: "string", default: "20" },
    only: { type: "string", default: Object.keys(KILLS).join(",") },
    proxied: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const rounds = Number(given.rounds);
const rates = { writes: Number(given.rate), reads: Number(given.reads), calls: Number(given.calls) };
const kinds = given.only.split(",");
const isRestore = positionals[0] === "restore";
const isSound =
  positionals.length === (isRestore ? 1 : 0) &&
  [rounds, ...Object.values(rates)].every((value) => Number.isInteger(value) && value > 0) &&
  kinds.every((kind) => kind in KILLS);
if (given.help || !isSound) {
  console.log(USAGE);
  process.exit(given.help ? 0 : 2);
}

const missing = missingPrograms();
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(", ")}. docs/high-availability.md names the packages.`);
  process.exit(2);
}

const started = performance.now();
const say = (text: string): void =>
  console.error(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);

const folder = prepareDrill();
const { PROXY1, PROXY2 } = ADDRESSES;
const databaseUrl = given.proxied ? `postgres://${PROXY1}:5432,${PROXY2}:5432/dialplane` : undefined;
const results: KillResult[] = [];
try {
  using installation = await startInstallation(folder, { say, databaseUrl });
  await startLoad(installation, rates);
  say(`load runs: ${rates.writes} writes, ${rates.reads} reads and ${rates.calls} calls per second`);
  if (isRestore) await drillRestore(installation, say);
  else await runRounds(installation);
  await installation.routes.stop();
  // A restore loses the revisions between the point in time and the last route, which it adopts and checks itself.
  const isEqual = isRestore || (await isEqualAtTheEnd(installation));
  if (!isRestore) console.log(`\n${tableOf(results, rates)}\n`);
  say((await installation.service.server("doctor")).trim().split("\n").at(-1)!);
  process.exitCode = results.some(isFault) || !isEqual ? 1 : 0;
} catch (error) {
  console.error(error);
  if (results.length > 0) console.log(tableOf(results, rates));
  process.exitCode = 1;
}
if (given.keep || process.exitCode) say(`logs are in ${folder.path}/logs`);
else rmSync(folder.path, { recursive: true });
// The processes of the installation end with the namespace of the drill.
process.exit();

async function runRounds(installation: Installation): Promise<void> {
  await record(installation, "nothing", 0);
  for (let round = 0; round < rounds; round += 1)
    for (const kind of kinds) await record(installation, kind, round);
}

/** Without any write in flight: database and switches have exactly the last acknowledged writes. */
async function isEqualAtTheEnd(installation: Installation): Promise<boolean> {
  const { lost, repeated, convergedAfter } = await collectEvidence(installation);
  const isEqual = lost === 0 && repeated === 0 && convergedAfter !== undefined;
  say(`${isEqual ? "ok" : "FAULT"} at the end: lost ${lost}, repeated ${repeated}`);
  return isEqual;
}

async function record(installation: Installation, kind: string, round: number): Promise<void> {
  const victim = await KILLS[kind]?.(installation, round);
  const result = await runKill(installation, kind, victim);
  results.push(result);
  say(progressOf(result));
}
