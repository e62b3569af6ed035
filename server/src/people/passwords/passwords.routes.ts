import { operation } from "../../app.ts";
import { ChangePassword, CompletePasswordReset, RequestPasswordReset } from "./passwords.schema.ts";
import { changePassword, completePasswordReset, requestPasswordReset } from "./passwords.ts";

const requestPasswordResetOperation = operation({
  id: "requestPasswordReset",
  method: "POST",
  path: "/v1/password-resets",
  tag: "Account",
  summary: "Ask for a link to set a new password",
  description: "The answer is the same whether or not there is an account with this address.",
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
  summary: "Set a new password with a mailed link",
  description: "Ends every session of the account.",
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
  description: "Ends every other session of yours.",
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
