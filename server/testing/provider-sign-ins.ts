import { newId } from "../src/platform/ids.ts";
import type { CompanyProvider } from "./company-provider.ts";
import type { Sent } from "./send.ts";
import { browser, type Person, type Service } from "./service.ts";

/** As the settings page does it; the proof of the domain is put in its place. */
export async function registerProvider(
  service: Service,
  owner: Person,
  { company, domain, isProved = true }: { company: CompanyProvider; domain: string; isProved?: boolean },
): Promise<string> {
  const { status, body, text } = await service.send("POST", "/v1/identity-providers", {
    headers: browser(owner.cookie),
    body: {
      name: "Company",
      issuer: company.issuer,
      client_id: company.clientId,
      client_secret: company.clientSecret,
      domains: [domain],
    },
  });
  if (status !== 201) throw new Error(text);
  if (isProved)
    await service.database.admin(
      "update identity_provider_domains set proved_at = now() where provider_id = $1",
      [body.id],
    );
  return body.id;
}

export function beginAt(service: Service, email: string): Promise<Sent> {
  return service.send("POST", "/v1/sessions/provider-challenges", { body: { email } });
}

/** Parameters of the redirect back, and the cookie from the start. */
export interface Return {
  cookie: string;
  answer: { state: string; code: string; iss: string };
}

/** Goes to the provider and back like a browser. `change` modifies the URL like an attacker in between. */
export async function travel(
  service: Service,
  email: string,
  change: (address: URL) => void = () => {},
): Promise<Return> {
  const { body, headers, text } = await beginAt(service, email);
  if (!body.redirect_to) throw new Error(text);
  const cookie = headers["set-cookie"]![0]!.split(";", 1)[0]!;
  const address = new URL(body.redirect_to);
  change(address);
  const answer = Object.fromEntries(await arrival(address)) as Return["answer"];
  return { cookie, answer };
}

export function finishAt(
  service: Service,
  { cookie, answer }: Return,
  headers: Record<string, string> = {},
): Promise<Sent> {
  return service.send("POST", "/v1/sessions/provider", { headers: { cookie, ...headers }, body: answer });
}

export async function signInThrough(service: Service, email: string): Promise<Sent> {
  return finishAt(service, await travel(service, email));
}

/** Follows the provider's redirects, with its cookies, until they lead back to the service. */
async function arrival(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = start;
  while (at.origin === start.origin) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name!, value!);
    }
    const next = response.headers.get("location");
    if (!next) throw new Error(`The provider answered ${response.status}: ${await response.text()}`);
    at = new URL(next, at);
  }
  return at.searchParams;
}

/** An organisation with single sign-on, an owner and a unique domain. */
export async function companyOf(service: Service, company: CompanyProvider) {
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  const domain = `${newId()}.example.com`;
  const providerId = await registerProvider(service, owner, { company, domain });
  return { organisation, owner, domain, providerId };
}

/** As the owner of the domain does it, at their name server. */
export async function publishProof(service: Service, owner: { cookie: string }, id: string): Promise<void> {
  const { body } = await service.send("GET", `/v1/identity-providers/${id}`, {
    headers: browser(owner.cookie),
  });
  for (const { record_name, record_value } of body.domains) service.texts.set(record_name, [record_value]);
}

export function proveDomain(
  service: Service,
  owner: { cookie: string },
  id: string,
  domain: string,
): Promise<Sent> {
  return service.send("POST", `/v1/identity-providers/${id}/domain-proofs`, {
    headers: browser(owner.cookie),
    body: { domain },
  });
}
