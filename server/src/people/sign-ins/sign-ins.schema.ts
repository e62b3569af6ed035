import { Type } from "typebox";
import { DateTime, described, Email, nullable, openEnum, shape } from "../../platform/http/shapes.ts";
import { Code } from "../authenticators/authenticators.ts";
import { ChallengeToken } from "../one-time-links/one-time-links.ts";
import { Assertion } from "../passkeys/passkeys.ts";
import { SignedInUser } from "../sessions/sessions.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

/** Any length up to the limit: what is too short is simply wrong here. */
const GivenPassword = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  format: "password",
  description: "Password of the user.",
});

export const SignIn = shape("SignIn", {
  email: described(Email, "Email address of the user."),
  password: GivenPassword,
});
export const SignInWithCode = shape("SignInWithCode", { challenge: ChallengeToken, code: Code });
export const SignInWithPasskey = shape("SignInWithPasskey", {
  credential: described(Assertion, "Credential that the browser returned for the challenge."),
});
export const BeginProviderSignIn = shape("BeginProviderSignIn", {
  email: described(Email, "Email address of the user. Its domain determines the identity provider."),
});
export const ProviderSignIn = shape("ProviderSignIn", {
  redirect_to: nullable(
    Type.String({
      maxLength: 8000,
      examples: ["https://login.example.com/authorize?client_id=dialplane"],
      description:
        "URL of the identity provider to open in the browser. `null` if no organisation has verified the domain.",
    }),
  ),
});
const Given = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
export const SignInWithProvider = shape("SignInWithProvider", {
  state: Given(200, "`state` from the provider's redirect."),
  code: Given(4000, "`code` from the provider's redirect."),
  iss: Type.Optional(
    Given(500, "`iss` from the provider's redirect (RFC 9207). Omit it if the provider sent none."),
  ),
});
export const Reauthenticate = shape("Reauthenticate", { password: GivenPassword });
export const ReauthenticateWithPasskey = shape("ReauthenticateWithPasskey", {
  credential: described(Assertion, "Credential that the browser returned for the challenge."),
});
export const ReauthenticateWithCode = shape("ReauthenticateWithCode", { code: Code });

export const SignedIn = shape("SignedIn", {
  user: described(SignedInUser, "User who signed in."),
  enrolment_required: Type.Boolean({
    description:
      "Whether you must add an authenticator app or a passkey. Your organisations or your operator role require it, and requests there are rejected without it.",
  }),
});

export const SecondFactorNeeded = shape("SecondFactorNeeded", {
  challenge: ChallengeToken,
  factors: Type.Array(openEnum(["app", "recovery_code"]), {
    maxItems: 10,
    description: "Accepted second factors.",
  }),
  expires_at: described(DateTime, "Time when the challenge expires."),
});
