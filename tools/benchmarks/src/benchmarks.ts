import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { conditionsText, documentOf, figuresOf, ratiosOf } from "./bench-report.ts";
import { LEG_NAMES, measureCost } from "./cost-of-a-request.ts";
import { MOST_ORDERS } from "./order-backlog.ts";
import { orderConditionsText, orderDocumentOf, orderFiguresOf, orderRatiosOf } from "./order-report.ts";
import { measureThroughput } from "./order-throughput.ts";
import { withPart } from "./results-document.ts";
import { measureUsage, USAGE_LEGS } from "./usage-cost.ts";
import {
  growthOf,
  usageConditionsText,
  usageDocumentOf,
  usageFiguresOf,
  usageRatiosOf,
} from "./usage-report.ts";

const USAGE = `Usage: npm run bench -- [--rounds 5] [--seconds 2.5] [--people 2000] [--numbers 1000000] [--orders 2000]
                               [--calls 10000000] [--rollups 5000000] [--only requests|orders|usage] [--markdown] [--json]

What a request costs, beside PostgreSQL and Fastify by themselves; how many orders a worker gets done, beside a bare loop
over a table of jobs; and what counting calls and reading usage cost. On a PostgreSQL of its own; Ctrl-C ends it.
  --rounds    how often every leg runs
  --seconds   how long a leg is measured
  --people    how many people have a session
  --numbers   how many numbers are routed
  --orders    how many orders wait for the worker in each round
  --calls     how many calls the number has that has most
  --rollups   how many rows there are of numbers' hours: 100000000 fill 25 GB, a third of the free disk at most
  --only      one of the parts
  --markdown  also write benchmarks/results.md; a part that was left out stays as it is
  --json      print everything as one line of JSON instead`;

/** Sessions are created to look fresh for an hour; afterwards the API would write to each. */
const LONGEST_SECONDS = 3_000;

const { values: given } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2.5" },
    people: { type: "string", default: "2000" },
    numbers: { type: "string", default: "1000000" },
    orders: { type: "string", default: "2000" },
    calls: { type: "string", default: "10000000" },
    rollups: { type: "string", default: "5000000" },
    only: { type: "string" },
    markdown: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const [rounds, seconds] = [Number(given.rounds), Number(given.seconds)];
const [people, numbers, orders] = [Number(given.people), Number(given.numbers), Number(given.orders)];
const [calls, rollups] = [Number(given.calls), Number(given.rollups)];
const isSound =
  [rounds, people, numbers, orders, calls, rollups].every(Number.isInteger) &&
  rounds > 0 &&
  seconds > 0 &&
  people >= 16 &&
  numbers >= 1_000 &&
  orders >= 50 &&
  (rounds + 1) * orders <= MOST_ORDERS &&
  calls >= 10_000 &&
  rollups >= 10_000 &&
  [undefined, "requests", "orders", "usage"].includes(given.only);
if (given.help || !isSound || rounds * seconds * (LEG_NAMES.length + USAGE_LEGS.length) > LONGEST_SECONDS) {
  console.log(USAGE);
  process.exit(given.help ? 0 : 2);
}

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interruption.abort());

const RESULTS = new URL("../results.md", import.meta.url);

try {
  const run = { rounds, signal: interruption.signal, onProgress: (text: string) => console.error(text) };
  const isWanted = (part: string): boolean => given.only === undefined || given.only === part;
  const cost = isWanted("requests") ? await measureCost({ ...run, seconds, people, numbers }) : undefined;
  const throughput = isWanted("orders") ? await measureThroughput({ ...run, orders }) : undefined;
  const usage = isWanted("usage") ? await measureUsage({ ...run, seconds, calls, rollups }) : undefined;
  if (given.json) {
    console.log(
      JSON.stringify({
        ...(cost && { ...cost, ratios: ratiosOf(cost.rounds) }),
        ...(throughput && { orders: { ...throughput, ratios: orderRatiosOf(throughput.rounds) } }),
        ...(usage && {
          usage: { ...usage, ratios: usageRatiosOf(usage.rounds), growth: growthOf(usage.rounds) },
        }),
      }),
    );
  } else {
    if (cost) console.log(`\n${conditionsText(cost)}\n\n${figuresOf(cost)}`);
    if (throughput) console.log(`\n${orderConditionsText(throughput)}\n\n${orderFiguresOf(throughput)}`);
    if (usage) console.log(`\n${usageConditionsText(usage)}\n\n${usageFiguresOf(usage)}`);
  }
  if (given.markdown) {
    const fresh = [
      cost && documentOf(cost),
      throughput && orderDocumentOf(throughput),
      usage && usageDocumentOf(usage),
    ].filter((part) => part !== undefined);
    writeFileSync(RESULTS, fresh.reduce(withPart, readFileSync(RESULTS, "utf8")));
  }
} catch (error) {
  if (!interruption.signal.aborted) console.error(error);
  process.exitCode = interruption.signal.aborted ? 130 : 1;
}
