import { type Static, Type } from "typebox";
import { DateTime, Email, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

/** Any length up to the limit: what is too short is simply wrong here. */
const GivenPassword = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, format: "password" });

export const SignIn = shape("SignIn", { email: Email, password: GivenPassword });
export const Reauthenticate = shape("Reauthenticate", { password: GivenPassword });

export const SignedIn = shape("SignedIn", {
  user: shape("SignedInUser", {
    id: Id,
    name: Type.String({ maxLength: 200 }),
    email: Type.String({ maxLength: 254 }),
  }),
});

export const Session = shape("Session", {
  id: Id,
  kind: openEnum(["browser", "tool"]),
  is_current: Type.Boolean({ description: "Whether this is the session that asks." }),
  created_at: DateTime,
  last_seen_at: DateTime,
  expires_at: DateTime,
  address: nullable(Type.String({ maxLength: 64 })),
  user_agent: nullable(Type.String({ maxLength: 400 })),
});
export type Session = Static<typeof Session>;

export const SessionPage = pageShape("SessionPage", Session);
