import type { Client, PhoneNumber } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import { isId } from "./cli-context.ts";
import { EXIT } from "./exit-codes.ts";

/** A number as people name it: by its digits, with or without the plus, spaces and dashes, or by its id. */
export async function findNumber(client: Client, named: string): Promise<PhoneNumber> {
  if (isId(named)) return client.numbers.get(named);
  const digits = named.replace(/[^\d]/g, "");
  // Those that rest or are gone are listed only where they are requested.
  for (const status of digits.length >= 3 ? ([undefined, "quarantined", "released"] as const) : []) {
    const query = { q: digits, limit: 100, ...(status ? { status } : {}) };
    const found = (await client.numbers.list(query)).data.find(({ e164 }) => e164 === `+${digits}`);
    if (found) return found;
  }
  throw new CliFailure(`No number “${named}” in this organisation and environment.`, {
    exitCode: EXIT.notFound,
    next:
      digits.length >= 3 ? `dialplane numbers list --search ${digits.slice(-6)}` : "dialplane numbers list",
  });
}
