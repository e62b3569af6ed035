import { type Static, Type } from "typebox";
import { DateTime, described, Id, nullable, openEnum, pageShape, shape } from "../../platform/http/shapes.ts";

export const Session = shape("Session", {
  id: described(Id, "ID of the session."),
  kind: openEnum(["browser", "tool"], "Client that signed in."),
  is_current: Type.Boolean({ description: "Whether this is the session of the request." }),
  created_at: described(DateTime, "Time of the sign-in."),
  last_seen_at: described(DateTime, "Time of the last request, accurate to five minutes."),
  expires_at: described(DateTime, "Time when the session expires."),
  address: nullable(
    Type.String({ maxLength: 64, description: "IP address of the sign-in. `null` if unknown." }),
  ),
  user_agent: nullable(
    Type.String({
      maxLength: 400,
      description: "`User-Agent` of the sign-in. `null` if the client sent none.",
    }),
  ),
});
export type Session = Static<typeof Session>;

export const SessionPage = pageShape("SessionPage", Session);

export const SignedInUser = shape("SignedInUser", {
  id: described(Id, "ID of the user."),
  name: Type.String({ maxLength: 200, description: "Name of the user." }),
  email: Type.String({ maxLength: 254, description: "Email address of the user." }),
});

export const ToolSession = shape("ToolSession", {
  token: Type.String({
    maxLength: 100,
    description: "Session token for `Authorization: Bearer`. It is shown only in this response.",
  }),
  expires_at: described(DateTime, "Time when the session expires."),
  user: described(SignedInUser, "User who approved the tool."),
});
