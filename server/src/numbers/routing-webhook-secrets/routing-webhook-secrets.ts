import type { App } from "../../app.ts";
import type { OrganisationTx } from "../../platform/db/database.ts";
import type { Actor, SwitchCaller } from "../../platform/http/access.ts";
import { afterRotation, signingSecret, signingVersions } from "../../platform/signing-secrets.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { lockChanges, recordChange } from "../../events/events/events.ts";
import type { RoutingWebhookSecret, Signers } from "./routing-webhook-secrets.schema.ts";
import { findSecret, listSigners, type SecretRow, setSecret } from "./routing-webhook-secrets.store.ts";

type Needs = Pick<App, "clock" | "config" | "secrets">;

export async function getRoutingWebhookSecret(
  app: Needs & Pick<App, "db">,
  actor: Actor,
): Promise<RoutingWebhookSecret> {
  return shown(app, actor, await app.db.forOrganisation(actor, findSecret));
}

export async function rotateRoutingWebhookSecret(
  tx: OrganisationTx,
  app: Needs,
  actor: Actor,
): Promise<RoutingWebhookSecret> {
  // There may be no row to lock: of two at once, the second must see the first.
  await lockChanges(tx, [tx.organisationId]);
  const now = app.clock.now();
  const row = afterRotation(await findSecret(tx), app.secrets.current("routing-webhook").rootId, now);
  await setSecret(tx, row);
  await recordChange(tx, authorOf(actor.caller, actor.origin), now, {
    type: "routing_webhook_secret.rotated",
    organisationId: tx.organisationId,
    environment: tx.environment,
    subject: tx.organisationId,
    data: { version: row.secret_version },
  });
  return shown(app, actor, row);
}

/** Returns the signing secrets for these numbers. Numbers outside the switch's group are omitted. */
export async function listSigningSecrets(
  app: Needs & Pick<App, "db">,
  who: SwitchCaller,
  numberIds: readonly string[],
): Promise<Signers> {
  const rows = await app.db.forSwitch(who, (tx) => listSigners(tx, numberIds));
  const now = app.clock.now();
  const byOrganisation = Map.groupBy(rows, (row) => row.organisation_id);
  const signers = [...byOrganisation].map(([organisation_id, own]) => {
    const { environment } = own[0]!;
    const versions = signingVersions(own[0]!, now);
    return {
      organisation_id,
      number_ids: own.map(({ holding_id }) => holding_id),
      secrets: versions.map(({ until, ...version }) => ({
        secret: secretOf(app, { organisationId: organisation_id, environment }, version),
        until: until?.toISOString() ?? null,
      })),
    };
  });
  return { signers };
}

interface Owner {
  organisationId: string;
  environment: string;
}

function shown(app: Needs, of: Owner, row: SecretRow): RoutingWebhookSecret {
  const [current, previous] = signingVersions(row, app.clock.now());
  return {
    secret: secretOf(app, of, current!),
    version: row.secret_version,
    previous_until: previous?.until?.toISOString() ?? null,
  };
}

function secretOf(
  { secrets }: Needs,
  { organisationId, environment }: Owner,
  { version, rootId }: { version: number; rootId: number },
): string {
  const owner = `${organisationId}/${environment}`;
  return signingSecret(secrets, { purpose: "routing-webhook", owner, version, rootId });
}
