import { createHash } from "node:crypto";
import { canonicalJson, type TrunkDocument, valuesFor } from "./trunks.document.rules.ts";
import type { Desired } from "./trunks.status.rules.ts";

const ETAG_CHARACTERS = 32;

/**
 * The list for a switch. Its etag comes from the content alone, so it stays right after a restore or a failover of the
 * database.
 */
export function desiredFor(document: TrunkDocument, switchId: string): Desired {
  const values = valuesFor(document, switchId);
  const etag = createHash("sha256").update(canonicalJson(values)).digest("hex").slice(0, ETAG_CHARACTERS);
  return { ...values, etag };
}
