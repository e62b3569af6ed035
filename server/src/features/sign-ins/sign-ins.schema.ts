import { Type } from "typebox";
import { DateTime, Email, openEnum, shape } from "../../platform/http/shapes.ts";
import { Code } from "../authenticators/authenticators.ts";
import { ChallengeToken } from "../challenges/challenges.ts";
import { Assertion } from "../passkeys/passkeys.ts";
import { SignedInUser } from "../sessions/sessions.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

/** Any length up to the limit: what is too short is simply wrong here. */
const GivenPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, format: "password" });

export const SignIn = shape("SignIn", { email: Email, password: GivenPassword });
export const SignInWithCode = shape("SignInWithCode", { challenge: ChallengeToken, code: Code });
export const SignInWithPasskey = shape("SignInWithPasskey", { credential: Assertion });
export const Reauthenticate = shape("Reauthenticate", { password: GivenPassword });
export const ReauthenticateWithPasskey = shape("ReauthenticateWithPasskey", { credential: Assertion });
export const ReauthenticateWithCode = shape("ReauthenticateWithCode", { code: Code });

export const SignedIn = shape("SignedIn", { user: SignedInUser });

export const SecondFactorNeeded = shape("SecondFactorNeeded", {
  challenge: ChallengeToken,
  factors: Type.Array(openEnum(["app", "recovery_code"]), { maxItems: 10 }),
  expires_at: DateTime,
});
