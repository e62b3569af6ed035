import { operation } from "../../app.ts";
import { described, Email, shape } from "../../platform/http/shapes.ts";
import { LinkToken } from "../one-time-links/one-time-links.ts";
import { completeEmailChange, requestEmailChange } from "./email-addresses.ts";

const ChangeEmail = shape("ChangeEmail", { new_email: described(Email, "New email address.") });
const CompleteEmailChange = shape("CompleteEmailChange", { token: LinkToken });

const changeEmailOperation = operation({
  id: "changeEmail",
  method: "PUT",
  path: "/v1/me/email",
  tag: "Account",
  summary: "Change your email address",
  description: "Sends a link to the new address. The address changes when you open the link.",
  access: { callers: "authenticated", sessions: { roles: "any", browser: true, recent: true }, keys: "none" },
  idempotency: "none",
  body: ChangeEmail,
  answers: { 202: null },
  async run(app, { caller, body, origin }) {
    await requestEmailChange(app, caller, body.new_email, origin);
    return { status: 202 };
  },
});

const completeEmailChangeOperation = operation({
  id: "completeEmailChange",
  method: "POST",
  path: "/v1/email-changes/complete",
  tag: "Account",
  summary: "Complete an email change",
  description: "Confirms the new address with the token from the email. Ends all sessions of the account.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: CompleteEmailChange,
  answers: { 204: null },
  errors: ["link_not_valid", "email_taken"],
  async run(app, { body, origin }) {
    await completeEmailChange(app, body.token, origin);
    return { status: 204 };
  },
});

export const emailAddressesOperations = [changeEmailOperation, completeEmailChangeOperation];
