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

/** A 404 that means: the carrier does not know it. */
export async function expectUnknown(
  { client }: TriedCarrier,
  method: string,
  target: string,
  body?: object,
): Promise<void> {
  const reply = await client.send(method, target, body);
  const { code } = (reply.body ?? {}) as { code?: unknown };
  if (reply.status !== 404 || code !== "unknown")
    throw new Violation(
      `Expected 404 with the code "unknown" from ${method} ${target}, got ${described(reply)}.`,
    );
}
