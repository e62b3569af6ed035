import { afterAll, beforeAll, expect, test } from "vitest";
import { openCompanyProvider } from "../../../testing/company-provider.ts";
import {
  companyOf,
  proveDomain,
  publishProof,
  registerProvider,
  signInThrough,
} from "../../../testing/provider-sign-ins.ts";
import { browser, type Service, startService } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" } });
});
afterAll(() => service[Symbol.asyncDispose]());

test("AU-12 rejects another provider for a verified domain without control of its DNS records", async () => {
  await using company = await openCompanyProvider();
  await using evil = await openCompanyProvider();
  const home = await companyOf(service, company);
  await publishProof(service, home.owner, home.providerId); // "Leave the record in place."
  // A colleague who also owns another organisation.
  const elsewhere = await service.organisation("Elsewhere");
  const victim = await service.person({ [home.organisation]: "member", [elsewhere]: "owner" });
  const email = `victim@${home.domain}`;
  await service.database.admin("update users set email = $2 where id = $1", [victim.userId, email]);

  const headers = browser(home.owner.cookie);
  await service.send("DELETE", `/v1/identity-providers/${home.providerId}`, { headers });
  const id = await registerProvider(service, home.owner, {
    company: evil,
    domain: home.domain,
    isProved: false,
  });
  const proved = await proveDomain(service, home.owner, id, home.domain);
  evil.people.set("victim", { email, email_verified: true, name: "Victim" });
  expect(proved.status).toBe(422);
  await expect(signInThrough(service, email)).rejects.toThrow('"redirect_to":null');
});
