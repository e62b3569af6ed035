import { type ErrorEntry, entry } from "./error-entry.ts";

/** What can go wrong with the ways to sign in. */
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
