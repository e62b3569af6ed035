import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createCarrierServer } from "../../../examples/carrier-server/carrier-server.ts";
import { MemoryCarrier, type Offer } from "../../../examples/carrier-server/memory-carrier.ts";
import { ORDERING_FAULTS } from "./planted-ordering-faults.ts";
import { HTTP_FAULTS, SLOW_SERVERS, withoutFeatures } from "./planted-http-faults.ts";
import { INVENTORY_FAULTS } from "./planted-inventory-faults.ts";
import { REQUIREMENT_FAULTS } from "./planted-requirement-faults.ts";
import { cliHome, runCli } from "../testing/run-cli.ts";
import { type CarrierReport, type CheckResult, testCarrier } from "./test-carrier.ts";

// Each run waits for a reservation to expire.
vi.setConfig({ maxConcurrency: 16 });

const SECRET = "of both sides";
const FAULTS = { ...ORDERING_FAULTS, ...INVENTORY_FAULTS, ...REQUIREMENT_FAULTS };
const PATIENCE_MS = 250;

const TRUNKS = [
  { id: "trunk-1", name: "Frankfurt" },
  { id: "trunk-2", name: "Dublin" },
];

const OFFERS: Offer[] = Array.from({ length: 200 }, (_, at) => ({
  number: `+4930100${String(10_000 + at)}`,
  country: "DE",
  type: "local",
  capabilities: ["voice"],
}));

/** They need evidence. */
const REGULATED = Array.from({ length: 20 }, (_, at) => `+4940100${String(10_000 + at)}`);

function soundCarrier(): MemoryCarrier {
  const carrier = new MemoryCarrier(TRUNKS);
  carrier.stock(OFFERS);
  carrier.stock(REGULATED.map((number) => ({ ...OFFERS[0]!, number })));
  const [country, document_kinds, description] = [null, [], "Needed."];
  carrier.requirements.regulate(REGULATED, [
    { id: "address", type: "address", country, document_kinds, description },
    { id: "identity", type: "document", country, document_kinds, description },
  ]);
  return carrier;
}

/** A carrier of which a test replaces functions. The replaced ones remain in `original`. */
function faultyCarrier(name: string): MemoryCarrier {
  const original = soundCarrier();
  const carrier = new Proxy(original, {
    get: (target, member) => {
      const value = replaced[member as keyof MemoryCarrier] ?? Reflect.get(target, member, target);
      return typeof value === "function"
        ? value.bind(replaced[member as keyof MemoryCarrier] ? replaced : target)
        : value;
    },
  });
  const replaced = FAULTS[name]!.fault(carrier, original);
  return carrier;
}

function reportOf(
  carrier: MemoryCarrier,
  { secret = SECRET, disturb = (server: Server) => server, numbers = [] as readonly string[] } = {},
): Promise<CarrierReport> {
  return atServer(disturb(createCarrierServer(carrier, SECRET)), (url) =>
    testCarrier({ url, secret, numbers, regulated: REGULATED, patienceMs: PATIENCE_MS }),
  );
}

async function atServer<Result>(server: Server, run: (url: string) => Promise<Result>): Promise<Result> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function expectFound(report: CarrierReport, finds: string): void {
  const failed = report.checks.filter(({ result }) => result === "failed");
  expect(failed.map(({ check }) => check)).toContain(finds);
  for (const { reason } of failed) expect(reason).toMatch(/\S/);
}

describe("the conformance kit", () => {
  test("passes the example server, and returns every number", async () => {
    const report = await reportOf(soundCarrier());

    expect(report.checks.filter(({ result }) => result !== "passed")).toEqual([]);
    expect(report).toMatchObject({ carrier: "Example carrier", failed: 0, skipped: 0, not_returned: [] });
    expect(report.passed).toBeGreaterThan(50);
  });

  test("names a wrong secret", async () => {
    await expect(reportOf(soundCarrier(), { secret: "another" })).rejects.toThrow("Check the secret.");
  });

  test.concurrent.each(Object.entries(SLOW_SERVERS))(
    "passes a slow server whose GET requests %s",
    async (_, disturb) => {
      const { checks } = await reportOf(soundCarrier(), { disturb });
      expect(checks.filter(({ result }) => result === "failed")).toEqual([]);
    },
  );

  test("counts the checks without enough numbers, and passes with them", async () => {
    const report = await reportOf(soundCarrier(), { disturb: withoutFeatures });
    expect(report).toMatchObject({ failed: 0, without_numbers: expect.any(Number) });
    expect(report.without_numbers).toBeGreaterThan(10);

    const numbers = OFFERS.slice(0, 90).map(({ number }) => number);
    const enough = await reportOf(soundCarrier(), { disturb: withoutFeatures, numbers });
    expect(enough).toMatchObject({ failed: 0, without_numbers: 0, not_returned: [] });
  });

  test.concurrent.each(Object.entries(FAULTS))("finds a carrier that %s", async (name, { finds }) => {
    expectFound(await reportOf(faultyCarrier(name)), finds);
  });

  test.concurrent.each(Object.entries(HTTP_FAULTS))("finds a server that %s", async (_, { fault, finds }) => {
    const disturb = (server: Server) => fault(server, SECRET);
    expectFound(await reportOf(soundCarrier(), { disturb }), finds);
  });
});

describe("dialplane carrier test", () => {
  const home = cliHome();
  const secretFile = join(home.env["HOME"]!, "secret.txt");
  writeFileSync(secretFile, `${SECRET}\n`);
  afterAll(() => home.remove());

  const run = (carrier: MemoryCarrier, ...argv: string[]) =>
    atServer(createCarrierServer(carrier, SECRET), (url) =>
      runCli(["carrier", "test", url, ...argv], home.env),
    );

  test("prints a line for each check, and the result", async () => {
    const regulated = REGULATED.slice(0, 8).flatMap((number) => ["--regulated-number", number]);
    const { exitCode, stdout, stderr } = await run(soundCarrier(), "--secret-file", secretFile, ...regulated);

    expect(exitCode).toBe(0);
    expect(stdout).toContain("passed   orders     buys once if the response is lost and the order repeated");
    expect(stderr).toMatch(
      /^Example carrier: \d+ passed, 0 failed, 0 skipped\. Slowest response: \d+ ms\.$/m,
    );
  });

  test("exits with 1 after a failed check, and prints only those with --failed", async () => {
    const { exitCode, stdout } = await run(
      faultyCarrier("does not cancel reservations"),
      "--secret-file",
      secretFile,
      "--failed",
      "--json",
    );

    expect(exitCode).toBe(1);
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as CheckResult).result)).toEqual(lines.map(() => "failed"));
    expect(stdout).toContain("frees the numbers of a cancelled reservation");
  });

  test("says what is missing", async () => {
    const withoutSecret = await run(soundCarrier());
    expect(withoutSecret).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--secret-file") });

    const wrong = join(home.env["HOME"]!, "wrong.txt");
    writeFileSync(wrong, "another");
    const rejected = await run(soundCarrier(), "--secret-file", wrong);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toMatch(
      /^dialplane: GET \/carrier at http:\S+ returned 401 .* Check the secret\.\n$/,
    );
  });

  test("names the address if nothing listens there", async () => {
    const url = await atServer(createCarrierServer(soundCarrier(), SECRET), async (closed) => closed);
    expect(await runCli(["carrier", "test", url, "--secret-file", secretFile], home.env)).toMatchObject({
      exitCode: 6,
      stderr: `dialplane: Cannot reach the carrier at ${url}. The connection failed: ECONNREFUSED.\n`,
    });
  });

  test("exits with 1 if there are too few numbers", async () => {
    const numbersFile = join(home.env["HOME"]!, "numbers.txt");
    writeFileSync(numbersFile, `${OFFERS[0]!.number}\n${OFFERS[1]!.number}\n`);
    const server = withoutFeatures(createCarrierServer(soundCarrier(), SECRET));
    const argv = ["--secret-file", secretFile, "--numbers-file", numbersFile];
    const { exitCode, stderr } = await atServer(server, (url) =>
      runCli(["carrier", "test", url, ...argv], home.env),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Too few numbers for \d+ checks: name more with --numbers-file\.$/m);
  });
});
