import type { Role } from "../src/platform/http/access.ts";
import { cookieIn, signIn } from "./account.ts";
import { type AuthenticatorApp, giveAuthenticator } from "./authenticator-app.ts";
import type { CompanyProvider } from "./company-provider.ts";
import { companyOf, signInThrough } from "./provider-sign-ins.ts";
import type { Sent } from "./send.ts";
import { browser, type Person, type Service } from "./service.ts";

export interface StrongPerson extends Person {
  authenticator: AuthenticatorApp;
  /** The body of the response that signed them in. */
  signedIn: { user: { id: string }; enrolment_required: boolean };
}

/** A user with an authenticator app, whose browser session was opened with a password and a code. */
export async function strongPerson(
  service: Service,
  memberships: Record<string, Role> = {},
): Promise<StrongPerson> {
  const person = await service.person(memberships);
  const authenticator = await giveAuthenticator(service, person.userId);
  const entered = await enterWithCode(service, person.email, authenticator.code());
  return { ...person, authenticator, cookie: cookieIn(entered), signedIn: entered.body };
}

export async function enterWithCode(service: Service, email: string, code: string): Promise<Sent> {
  const { body } = await signIn(service, email);
  return service.send("POST", "/v1/sessions/code", { body: { challenge: body.challenge, code } });
}

export function changePolicy(
  service: Service,
  { cookie }: { cookie: string },
  body: object,
  organisation?: string,
): Promise<Sent> {
  return service.send("PATCH", "/v1/sign-in-policy", {
    headers: { ...browser(cookie), ...(organisation && { "x-service-org": organisation }) },
    body,
  });
}

/** An organisation with a provider that its owner, who has a second factor, has signed in through. */
export async function openCompany(service: Service, company: CompanyProvider) {
  const opened = await companyOf(service, company);
  const { organisation, owner, domain } = opened;
  const email = `owner@${domain}`;
  await service.database.admin("update users set email = $2 where id = $1", [owner.userId, email]);
  company.people.set("owner", { email, email_verified: true, name: "Owner" });
  const member = await service.person({ [organisation]: "member" });
  const memberEmail = `member@${domain}`;
  await service.database.admin("update users set email = $2 where id = $1", [member.userId, memberEmail]);
  company.people.set("member", { email: memberEmail, email_verified: true, name: "Member" });
  const through = cookieIn(await signInThrough(service, email));
  const authenticator = await giveAuthenticator(service, owner.userId);
  const entered = await enterWithCode(service, email, authenticator.code());
  return {
    ...opened,
    owner: { ...owner, email, cookie: cookieIn(entered), authenticator, through },
    member: { ...member, email: memberEmail },
  };
}
