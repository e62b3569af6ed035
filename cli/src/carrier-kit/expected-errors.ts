import type { CarrierReply } from "./carrier-client.ts";
import type { TriedCarrier } from "./tried-carrier.ts";
import { described, expectTrue, Violation } from "./violation.ts";

/** An error says what was wrong. */
export function expectError(body: unknown): void {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  expectTrue(
    typeof code === "string" && code !== "" && typeof message === "string" && message !== "",
    `An error needs code and message, got ${JSON.stringify(body)}.`,
  );
}

export function isUnknown({ status, body }: CarrierReply): boolean {
  return status === 404 && ((body ?? {}) as { code?: unknown }).code === "unknown";
}

/** The reference in the path belongs to an earlier request for another number. */
export async function expectUsed({ client }: TriedCarrier, target: string, body: object): Promise<void> {
  const reply = await client.send("PUT", target, body);
  expectTrue(reply.status === 409, `Expected 409 from PUT ${target}, got ${described(reply)}.`);
  expectError(reply.body);
}

/** A 404 that means: the carrier does not know it. */
export async function expectUnknown(
  { client }: TriedCarrier,
  method: string,
  target: string,
  body?: object,
): Promise<void> {
  const reply = await client.send(method, target, body);
  if (!isUnknown(reply))
    throw new Violation(
      `Expected 404 with the code "unknown" from ${method} ${target}, got ${described(reply)}.`,
    );
}
