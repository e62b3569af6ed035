import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { conditionsText, documentOf, figuresOf, ratiosOf } from "./bench-report.ts";
import { LEG_NAMES, measureCost } from "./cost-of-a-request.ts";

const USAGE = `Usage: npm run bench -- [--rounds 5] [--seconds 2.5] [--people 2000] [--numbers 1000000] [--markdown] [--json]

What a request costs, beside PostgreSQL and Fastify by themselves, on a PostgreSQL of its own; Ctrl-C ends it.
  --rounds    how often every leg runs
  --seconds   how long a leg is measured
  --people    how many people have a session
  --numbers   how many numbers are routed
  --markdown  also write benchmarks/results.md
  --json      print everything as one line of JSON instead`;

/** Sessions are made to look fresh for an hour; afterwards the API would write to each. */
const LONGEST_SECONDS = 3_000;

const { values: given } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2.5" },
    people: { type: "string", default: "2000" },
    numbers: { type: "string", default: "1000000" },
    markdown: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [rounds, seconds] = [Number(given.rounds), Number(given.seconds)];
const [people, numbers] = [Number(given.people), Number(given.numbers)];
const isSound =
  [rounds, people, numbers].every(Number.isInteger) &&
  rounds > 0 &&
  seconds > 0 &&
  people >= 16 &&
  numbers >= 1_000;
if (given.help || !isSound || rounds * seconds * LEG_NAMES.length > LONGEST_SECONDS) {
  console.log(USAGE);
  process.exit(given.help ? 0 : 2);
}

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interruption.abort());

try {
  const cost = await measureCost({
    rounds,
    seconds,
    people,
    numbers,
    signal: interruption.signal,
    onProgress: (text) => console.error(text),
  });
  console.log(
    given.json
      ? JSON.stringify({ ...cost, ratios: ratiosOf(cost.rounds) })
      : `\n${conditionsText(cost)}\n\n${figuresOf(cost)}`,
  );
  if (given.markdown) writeFileSync(new URL("../results.md", import.meta.url), documentOf(cost));
} catch (error) {
  if (!interruption.signal.aborted) console.error(error);
  process.exitCode = interruption.signal.aborted ? 130 : 1;
}
