import { isId } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import type { Caller, Membership } from "./access.ts";

/** The organisation that a request acts in: the one it names, or the only one of the caller. */
export function chooseMembership(caller: Caller, wanted: string | undefined): Membership {
  const found = namedMembership(caller, wanted);
  if (found.isSuspended)
    throw new Refusal(
      "organisation_suspended",
      "The operator of this installation has suspended your organisation. Contact them to have it resumed.",
    );
  return found;
}

function namedMembership({ memberships }: Caller, wanted: string | undefined): Membership {
  if (wanted === undefined) {
    if (memberships.length === 1) return memberships[0]!;
    if (memberships.length === 0)
      throw new Refusal("organisation_not_allowed", "You belong to no organisation.");
    throw new Refusal(
      "organisation_required",
      "You belong to several organisations; X-Service-Org must name one.",
      {
        members: {
          organisations: memberships.map((one) => ({ id: one.organisationId, name: one.organisationName })),
        },
        errors: [
          { header: "X-Service-Org", code: "required", detail: "Name one of the organisations listed." },
        ],
      },
    );
  }
  if (!isId(wanted)) {
    throw new Refusal(
      "organisation_header_invalid",
      "X-Service-Org must be sent once, with an organisation's UUID.",
      {
        errors: [{ header: "X-Service-Org", code: "malformed", detail: "Not one UUID." }],
      },
    );
  }
  const found = memberships.find((one) => one.organisationId === wanted.toLowerCase());
  if (!found) throw new Refusal("organisation_not_allowed", "X-Service-Org names no organisation of yours.");
  return found;
}
