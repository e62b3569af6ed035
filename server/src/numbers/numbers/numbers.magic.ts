import { MAGIC_NUMBERS } from "@dialplane/switch-agent";
import type { Tx } from "../../platform/db/database.ts";
import type { Author } from "../../events/audit/audit.ts";
import { addHoldings } from "./numbers.stock.ts";

/** Every test environment begins with these; the label says what the simulated switch makes of each. */
export async function addMagicNumbers(
  tx: Tx,
  author: Author,
  at: Date,
  organisationId: string,
): Promise<void> {
  const numbers = Object.values(MAGIC_NUMBERS).map(({ e164, what }) => ({
    e164,
    country: "US",
    type: "local",
    label: what,
  }));
  await addHoldings(tx, author, at, { organisationId, environment: "test", source: "import", numbers });
}
