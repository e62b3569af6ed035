import { SEED_PASSWORD, seedSession } from "../../src/seed.ts";
import { signIn } from "../account.ts";
import { browserTokenOf } from "../../src/people/sign-ins/sign-ins.provider.ts";
import { giveAuthenticator } from "../authenticator-app.ts";
import { type CompanyProvider, openCompanyProvider } from "../company-provider.ts";
import { assertPasskey, makeCredential, newPasskeyDevice, registerPasskey } from "../passkey-device.ts";
import { companyOf, travel } from "../provider-sign-ins.ts";
import type { Service } from "../service.ts";
import { agreedTool, beginDevice, decideDevice, lookUpDevice, toolRequest } from "../tool-sign-ins.ts";
import type { Holder, Neighbours } from "./neighbours.ts";
import type { Fixtures } from "./fixture.ts";

/** Requests about signing in and about what one signs in with. */
export const SIGN_IN_FIXTURES: Fixtures = {
  signIn: { body: ({ home }) => ({ email: home.owner.email, password: SEED_PASSWORD }) },
  signInWithCode: { body: halfSignedIn },
  reauthenticate: { body: () => ({ password: SEED_PASSWORD }) },
  reauthenticateWithCode: { body: async (...of) => ({ code: (await appFor(...of)).code() }) },
  askForPasskey: {},
  signInWithPasskey: {
    body: async ({ service }) => {
      const { cookie } = await service.person();
      const device = newPasskeyDevice(service);
      await registerPasskey(service, cookie, device);
      return { credential: await assertPasskey(service, device) };
    },
  },
  reauthenticateWithPasskey: {
    body: async ({ service }, { person }) => {
      const device = newPasskeyDevice(service);
      await registerPasskey(service, await forPasskeys(service, person), device);
      return { credential: await assertPasskey(service, device) };
    },
  },
  beginProviderSignIn: { body: async ({ service }) => ({ email: await companyAddress(service) }) },
  signInWithProvider: {
    body: async ({ service }) => (await travel(service, await companyAddress(service))).answer,
    headers: (body, { service }) => ({
      cookie: `__Host-svc_sign_in=${browserTokenOf(service.app, (body as { state: string }).state)}`,
    }),
  },
  getOwnOrganisation: {},
  getNotifications: {},
  setNotifications: { body: () => ({ rules: [{ kind: "order_failed", webhook: true }] }) },
  getOperatorNotifications: {},
  setOperatorNotifications: { body: () => ({ rules: [] }) },
  changeOwnOrganisation: { body: () => ({ default_country: "DE" }) },
  getSignInPolicy: {},
  changeSignInPolicy: { body: () => ({ max_session_age_hours: 700 }) },
  listPasskeys: {},
  beginPasskey: {},
  addPasskey: { body: newPasskeyFor },
  renamePasskey: { params: passkeyOf, body: () => ({ name: "Fixture" }) },
  removePasskey: { params: passkeyOf },
  authoriseTool: { body: () => toolRequest().body },
  redeemCode: { body: ({ service }) => agreedTool(service) },
  beginDeviceSignIn: { body: () => ({ client_name: "Fixture" }) },
  redeemDevice: {
    body: async ({ service }) => {
      const { device_code, user_code } = await beginDevice(service);
      await decideDevice(service, (await service.person()).cookie, "approve", user_code);
      return { device_code };
    },
  },
  lookUpDevice: { body: async ({ service }) => ({ user_code: (await beginDevice(service)).user_code }) },
  approveDevice: { body: seenDevice },
  denyDevice: { body: seenDevice },
  getAuthenticator: {},
  enrolAuthenticator: { params: withoutApp },
  confirmAuthenticator: {
    body: async ({ service }, { person }) => ({
      code: (await giveAuthenticator(service, person.userId, { isConfirmed: false })).code(),
    }),
  },
  removeAuthenticator: { params: withApp },
  renewRecoveryCodes: { params: withApp },
};

let company: Promise<CompanyProvider> | undefined;

/** Address of a user whose organisation has a provider that knows them. */
async function companyAddress(service: Service): Promise<string> {
  company ??= openCompanyProvider();
  const opened = await company;
  const { organisation, domain } = await companyOf(service, opened);
  const { userId } = await service.person({ [organisation]: "member" });
  const email = `somebody@${domain}`;
  await service.database.admin("update users set email = $2 where id = $1", [userId, email]);
  opened.people.set(userId, { email, email_verified: true });
  return email;
}

function appFor({ service }: Neighbours, { person }: Holder) {
  return giveAuthenticator(service, person.userId);
}

async function withApp(...of: [Neighbours, Holder]): Promise<Record<string, string>> {
  await appFor(...of);
  return {};
}

async function withoutApp({ service }: Neighbours, { person }: Holder): Promise<Record<string, string>> {
  await service.database.admin("delete from authenticators where user_id = $1", [person.userId]);
  return {};
}

async function halfSignedIn({ service }: Neighbours): Promise<{ challenge: string; code: string }> {
  const person = await service.person();
  const app = await giveAuthenticator(service, person.userId);
  const { body } = await signIn(service, person.email);
  return { challenge: body.challenge, code: app.code() };
}

async function passkeyOf({ service }: Neighbours, { person }: Holder): Promise<{ id: string }> {
  return { id: (await registerPasskey(service, await forPasskeys(service, person))).body.id };
}

async function newPasskeyFor({ service }: Neighbours, { person }: Holder): Promise<object> {
  const cookie = await forPasskeys(service, person);
  return { name: "Fixture", credential: await makeCredential(service, cookie, newPasskeyDevice(service)) };
}

async function seenDevice({ service }: Neighbours, { person }: Holder): Promise<{ user_code: string }> {
  const { user_code } = await beginDevice(service);
  await lookUpDevice(service, await seedSession(service.app, person, "browser"), user_code);
  return { user_code };
}

/** Session of a user without passkeys, because their number is limited. */
async function forPasskeys({ app, database }: Service, person: Holder["person"]): Promise<string> {
  await database.admin("delete from passkeys where user_id = $1", [person.userId]);
  return seedSession(app, person, "browser");
}
