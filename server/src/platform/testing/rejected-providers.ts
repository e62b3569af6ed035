import { newId } from "../ids.ts";
import { openCompanyProvider } from "../../../testing/company-provider.ts";
import {
  beginAt,
  companyOf,
  proveDomain,
  publishProof,
  registerProvider,
  signInThrough,
} from "../../../testing/provider-sign-ins.ts";
import type { Sent } from "../../../testing/send.ts";
import { browser, type Service } from "../../../testing/service.ts";

/** A request that produces each code about single sign-on. */
export function refusedProviders(service: () => Service) {
  const opened = async () => {
    const company = await openCompanyProvider();
    return { company, ...(await companyOf(service(), company)) };
  };
  return {
    identity_provider_not_found: async (): Promise<Sent> => {
      const { cookie } = await service().person({ [await service().organisation()]: "owner" });
      return service().send("GET", `/v1/identity-providers/${newId()}`, { headers: browser(cookie) });
    },
    identity_provider_limit_reached: async (): Promise<Sent> => {
      const { company, owner } = await opened();
      for (let made = 1; made < 10; made++)
        await registerProvider(service(), owner, { company, domain: "example.com", isProved: false });
      return service().send("POST", "/v1/identity-providers", {
        headers: browser(owner.cookie),
        body: { name: "x", issuer: company.issuer, client_id: "x", client_secret: "x", domains: [] },
      });
    },
    identity_provider_unavailable: async (): Promise<Sent> => {
      const { company, domain } = await opened();
      await company[Symbol.asyncDispose]();
      return beginAt(service(), `ada@${domain}`);
    },
    identity_not_accepted: async (): Promise<Sent> => {
      const { company, domain } = await opened();
      company.people.set("1", { email: `ada@${domain}`, email_verified: true });
      return signInThrough(service(), `ada@${domain}`);
    },
    domain_not_proved: async (): Promise<Sent> => {
      const { company, owner } = await opened();
      const id = await registerProvider(service(), owner, {
        company,
        domain: "example.com",
        isProved: false,
      });
      return proveDomain(service(), owner, id, "example.com");
    },
    domain_taken: async (): Promise<Sent> => {
      const { company, domain } = await opened();
      const other = await service().person({ [await service().organisation()]: "owner" });
      const id = await registerProvider(service(), other, { company, domain, isProved: false });
      await publishProof(service(), other, id);
      return proveDomain(service(), other, id, domain);
    },
  };
}
