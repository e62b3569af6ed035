import { machineText, type Ratio, ratioOf, table } from "./bench-report.ts";
import { median } from "./leg.ts";
import { BUYERS } from "./order-backlog.ts";
import { WARM_UP_SHARE, type WorkedOff } from "./order-leg.ts";
import type { OrderRound, Throughput } from "./order-throughput.ts";

export function orderRatiosOf(rounds: readonly OrderRound[]): Ratio[] {
  const comparedWith = (what: string, leg: "bare" | "bare_alike"): Ratio =>
    ratioOf(
      what,
      rounds.map((round) => round.orders.perSecond / round[leg].perSecond),
    );
  return [
    comparedWith("orders ÷ bare loop", "bare"),
    comparedWith("orders ÷ loop with as many transactions", "bare_alike"),
  ];
}

export function orderConditionsText({ conditions, rounds }: Throughput): string {
  return [
    machineText(conditions),
    `${rounds.length} rounds of ${conditions.orders.toLocaleString("en")} orders of one number, of ${BUYERS} organisations' test sides.`,
  ].join("\n");
}

export function orderFiguresOf({ rounds, anatomy, bare }: Throughput): string {
  const ratios = orderRatiosOf(rounds);
  const { writing, reading } = bare.transactions;
  const row = (what: string, legs: readonly WorkedOff[]): string[] => {
    const middle = (read: (leg: WorkedOff) => number): number => median(legs.map(read));
    return [
      what,
      Math.round(middle((leg) => leg.perSecond)).toLocaleString("en"),
      middle((leg) => leg.p50Ms).toFixed(1),
      middle((leg) => leg.p99Ms).toFixed(1),
      Math.round(middle((leg) => leg.cpu.worker)).toLocaleString("en"),
      Math.round(middle((leg) => leg.cpu.postgres)).toLocaleString("en"),
    ];
  };
  const counted = median(rounds.map(({ orders }) => orders.transactions));
  return [
    table(
      ["ratio of jobs/s", "median", "least – most", ...rounds.map((_, at) => `round ${at + 1}`)],
      ratios.map((ratio) => [
        ratio.what,
        ratio.median.toFixed(3),
        `${ratio.least.toFixed(3)} – ${ratio.most.toFixed(3)}`,
        ...ratio.perRound.map((one) => one.toFixed(3)),
      ]),
    ),
    "",
    table(
      ["median of the rounds", "jobs/s", "p50 ms", "p99 ms", "worker µs", "PostgreSQL µs"],
      [
        row(
          "orders, by the worker",
          rounds.map(({ orders }) => orders),
        ),
        row(
          "bare loop, 1 transaction a job",
          rounds.map((round) => round.bare),
        ),
        row(
          `loop, ${writing} writing and ${reading} reading`,
          rounds.map((round) => round.bare_alike),
        ),
      ],
    ),
    "",
    `ms from taking a job up to its end; µs are CPU time per job.`,
    `An order sends ${anatomy.statements.toFixed(1)} statements in ${anatomy.transactions.writing.toFixed(1)} writing and ${anatomy.transactions.reading.toFixed(1)} reading transactions, its share of the queue's among them. With all that a worker does besides (the test side's switch, webhooks, looking for what is due), PostgreSQL counted ${counted.toFixed(1)} transactions per order. At most ${bare.atOnce} orders were in hand at once.`,
  ].join("\n");
}

export function orderDocumentOf(throughput: Throughput): string {
  const { bare } = throughput;
  return `# Throughput of orders

Written by \`npm run bench -- --only orders --markdown\`, or with the rest.

${orderConditionsText(throughput)}

${orderFiguresOf(throughput)}

## What is compared
* **Orders.** Each is placed by \`POST /v1/numbers/orders\` beforehand and names a number that the sandbox sells at once. Then a worker is started, as in production, and finds all of them waiting. The sandbox keeps its books in the same database: the transaction in which it sells is among those counted.
* **Bare loop.** A Node process with \`pg\` and ${bare.atOnce} connections, each of which goes on until nothing is left: \`select … for update skip locked limit 1\` on a table with one index of what is queued, update to done, commit. What can go in one flight does. The ratio is what is left of PostgreSQL as a queue once a job is an order: taken up under a lease, claimed, bought, written down, held, told in events and audit.
* **Loop with as many transactions.** The same, but every job has ${bare.transactions.writing} transactions that write one row and ${bare.transactions.reading} that read it. The ratio is what is left once the price of that many commits is paid by both; the rest is what happens inside them.

## How
* The first ${WARM_UP_SHARE * 100} % of a backlog are not counted: a new process has compiled nothing yet. Speed and CPU time are those from there to the last job.
* As many jobs at once as orders were seen in hand at once. The worker's share a pool of 5 connections, comparedWith those of the queue.
* The run ends unless every order got its number at the first go, and every bare job was done just once.
* The legs follow one another within each round, and their order moves on by one every round. A ratio is made within a round.
`;
}
