import type { Check, Checks } from "./carrier-check.ts";
import { CarrierClient } from "./carrier-client.ts";
import { DELIVERY_CHECKS } from "./delivery-checks.ts";
import { INVENTORY_CHECKS } from "./inventory-checks.ts";
import { LISTING_CHECKS } from "./listing-checks.ts";
import { ORDERING_CHECKS } from "./ordering-checks.ts";
import { RELEASE_CHECKS } from "./release-checks.ts";
import { REQUIREMENT_CHECKS } from "./requirement-checks.ts";
import { SIGNATURE_CHECKS } from "./signature-checks.ts";
import { TriedCarrier } from "./tried-carrier.ts";
import { CliFailure } from "../cli-failure.ts";
import { EXIT } from "../exit-codes.ts";
import { described, NotChecked, TooFewNumbers, Violation } from "./violation.ts";

export interface CheckResult {
  group: string;
  check: string;
  result: "passed" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  reason: string | null;
}

export interface CarrierReport {
  carrier: string;
  features: string[];
  checks: CheckResult[];
  passed: number;
  failed: number;
  skipped: number;
  /** Skipped because too few numbers are on sale. */
  without_numbers: number;
  /** Numbers that the kit bought and could not release. */
  not_returned: string[];
  slowest_response_ms: number;
}

export interface KitOptions {
  url: string;
  secret: string;
  numbers?: readonly string[];
  /** Numbers on sale that need evidence. */
  regulated?: readonly string[];
  country?: string | undefined;
  patienceMs?: number;
  onResult?: (result: CheckResult) => Promise<void> | void;
}

const GROUPS: Record<string, Checks> = {
  requests: SIGNATURE_CHECKS,
  orders: ORDERING_CHECKS,
  releases: RELEASE_CHECKS,
  lists: LISTING_CHECKS,
  inventory: INVENTORY_CHECKS,
  delivery: DELIVERY_CHECKS,
  evidence: REQUIREMENT_CHECKS,
};

const PATIENCE_MS = 60_000;

/** Buys and returns numbers at a carrier, and checks every promise of the carrier protocol. */
export async function testCarrier(options: KitOptions): Promise<CarrierReport> {
  const { url, secret, numbers = [], regulated = [], country, patienceMs = PATIENCE_MS, onResult } = options;
  const client = new CarrierClient(url, secret);
  const { name, features } = await describe(client, url);
  const tried = new TriedCarrier(client, { features, numbers, regulated, country, patienceMs });
  const checks: CheckResult[] = [];
  let without_numbers = 0;
  for (const [group, promises] of Object.entries(GROUPS)) {
    for (const [check, promise] of Object.entries(promises)) {
      const { hasTooFew, ...outcome } = await resultOf(promise, tried, features);
      if (hasTooFew) without_numbers++;
      const result = { group, check, ...outcome };
      checks.push(result);
      await onResult?.(result);
    }
  }
  const not_returned = await tried.giveEverythingBack().catch(() => ["unknown: the list of numbers failed"]);
  const count = (result: CheckResult["result"]) => checks.filter((one) => one.result === result).length;
  return {
    carrier: name,
    features,
    checks,
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    without_numbers,
    not_returned,
    slowest_response_ms: Math.round(client.slowestMs),
  };
}

/** Name and features of the carrier. Without them, nothing can be checked. */
async function describe(client: CarrierClient, url: string): Promise<{ name: string; features: string[] }> {
  const reply = await client.send("GET", "/carrier").catch((error: unknown) => {
    throw new CliFailure(`Cannot reach the carrier at ${url}. ${reasonOf(error)}`, {
      exitCode: EXIT.unavailable,
    });
  });
  const { name, features } = (reply.body ?? {}) as { name?: unknown; features?: unknown };
  if (reply.status !== 200 || typeof name !== "string" || !Array.isArray(features))
    throw new CliFailure(
      `GET /carrier at ${url} returned ${described(reply)}. Check ${reply.status === 401 ? "the secret" : "address and server"}.`,
    );
  return { name, features: features.filter((one) => typeof one === "string") };
}

async function resultOf(
  { needs, run }: Check,
  tried: TriedCarrier,
  features: readonly string[],
): Promise<Pick<CheckResult, "result" | "reason"> & { hasTooFew?: boolean }> {
  if (needs && !features.includes(needs))
    return { result: "skipped", reason: `The carrier does not have the feature ${needs}.` };
  try {
    await run(tried);
    return { result: "passed", reason: null };
  } catch (error) {
    if (error instanceof NotChecked)
      return { result: "skipped", reason: error.message, hasTooFew: error instanceof TooFewNumbers };
    if (error instanceof Violation) return { result: "failed", reason: error.message };
    return { result: "failed", reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message: string } };
  if (name === "TimeoutError") return "No response within 15 seconds.";
  return cause ? `The connection failed: ${cause.code ?? cause.message}.` : message;
}
