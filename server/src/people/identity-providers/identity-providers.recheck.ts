import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import { queueMail } from "../../events/mails/mails.ts";
import { listOwnerEmails } from "../members/members.ts";
import {
  listProofsDue,
  lockProofDue,
  type ProofRow,
  setProofChecked,
  setProofLapsed,
  setProofUnknown,
} from "./identity-providers.recheck.store.ts";
import { checkOutcome, nextCheckAfter, retryAfter } from "./identity-providers.rules.ts";
import { isProofIn, proofOf } from "./identity-providers.ts";

type Needs = Pick<App, "db" | "clock" | "secrets" | "config" | "jobs" | "names">;

/** One run looks up at most this many, so that a burst is spread over several runs. */
const MOST_AT_ONCE = 100;
/** A name server may take four seconds to fail. */
const LOOKUPS_AT_ONCE = 10;
const AUTHOR = systemAuthor("domain check");

/** Looks up the TXT records of proofs that are due. A proof whose record stays away lapses. */
export async function recheckDomains(app: Needs): Promise<void> {
  const due = await app.db.forSystem("sign-ins", (tx) => listProofsDue(tx, app.clock.now(), MOST_AT_ONCE));
  for (let from = 0; from < due.length; from += LOOKUPS_AT_ONCE)
    await Promise.all(due.slice(from, from + LOOKUPS_AT_ONCE).map((proof) => recheck(app, proof)));
}

/** The lookup is done while no transaction waits for it. */
async function recheck(app: Needs, { organisation_id, provider_id, domain }: ProofRow): Promise<void> {
  const owner = { organisationId: organisation_id, providerId: provider_id };
  const texts = await app.names.textsOf(proofOf(app, owner, domain).name);
  await app.db.forSystem("sign-ins", async (tx) => {
    const now = app.clock.now();
    const proof = await lockProofDue(tx, { provider_id, domain }, now);
    if (!proof) return;
    if (texts) await settle(tx, app, proof, isProofIn(app, owner, domain, texts));
    else await setProofUnknown(tx, proof, retryAfter(now));
  });
}

async function settle(tx: Tx, app: Needs, proof: ProofRow, isThere: boolean): Promise<void> {
  const now = app.clock.now();
  const outcome = checkOutcome(isThere, proof, now);
  const next = nextCheckAfter(now);
  if (outcome === "lapsed") await setProofLapsed(tx, proof, now);
  else if (outcome === "present")
    await setProofChecked(tx, { ...proof, missing_since: null, missing_checks: 0 }, now, next);
  else {
    const missing = {
      missing_since: proof.missing_since ?? now,
      missing_checks: proof.missing_checks + 1,
    };
    await setProofChecked(tx, { ...proof, ...missing }, now, next);
  }
  if (outcome === "lapsed" || outcome === "missing") await tellOwners(tx, app, proof, outcome);
}

async function tellOwners(
  tx: Tx,
  app: Needs,
  { organisation_id, provider_id, domain }: ProofRow,
  outcome: "missing" | "lapsed",
): Promise<void> {
  for (const recipient of await listOwnerEmails(tx, organisation_id))
    await queueMail(tx, app, { kind: `domain_proof_${outcome}`, recipient, reference: provider_id });
  await recordChange(tx, AUTHOR, app.clock.now(), {
    type: `identity_provider.domain_${outcome}`,
    organisationId: organisation_id,
    subject: provider_id,
    data: { domain },
  });
}
