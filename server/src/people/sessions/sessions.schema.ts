import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

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

export const SignedInUser = shape("SignedInUser", {
  id: Id,
  name: Type.String({ maxLength: 200 }),
  email: Type.String({ maxLength: 254 }),
});

export const ToolSession = shape("ToolSession", {
  token: Type.String({ maxLength: 100, description: "For Authorization: Bearer. Shown once." }),
  expires_at: DateTime,
  user: SignedInUser,
});
