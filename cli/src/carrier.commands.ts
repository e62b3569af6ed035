import { type CarrierReport, type CheckResult, testCarrier } from "./carrier-kit/test-carrier.ts";
import { command, type OptionTable, type Values } from "./cli-command.ts";
import { usageFailure } from "./cli-failure.ts";
import { EXIT } from "./exit-codes.ts";
import { readFile } from "./read-file.ts";

const TEST_OPTIONS = {
  "secret-file": {
    type: "string",
    value: "path",
    summary: "file with the secret that signs requests",
  },
  number: {
    type: "string",
    multiple: true,
    value: "number",
    summary: "number on sale, for a carrier without inventory",
  },
  "numbers-file": {
    type: "string",
    value: "path",
    summary: "file with such numbers, one per line",
  },
  "regulated-number": {
    type: "string",
    multiple: true,
    value: "number",
    summary: "number on sale that needs evidence (repeatable)",
  },
  country: { type: "string", value: "code", summary: "country of the numbers to buy" },
  failed: { type: "boolean", summary: "print only checks that failed" },
} as const satisfies OptionTable;

export const CARRIER_COMMANDS = [
  command({
    name: "carrier test",
    group: "Tools",
    summary: "Check a server that implements the carrier protocol",
    args: ["url"],
    options: TEST_OPTIONS,
    details:
      "Searches, reserves, orders, delivers and returns about 100 numbers, with repeated, concurrent and lost requests, and compares every response with the specification. At a real carrier that costs money. Exits with 1 if a check failed, if a number was not returned, or if there were too few numbers for a check. Prints the summary to stderr.",
    examples: ["dialplane carrier test https://carrier.example --secret-file secret.txt"],
    async run({ context: { output, terminal }, args: [url], options }) {
      const report = await testCarrier({
        url: readUrl(url!),
        secret: secretOf(options),
        numbers: numbersOf(options),
        regulated: options["regulated-number"] ?? [],
        country: options.country,
        async onResult(result) {
          if (!options.failed || result.result === "failed") await output.line(result, fieldsOf(result));
        },
      });
      for (const line of summaryOf(report)) terminal.say(line);
      const isSound = report.failed === 0 && report.not_returned.length === 0 && report.without_numbers === 0;
      return isSound ? EXIT.ok : EXIT.failure;
    },
  }),
];

function fieldsOf({ group, check, result, reason }: CheckResult) {
  return [
    ["result", result.padEnd(7)],
    ["group", group.padEnd(9)],
    ["check", check],
    ["reason", reason],
  ] as const;
}

function summaryOf({ carrier, passed, failed, skipped, ...report }: CarrierReport): string[] {
  return [
    `${carrier}: ${passed} passed, ${failed} failed, ${skipped} skipped. Slowest response: ${report.slowest_response_ms} ms.`,
    ...(report.without_numbers > 0
      ? [`Too few numbers for ${report.without_numbers} checks: name more with --numbers-file.`]
      : []),
    ...(report.not_returned.length > 0
      ? [`Return these numbers yourself: ${report.not_returned.join(", ")}`]
      : []),
  ];
}

function readUrl(url: string): string {
  if (!URL.canParse(url)) throw usageFailure(`${url} is not an address such as https://carrier.example.`);
  return url;
}

function numbersOf({ number = [], "numbers-file": path }: Values<typeof TEST_OPTIONS>): string[] {
  return [...number, ...(path ? readFile(path).split(/\s+/).filter(Boolean) : [])];
}

function secretOf(options: Values<typeof TEST_OPTIONS>): string {
  const path = options["secret-file"];
  if (!path) throw usageFailure("Name the file with the secret: --secret-file secret.txt.");
  const secret = readFile(path).trim();
  if (!secret) throw usageFailure(`${path} is empty.`);
  return secret;
}
