import { type ErrorEntry, entry } from "./error-entry.ts";

/** Errors of the sign-in methods. */
export const SIGN_IN_ERRORS = {
  authenticator_exists: entry(
    409,
    "There is an authenticator app already",
    "Remove it first; a person has one at a time.",
  ),
  authenticator_not_found: entry(404, "No authenticator app", "Set one up first."),
  challenge_not_valid: entry(
    422,
    "The sign-in cannot be finished",
    "It was finished already or took longer than five minutes; start again with the first step.",
  ),
  code_not_valid: entry(
    422,
    "The code is not right",
    "Enter the code the app shows now. Setting up an app takes at most ten minutes; start again after that.",
  ),
  passkey_not_found: entry(404, "No such passkey", "List your passkeys."),
  passkey_not_valid: entry(
    422,
    "The passkey cannot be added",
    "Begin again, in a browser that shows this service's own address, with a device that is not registered yet.",
  ),
  passkey_limit_reached: entry(409, "Too many passkeys", "Remove one that is no longer used."),
  organisation_second_factor_required: entry(
    403,
    "The organisation requires a second factor",
    "Add an authenticator app or a passkey in the security settings of your account. If you have one, confirm with it, or sign in again with it.",
  ),
  single_sign_on_required: entry(
    403,
    "The organisation requires single sign-on",
    "Sign in through one of the identity providers listed. Owners can instead sign in with a password and a code, or with a passkey.",
  ),
  session_too_old: entry(
    403,
    "The session is too old",
    "Sign in again. The organisation limits how old sessions may be.",
  ),
  stronger_session_required: entry(
    403,
    "The session is not strong enough",
    "Confirm with a code or a passkey, or sign in through your organisation's identity provider. Then change how you sign in.",
  ),
  sign_in_policy_not_met: entry(
    409,
    "You do not meet this rule yourself",
    "Do what the detail says first. Otherwise the rule would lock you out.",
  ),
  single_sign_on_in_use: entry(
    409,
    "Single sign-on is required",
    "Turn off the rule that requires single sign-on first, or verify a domain of another identity provider.",
  ),
  identity_provider_not_found: entry(404, "No such identity provider", "List the identity providers."),
  identity_provider_limit_reached: entry(
    409,
    "Too many identity providers",
    "Delete one that is no longer used; one provider can speak for many domains.",
  ),
  identity_provider_unavailable: entry(
    503,
    "The identity provider cannot be asked",
    "Try again a little later, or sign in with a password or a passkey. If it goes on, an owner checks issuer and client secret.",
    "retry",
  ),
  identity_not_accepted: entry(
    403,
    "Whom the identity provider names is not let in",
    "Its detail says what is missing: a verified address, a proved domain, an invitation, or an account that belongs to the organisation.",
  ),
  domain_not_proved: entry(
    422,
    "The TXT record is not there",
    "Add the record with the name and value that the identity provider's domain shows, wait until the world can see it, and try again.",
  ),
  domain_taken: entry(
    409,
    "The domain has been proved elsewhere",
    "It belongs to one identity provider at a time; have it removed there, or ask the operator.",
  ),
  authorization_pending: entry(
    400,
    "Nobody has decided yet",
    "Ask again after as many seconds as Retry-After says (RFC 8628).",
    "retry",
  ),
  slow_down: entry(
    400,
    "Asked too often",
    "Wait as Retry-After says from now on; it grows by five seconds each time (RFC 8628).",
    "retry",
  ),
  access_denied: entry(400, "The tool was kept out", "Begin again, if the person wants it after all."),
  expired_token: entry(400, "Nobody let the tool in in time", "Begin again; a code lives for ten minutes."),
  invalid_grant: entry(
    400,
    "The code does not open anything",
    "It works once, for a short time, with the verifier and redirect_uri it was asked for with; begin again.",
  ),
  user_code_not_valid: entry(
    422,
    "No tool waits behind this code",
    "Type the code the tool shows; look it up before deciding. It lives for ten minutes, and is somebody else's once they have typed it.",
  ),
} as const satisfies Record<string, ErrorEntry>;
