import type { App } from "./app.ts";
import {
  confirmAuthenticatorOperation,
  enrolAuthenticatorOperation,
  getAuthenticatorOperation,
  removeAuthenticatorOperation,
  renewRecoveryCodesOperation,
} from "./people/authenticators/authenticators.routes.ts";
import {
  changeEmailOperation,
  completeEmailChangeOperation,
} from "./people/email-addresses/email-addresses.routes.ts";
import { getMeOperation } from "./people/me/me.routes.ts";
import {
  changePasswordOperation,
  completePasswordResetOperation,
  requestPasswordResetOperation,
} from "./people/passwords/passwords.routes.ts";
import {
  endSessionOperation,
  listSessionsOperation,
  signOutOperation,
} from "./people/sessions/sessions.routes.ts";
import {
  reauthenticateOperation,
  reauthenticateWithCodeOperation,
  signInOperation,
  signInWithCodeOperation,
  beginProviderSignInOperation,
  reauthenticateWithPasskeyOperation,
  signInWithPasskeyOperation,
  signInWithProviderOperation,
} from "./people/sign-ins/sign-ins.routes.ts";
import {
  addPasskeyOperation,
  askForPasskeyOperation,
  beginPasskeyOperation,
  listPasskeysOperation,
  removePasskeyOperation,
  renamePasskeyOperation,
} from "./people/passkeys/passkeys.routes.ts";
import {
  letToolInOperation,
  redeemCodeOperation,
} from "./people/authorisation-codes/authorisation-codes.routes.ts";
import {
  approveDeviceOperation,
  beginDeviceSignInOperation,
  denyDeviceOperation,
  lookUpDeviceOperation,
  redeemDeviceOperation,
} from "./people/device-sign-ins/device-sign-ins.routes.ts";
import type { Operation } from "./platform/http/operation.ts";

/** Operations of users on their own account: profile, sign-in methods and sessions. */
export const ACCOUNT_OPERATIONS: readonly Operation<App>[] = [
  getMeOperation,
  changePasswordOperation,
  changeEmailOperation,
  completeEmailChangeOperation,
  requestPasswordResetOperation,
  completePasswordResetOperation,
  getAuthenticatorOperation,
  enrolAuthenticatorOperation,
  confirmAuthenticatorOperation,
  removeAuthenticatorOperation,
  renewRecoveryCodesOperation,
  listPasskeysOperation,
  beginPasskeyOperation,
  addPasskeyOperation,
  renamePasskeyOperation,
  removePasskeyOperation,
  signInOperation,
  signInWithCodeOperation,
  askForPasskeyOperation,
  signInWithPasskeyOperation,
  beginProviderSignInOperation,
  signInWithProviderOperation,
  listSessionsOperation,
  signOutOperation,
  reauthenticateOperation,
  reauthenticateWithCodeOperation,
  reauthenticateWithPasskeyOperation,
  endSessionOperation,
  letToolInOperation,
  redeemCodeOperation,
  beginDeviceSignInOperation,
  redeemDeviceOperation,
  lookUpDeviceOperation,
  approveDeviceOperation,
  denyDeviceOperation,
];
