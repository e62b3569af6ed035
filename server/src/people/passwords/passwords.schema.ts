import { Type } from "typebox";
import { described, Email, shape } from "../../platform/http/shapes.ts";
import { LinkToken } from "../one-time-links/one-time-links.ts";
import { MAX_PASSWORD_LENGTH } from "../users/users.ts";

/** How strong it must be is said by the error, which knows the well-known ones. */
const NewPassword = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD_LENGTH,
  format: "password",
  description: "New password. The API rejects weak and common passwords.",
});

export const RequestPasswordReset = shape("RequestPasswordReset", {
  email: described(Email, "Email address of the account."),
});
export const CompletePasswordReset = shape("CompletePasswordReset", {
  token: LinkToken,
  new_password: NewPassword,
});
export const ChangePassword = shape("ChangePassword", { new_password: NewPassword });
