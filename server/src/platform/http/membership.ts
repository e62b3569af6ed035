import { isId } from "../ids.ts";
import { ApiError } from "../api-error.ts";
import type { Caller, Membership } from "./access.ts";

/** Identity providers of an organisation's members. */
export type ListProviders = (organisationId: string) => Promise<{ id: string; name: string }[]>;

/** The organisation that a request acts in: the one it names, or the only one of the caller. */
export function chooseMembership(caller: Caller, wanted: string | undefined): Membership {
  const found = namedMembership(caller, wanted);
  if (found.isSuspended)
    throw new ApiError(
      "organisation_suspended",
      "The operator of this installation has suspended your organisation. Contact them to have it resumed.",
    );
  return found;
}

/** Sessions only: keys have no sign-in. The providers are looked up only to say no. */
export async function rejectUnmetPolicy(
  { organisationId, organisationName, unmet }: Membership,
  listProviders: ListProviders,
): Promise<void> {
  if (!unmet) return;
  const organisation = { id: organisationId, name: organisationName };
  if (unmet === "session_age")
    throw new ApiError(
      "session_too_old",
      `You signed in longer ago than ${organisationName} allows. Sign in again.`,
      { members: { organisation } },
    );
  if (unmet === "second_factor")
    throw new ApiError(
      "organisation_second_factor_required",
      `${organisationName} requires a second factor. Add an authenticator app or a passkey in the security settings of your account, or confirm with the one you have.`,
      { members: { organisation } },
    );
  const identity_providers = await listProviders(organisationId);
  const names = identity_providers.map(({ name }) => name).join(" or ");
  throw new ApiError(
    "single_sign_on_required",
    `${organisationName} requires single sign-on. Sign in through ${names || "its identity provider"}.`,
    { members: { organisation, identity_providers } },
  );
}

function namedMembership({ memberships }: Caller, wanted: string | undefined): Membership {
  if (wanted === undefined) {
    if (memberships.length === 1) return memberships[0]!;
    if (memberships.length === 0)
      throw new ApiError("organisation_not_allowed", "You are not a member of an organisation.");
    throw new ApiError(
      "organisation_required",
      "You are a member of several organisations. Set X-Service-Org to the ID of one of them.",
      {
        members: {
          organisations: memberships.map((one) => ({ id: one.organisationId, name: one.organisationName })),
        },
        errors: [{ header: "X-Service-Org", code: "required", detail: "Use an ID from organisations." }],
      },
    );
  }
  if (!isId(wanted)) {
    throw new ApiError(
      "organisation_header_invalid",
      "X-Service-Org must be sent once, with the UUID of an organisation.",
      {
        errors: [{ header: "X-Service-Org", code: "malformed", detail: "Not a UUID." }],
      },
    );
  }
  const found = memberships.find((one) => one.organisationId === wanted.toLowerCase());
  if (!found)
    throw new ApiError(
      "organisation_not_allowed",
      "You are not a member of the organisation in X-Service-Org.",
    );
  return found;
}
