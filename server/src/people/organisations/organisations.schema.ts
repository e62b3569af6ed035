import { type Static, Type } from "typebox";
import {
  DateTime,
  described,
  Email,
  Id,
  Name,
  nullable,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";

export const CreateOrganisation = shape("CreateOrganisation", {
  name: described(Name, "Name of the organisation."),
  owner_email: Type.Optional(
    described(Email, "Email address of the first owner, who receives an invitation."),
  ),
});
export type CreateOrganisation = Static<typeof CreateOrganisation>;

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  description: "Reason for the suspension. Shown to operators and recorded in the audit log.",
  examples: ["API key leaked"],
});

export const SuspendOrganisation = shape("SuspendOrganisation", {
  reason: Type.Optional(Reason),
  suspend_numbers: Type.Optional(
    Type.Boolean({
      description:
        "If true, the organisation's live numbers are suspended too and their calls are rejected (default: false).",
    }),
  ),
});
export type SuspendOrganisation = Static<typeof SuspendOrganisation>;

export const Organisation = shape("Organisation", {
  id: described(Id, "ID of the organisation."),
  name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
  created_at: described(DateTime, "Time when the organisation was created."),
  suspended_at: nullable({
    ...DateTime,
    description:
      "Time when an operator suspended the organisation. `null` if it is not suspended. Its requests are rejected until an operator resumes it.",
  }),
  suspension_reason: described(nullable(Reason), "Reason for the suspension. `null` if there is none."),
  numbers_suspended: Type.Boolean({ description: "Whether its live numbers are suspended with it." }),
  numbers_pending: Type.Boolean({
    description: "Whether numbers are still being suspended or resumed.",
  }),
});
export type Organisation = Static<typeof Organisation>;

const DefaultCountry = nullable(
  Type.String({
    pattern: "^[A-Z]{2}$",
    maxLength: 2,
    examples: ["DE"],
    description:
      "ISO 3166-1 alpha-2 code of the country in which searches read numbers without a country code, such as `030 1000`. `null` searches for the digits without a leading zero.",
  }),
);

export const OwnOrganisation = shape("OwnOrganisation", {
  id: described(Id, "ID of the organisation."),
  name: Type.String({ maxLength: 200, description: "Name of the organisation." }),
  default_country: DefaultCountry,
  created_at: described(DateTime, "Time when the organisation was created."),
});
export type OwnOrganisation = Static<typeof OwnOrganisation>;

export const ChangeOwnOrganisation = shape("ChangeOwnOrganisation", { default_country: DefaultCountry });
export type ChangeOwnOrganisation = Static<typeof ChangeOwnOrganisation>;

export const OrganisationPage = pageShape("OrganisationPage", Organisation);

const MaxSessionAge = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 720,
    format: "int32",
    examples: [12],
    description: "Maximum age of a session in hours. `null` applies only the service limit of 30 days.",
  }),
);

export const SignInPolicy = shape("SignInPolicy", {
  require_second_factor: Type.Boolean({
    description: "Whether members must sign in with an authenticator app or a passkey.",
  }),
  require_single_sign_on: Type.Boolean({
    description:
      "Whether members must sign in through an identity provider of the organisation. Owners can use two personal factors instead. The other owners then receive an email and the audit log records it.",
  }),
  max_session_age_hours: MaxSessionAge,
});

export const ChangeSignInPolicy = shape("ChangeSignInPolicy", {
  require_second_factor: Type.Optional(
    Type.Boolean({ description: "Whether members must sign in with an authenticator app or a passkey." }),
  ),
  require_single_sign_on: Type.Optional(
    Type.Boolean({
      description: "Whether members must sign in through an identity provider of the organisation.",
    }),
  ),
  max_session_age_hours: Type.Optional(MaxSessionAge),
});
export type ChangeSignInPolicy = Static<typeof ChangeSignInPolicy>;
