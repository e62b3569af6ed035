import type { App } from "../../app.ts";
import { type Author, recordAct } from "../../events/audit/audit.ts";
import { type HeldSettings, restoreConnection } from "../../numbers/connections/connections.ts";
import { addHoldings, parseNumber, suspendHolding } from "../../numbers/numbers/numbers.ts";
import {
  adoptFinding as adoptOfCarrier,
  repairFinding as repairOfCarrier,
} from "../../numbers/reconciliations/reconciliations.ts";
import { beginRelease } from "../../numbers/releases/releases.ts";
import { ApiError, notFound } from "../../platform/api-error.ts";
import type { OrganisationScope, Tx } from "../../platform/db/database.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import {
  closeOutdated,
  findFinding,
  findOrderOf,
  type FindingFilter,
  type ItemValue,
  listFindingsAfter,
  organisationExists,
  type RestoreFindingRow,
  restoreRouting,
  setDecided,
} from "./restores.findings.store.ts";
import type { FindingState } from "./restores.rules.ts";
import { findRestore } from "./restores.store.ts";

type Needs = Pick<App, "db" | "clock" | "carriers" | "jobs" | "feed">;

/** Why a number is suspended: it was suspended after the backup. */
const RESTORE = "restore";

export async function listRestoreFindings(
  { db, clock }: Pick<App, "db" | "clock">,
  restoreId: string,
  filter: FindingFilter,
  page: Page,
): Promise<RestoreFindingRow[]> {
  return db.forSystem("operator", async (tx) => {
    if (!(await findRestore(tx, restoreId))) throw notFound("restore_not_found");
    await closeOutdated(tx, restoreId, clock.now());
    return listFindingsAfter(tx, restoreId, filter, page);
  });
}

/**
 * Takes over what the switches or the carrier have. Each decision can be repeated after a crash: its effect is complete
 * or absent, and an effect without the decision closes the finding as outdated.
 */
export async function adoptFinding(
  app: Needs,
  author: Author,
  id: string,
  organisationId?: string,
): Promise<RestoreFindingRow> {
  const finding = await openFinding(app, id);
  const organisation = organisationId ?? finding.organisation_id ?? undefined;
  const decided = await ADOPTIONS[finding.kind](app, author, finding, organisation);
  app.feed.poke();
  return decided;
}

/** Keeps what the database has. */
export async function dropFinding(app: Needs, author: Author, id: string): Promise<RestoreFindingRow> {
  const finding = await openFinding(app, id);
  const decided = await app.db.forSystem("operator", async (tx) => {
    const row = await decide(tx, app, { finding, state: "dropped", author });
    // The switches have seen this generation with another value.
    if (finding.kind === "newer_on_switch" && finding.item_kind === "route")
      await restoreRouting(tx, routingOf(app, author, finding, undefined));
    return row;
  });
  app.feed.poke();
  return decided;
}

type Adoption = (
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
  organisationId: string | undefined,
) => Promise<RestoreFindingRow>;

const ADOPTIONS: Record<RestoreFindingRow["kind"], Adoption> = {
  newer_on_switch: adoptNewer,
  only_on_switch: adoptItem,
  only_here: adoptRelease,
  not_at_carrier: async (app, author, finding) => {
    await repairOfCarrier(app, author, finding.finding_id!);
    return decideAlone(app, author, finding);
  },
  not_here: async (app, author, finding, organisationId) => {
    await adoptOfCarrier(app, author, finding.finding_id!, organisationId ?? missingOrganisation());
    return decideAlone(app, author, finding);
  },
};

async function adoptNewer(
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
): Promise<RestoreFindingRow> {
  const { item_kind: kind, there, generation_here: here, generation_there: seen } = finding;
  if (kind === "connection") return adoptConnection(app, author, finding, finding.organisation_id!);
  // The routing is the same, so the number was released or suspended.
  if (seen === here && there!["is_resting"] === true) return adoptRelease(app, author, finding);
  return app.db.forSystem("operator", async (tx) => {
    const decided = await decide(tx, app, { finding, state: "adopted", author });
    if (seen === here && there!["mode"] === "unrouted")
      await suspendHolding(tx, author, {
        id: finding.item_id!,
        isSuspended: true,
        reason: RESTORE,
        at: app.clock.now(),
      });
    else await restoreRouting(tx, routingOf(app, author, finding, there!));
    return decided;
  });
}

/** A number or connection that the database lost, under the ID that it had. */
async function adoptItem(
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
  organisationId: string = missingOrganisation(),
): Promise<RestoreFindingRow> {
  if (finding.item_kind === "connection") return adoptConnection(app, author, finding, organisationId);
  return app.db.forSystem("operator", async (tx) => {
    await rejectUnknownOrganisation(tx, organisationId);
    const decided = await decide(tx, app, { finding, state: "adopted", author });
    const e164 = finding.e164!;
    const order = await findOrderOf(tx, { organisationId, e164 });
    const carrier = order?.carrier ?? finding.carrier;
    const parsed = parseNumber(e164);
    const { country, type } = "fault" in parsed ? { country: null, type: "other" } : parsed;
    const [added] = await addHoldings(tx, author, app.clock.now(), {
      organisationId,
      environment: finding.environment,
      source: order ? "order" : "import",
      ...(order && { orderId: order.id }),
      ...(carrier !== null && { carrier }),
      numbers: [{ id: finding.item_id!, e164, country, type }],
    });
    if (added?.outcome !== "added")
      throw new ApiError("finding_outdated", `An organisation holds or is ordering ${e164} here.`);
    await restoreRouting(tx, routingOf(app, author, finding, finding.there!));
    return decided;
  });
}

async function adoptConnection(
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
  organisationId: string,
): Promise<RestoreFindingRow> {
  const scope: OrganisationScope = { organisationId, environment: finding.environment };
  await app.db.forSystem("operator", (tx) => rejectUnknownOrganisation(tx, organisationId));
  await app.db.forOrganisation(scope, (tx) =>
    restoreConnection(tx, author, {
      id: finding.item_id!,
      held: finding.there as unknown as HeldSettings,
      generation: Number(finding.generation_there),
      at: app.clock.now(),
    }),
  );
  return decideAlone(app, author, finding);
}

/** The number was released after the backup. The release waits until the restore ends. */
async function adoptRelease(
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
): Promise<RestoreFindingRow> {
  if (finding.item_kind === "connection")
    throw new ApiError("finding_outdated", "Delete the connection in its organisation, or drop the finding.");
  const scope = { organisationId: finding.organisation_id!, environment: finding.environment };
  await app.db.forOrganisation(scope, (tx) => beginRelease(tx, app, author, finding.item_id!));
  return decideAlone(app, author, finding);
}

async function decideAlone(
  app: Needs,
  author: Author,
  finding: RestoreFindingRow,
): Promise<RestoreFindingRow> {
  return app.db.forSystem("operator", (tx) => decide(tx, app, { finding, state: "adopted", author }));
}

interface Decision {
  finding: RestoreFindingRow;
  state: Exclude<FindingState, "open" | "outdated">;
  author: Author;
}

async function decide(
  tx: Tx,
  { clock }: Needs,
  { finding: { id, kind, e164, item_id: item }, state, author }: Decision,
): Promise<RestoreFindingRow> {
  const at = clock.now();
  const row = await setDecided(tx, id, { state, at, by: author.actor_name ?? author.actor_kind });
  if (!row) throw new ApiError("finding_repaired", "The finding was decided in the meantime.");
  await recordAct(tx, author, at, {
    action: `restore.finding_${state}`,
    subject: id,
    detail: { kind, e164, item_id: item },
  });
  return row;
}

async function openFinding({ db, clock }: Needs, id: string): Promise<RestoreFindingRow> {
  const finding = await db.forSystem("operator", async (tx) => {
    const found = await findFinding(tx, id);
    if (found?.state !== "open") return found;
    await closeOutdated(tx, found.restore_id, clock.now());
    return findFinding(tx, id);
  });
  if (!finding) throw notFound("finding_not_found");
  if (finding.state === "outdated")
    throw new ApiError("finding_outdated", "The item was changed here since the restore began.");
  if (finding.state !== "open")
    throw new ApiError("finding_repaired", `The finding is already ${finding.state}.`);
  return finding;
}

async function rejectUnknownOrganisation(tx: Tx, id: string): Promise<void> {
  if (!(await organisationExists(tx, id))) throw notFound("organisation_not_found");
}

function missingOrganisation(): never {
  throw new ApiError(
    "finding_without_organisation",
    "The organisation is unknown. Name it in organisation_id.",
  );
}

function routingOf(
  { clock }: Needs,
  author: Author,
  { item_id, generation_there }: RestoreFindingRow,
  there: ItemValue | undefined,
): Parameters<typeof restoreRouting>[1] {
  const { e164: _e164, is_resting: _isResting, ...value } = there ?? {};
  return {
    numberId: item_id!,
    ...(there && { value }),
    seenGeneration: Number(generation_there),
    author: {
      kind: author.actor_kind,
      id: author.actor_id,
      name: author.actor_name,
      request_id: author.request_id,
      address: author.address,
      reason: "Restore of the database",
    },
    eventId: newId(),
    auditId: newId(),
    at: clock.now(),
  };
}
