import { operation } from "../../app.ts";
import { ChangePassword, CompletePasswordReset, RequestPasswordReset } from "./passwords.schema.ts";
import { changePassword, completePasswordReset, requestPasswordReset } from "./passwords.ts";

const requestPasswordResetOperation = operation({
  id: "requestPasswordReset",
  method: "POST",
  path: "/v1/password-resets",
  tag: "Account",
  summary: "Request a password reset",
  description: "Sends a link by email if the account exists. The response is always the same.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: RequestPasswordReset,
  answers: { 202: null },
  async run(app, { body, origin, deviceToken }) {
    await requestPasswordReset(app, body.email, { origin, deviceToken });
    return { status: 202 };
  },
});

const completePasswordResetOperation = operation({
  id: "completePasswordReset",
  method: "POST",
  path: "/v1/password-resets/complete",
  tag: "Account",
  summary: "Complete a password reset",
  description: "Sets a new password with the token from the email. Ends all sessions of the account.",
  access: { callers: "anyone" },
  idempotency: "none",
  body: CompletePasswordReset,
  answers: { 204: null },
  errors: ["link_not_valid", "password_too_weak"],
  async run(app, { body, origin }) {
    await completePasswordReset(app, { token: body.token, newPassword: body.new_password }, origin);
    return { status: 204 };
  },
});

const changePasswordOperation = operation({
  id: "changePassword",
  method: "PUT",
  path: "/v1/me/password",
  tag: "Account",
  summary: "Change your password",
  description: "Ends all your other sessions.",
  access: { callers: "authenticated", sessions: { roles: "any", browser: true, recent: true }, keys: "none" },
  idempotency: "none",
  body: ChangePassword,
  answers: { 204: null },
  errors: ["password_too_weak"],
  async run(app, { caller, body, origin }) {
    await changePassword(app, caller, body.new_password, origin);
    return { status: 204 };
  },
});

export const passwordsOperations = [
  changePasswordOperation,
  requestPasswordResetOperation,
  completePasswordResetOperation,
];
