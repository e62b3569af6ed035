import { type Static, Type } from "typebox";
import { DateTime, Email, Id, Name, nullable, pageShape, shape } from "../../platform/http/shapes.ts";

export const CreateOrganisation = shape("CreateOrganisation", {
  name: Name,
  owner_email: Type.Optional(Email),
});
export type CreateOrganisation = Static<typeof CreateOrganisation>;

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Shown to operators and recorded in the audit log.",
  examples: ["API key leaked"],
});

export const SuspendOrganisation = shape("SuspendOrganisation", {
  reason: Type.Optional(Reason),
  suspend_numbers: Type.Optional(
    Type.Boolean({
      description:
        "Also suspend its live numbers, so that their calls are rejected. If left out, calls continue.",
    }),
  ),
});
export type SuspendOrganisation = Static<typeof SuspendOrganisation>;

export const Organisation = shape("Organisation", {
  id: Id,
  name: Type.String({ maxLength: 200 }),
  created_at: DateTime,
  suspended_at: nullable({
    ...DateTime,
    description: "When an operator suspended it. Requests in it are rejected until an operator resumes it.",
  }),
  suspension_reason: nullable(Reason),
  numbers_suspended: Type.Boolean({ description: "Whether its live numbers are suspended with it." }),
  numbers_pending: Type.Boolean({
    description: "Whether numbers are still being suspended or resumed.",
  }),
});
export type Organisation = Static<typeof Organisation>;

export const OrganisationPage = pageShape("OrganisationPage", Organisation);

const MaxSessionAge = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 720,
    format: "int32",
    examples: [12],
    description: "Hours after signing in. Null if only the limit of the service applies, which is 30 days.",
  }),
);

export const SignInPolicy = shape("SignInPolicy", {
  require_second_factor: Type.Boolean({
    description: "Whether members have to sign in with an authenticator app or a passkey.",
  }),
  require_single_sign_on: Type.Boolean({
    description:
      "Whether members have to sign in through an identity provider of the organisation. Owners can instead use two factors of their own: the other owners get an email, and the audit log records it.",
  }),
  max_session_age_hours: MaxSessionAge,
});

export const ChangeSignInPolicy = shape("ChangeSignInPolicy", {
  require_second_factor: Type.Optional(Type.Boolean()),
  require_single_sign_on: Type.Optional(Type.Boolean()),
  max_session_age_hours: Type.Optional(MaxSessionAge),
});
export type ChangeSignInPolicy = Static<typeof ChangeSignInPolicy>;
