import { isSupportedCountry } from "libphonenumber-js/max";
import type { App } from "../../app.ts";
import type { Actor } from "../../platform/http/access.ts";
import { ApiError } from "../../platform/api-error.ts";
import { authorOf } from "../../events/audit/audit.ts";
import { recordChange } from "../../events/events/events.ts";
import type { ChangeOwnOrganisation } from "./organisations.schema.ts";
import {
  findSettings,
  lockSettings,
  setDefaultCountry,
  type SettingsRow,
} from "./organisations.settings.store.ts";

export type { SettingsRow };
type Needs = Pick<App, "db" | "clock">;

export async function getSettings({ db }: Needs, actor: Actor): Promise<SettingsRow> {
  return db.forOrganisation(actor, findSettings);
}

/** A change without effect records nothing. */
export async function changeSettings(
  { db, clock }: Needs,
  actor: Actor,
  { default_country }: ChangeOwnOrganisation,
): Promise<SettingsRow> {
  if (default_country !== null && !isSupportedCountry(default_country)) throw unknownCountry(default_country);
  return db.forOrganisation(actor, async (tx) => {
    const before = await lockSettings(tx);
    if (before.default_country === default_country) return before;
    await setDefaultCountry(tx, default_country);
    await recordChange(tx, authorOf(actor.caller, actor.origin), clock.now(), {
      type: "organisation.changed",
      organisationId: tx.organisationId,
      subject: tx.organisationId,
      data: { default_country },
      before: { default_country: before.default_country },
      after: { default_country },
    });
    return { ...before, default_country };
  });
}

function unknownCountry(country: string): ApiError {
  const detail = `${country} is not the code of a country with phone numbers. Use an ISO 3166-1 alpha-2 code such as DE.`;
  return new ApiError("invalid_request", detail, {
    errors: [{ pointer: "#/default_country", code: "not_allowed", detail }],
  });
}
