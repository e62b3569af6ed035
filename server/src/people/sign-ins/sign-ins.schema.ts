import { Type } from "typebox";
import { DateTime, Email, nullable, openEnum, shape } from "../../platform/http/shapes.ts";
import { Code } from "../authenticators/authenticators.ts";
import { ChallengeToken } from "../one-time-links/one-time-links.ts";
import { Assertion } from "../passkeys/passkeys.ts";
import { SignedInUser } from "../sessions/sessions.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

/** Any length up to the limit: what is too short is simply wrong here. */
const GivenPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, format: "password" });

export const SignIn = shape("SignIn", { email: Email, password: GivenPassword });
export const SignInWithCode = shape("SignInWithCode", { challenge: ChallengeToken, code: Code });
export const SignInWithPasskey = shape("SignInWithPasskey", { credential: Assertion });
export const BeginProviderSignIn = shape("BeginProviderSignIn", { email: Email });
export const ProviderSignIn = shape("ProviderSignIn", {
  redirect_to: nullable(
    Type.String({
      maxLength: 8000,
      examples: ["https://login.example.com/authorize?client_id=dialplane"],
      description: "Where to send the browser; null where no organisation has proved the address's domain.",
    }),
  ),
});
const Given = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
export const SignInWithProvider = shape("SignInWithProvider", {
  state: Given(200, "As it came back."),
  code: Given(4000, "As it came back."),
  iss: Type.Optional(Given(500, "As it came back, where it did (RFC 9207).")),
});
export const Reauthenticate = shape("Reauthenticate", { password: GivenPassword });
export const ReauthenticateWithPasskey = shape("ReauthenticateWithPasskey", { credential: Assertion });
export const ReauthenticateWithCode = shape("ReauthenticateWithCode", { code: Code });

export const SignedIn = shape("SignedIn", {
  user: SignedInUser,
  enrolment_required: Type.Boolean({
    description:
      "Whether you must add an authenticator app or a passkey: an organisation of yours requires it, or you are an operator. Without one, requests there are rejected.",
  }),
});

export const SecondFactorNeeded = shape("SecondFactorNeeded", {
  challenge: ChallengeToken,
  factors: Type.Array(openEnum(["app", "recovery_code"]), { maxItems: 10 }),
  expires_at: DateTime,
});
