import type { App } from "../../app.ts";
import type { Page } from "../../platform/http/page.ts";
import { newId } from "../../platform/ids.ts";
import { notFound } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import { recordChange, startEvents } from "../../events/events/events.ts";
import { addInvitation } from "../invitations/invitations.ts";
import { addMagicNumbers } from "../../numbers/numbers/numbers.ts";
import { listPoliciesOf, type MemberPolicy } from "./organisations.policy.store.ts";
import type { CreateOrganisation } from "./organisations.schema.ts";
import {
  findOrganisation,
  insertOrganisation,
  listOrganisationsAfter,
  type OrganisationRow,
} from "./organisations.store.ts";

export { findOrganisation, listPoliciesOf, type MemberPolicy };
export type { OrganisationRow };
type Needs = Pick<App, "db" | "clock" | "secrets" | "jobs">;

/** The operator makes organisations; their first owner comes by invitation. */
export async function createOrganisation(
  app: Needs,
  author: Author,
  wanted: CreateOrganisation,
): Promise<OrganisationRow> {
  const organisation = { id: newId(), name: wanted.name, created_at: app.clock.now() };
  return app.db.forSystem("operator", async (tx) => {
    const { rootId } = app.secrets.current("routing-webhook");
    await insertOrganisation(tx, { ...organisation, root_id: rootId });
    await startEvents(tx, organisation.id);
    if (wanted.owner_email) {
      const invitation = {
        organisationId: organisation.id,
        email: wanted.owner_email,
        role: "owner" as const,
        invitedBy: null,
      };
      await addInvitation(tx, app, author, invitation);
    }
    await recordChange(tx, author, organisation.created_at, {
      type: "organisation.created",
      organisationId: organisation.id,
      subject: organisation.id,
      data: { name: organisation.name },
    });
    await addMagicNumbers(tx, author, organisation.created_at, organisation.id);
    return (await findOrganisation(tx, organisation.id))!;
  });
}

export async function listOrganisations({ db }: Pick<App, "db">, page: Page): Promise<OrganisationRow[]> {
  return db.forSystem("operator", (tx) => listOrganisationsAfter(tx, page.after, page.limit));
}

export async function getOrganisation({ db }: Pick<App, "db">, id: string): Promise<OrganisationRow> {
  const found = await db.forSystem("operator", (tx) => findOrganisation(tx, id));
  if (!found) throw notFound("organisation_not_found");
  return found;
}
