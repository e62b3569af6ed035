import { afterAll, beforeAll, expect, test } from "vitest";
import { openNames, textsByDns } from "../../platform/egress-names.ts";
import { type CompanyProvider, openCompanyProvider } from "../../../testing/company-provider.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import {
  beginAt,
  companyOf,
  proveDomain,
  publishProof,
  registerProvider,
} from "../../../testing/provider-sign-ins.ts";
import type { Sent } from "../../../testing/send.ts";
import { browser, type Person, type Service, startService } from "../../../testing/service.ts";
import { openTextNameServer } from "./testing/text-name-server.ts";

let service: Service;
let company: CompanyProvider;
beforeAll(async () => {
  service = await startService({ settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" } });
  company = await openCompanyProvider();
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const as = (person: Person, method: string, path: string, body?: object): Promise<Sent> =>
  service.send(method, `/v1/identity-providers${path}`, {
    headers: browser(person.cookie),
    ...(body && { body }),
  });
const newOwner = async (): Promise<Person> => service.person({ [await service.organisation()]: "owner" });

test("an owner registers a provider, reads it, changes and deletes it, and every step is in the audit", async () => {
  const { owner, providerId, organisation, domain } = await companyOf(service, company);
  const secret = "another-secret-of-the-company";

  const read = await as(owner, "GET", `/${providerId}`);
  const changed = await as(owner, "PATCH", `/${providerId}`, {
    name: "New",
    client_secret: secret,
    domains: [domain, "new.example.com"],
  });
  const listed = await as(owner, "GET", "");
  const deleted = await as(owner, "DELETE", `/${providerId}`);

  expect(read.body).toMatchObject({
    issuer: company.issuer,
    client_id: "dialplane",
    redirect_uri: "http://127.0.0.1:8080/sign-in/provider",
    people: 0,
    domains: [{ domain, status: "proved", record_name: `_dialplane-challenge.${domain}` }],
  });
  expect(changed.body).toMatchObject({
    name: "New",
    domains: expect.arrayContaining([
      expect.objectContaining({ domain, status: "proved" }),
      expect.objectContaining({ domain: "new.example.com", status: "claimed", proved_at: null }),
    ]),
  });
  expect(listed.body.data).toEqual([changed.body]);
  expect([deleted.status, (await as(owner, "GET", `/${providerId}`)).status]).toEqual([204, 404]);
  expect([read, changed, listed].some(({ text }) => text.includes(secret))).toBe(false);
  const audit = await service.database.admin<{ action: string; detail: object }>(
    "select action, detail from audit_entries where organisation_id = $1 and action like 'identity_provider.%' order by at",
    [organisation],
  );
  expect(audit.map(({ action }) => action)).toEqual([
    "identity_provider.created",
    "identity_provider.changed",
    "identity_provider.deleted",
  ]);
  expect(JSON.stringify(audit)).not.toContain(secret);
});

test("the client secret is in no dump of the database", async () => {
  await companyOf(service, company);

  const dump = dumpOf(service.database.url);

  expect(dump).toContain(company.issuer);
  expect(isReadableIn(dump, company.clientSecret)).toBe(false);
});

test("AU-10 registering, changing and deleting need a password entered within ten minutes", async () => {
  const { owner, providerId, domain } = await companyOf(service, company);
  await service.database.admin(
    "update sessions set reauthenticated_at = now() - interval '601 seconds' where user_id = $1",
    [owner.userId],
  );

  const answers = [
    await as(owner, "POST", "", {}),
    await as(owner, "PATCH", `/${providerId}`, { name: "x" }),
    await as(owner, "DELETE", `/${providerId}`),
    await proveDomain(service, owner, providerId, domain),
  ];

  expect(answers.map(({ body }) => body.code)).toEqual(Array(4).fill("reauthentication_required"));
});

test.each([
  ["https://127.0.0.1/", "not open"],
  ["http://login.example.com", "Port 80"],
  ["https://login.local", "not a public name"],
  ["https://[::1]/", "not a public address"],
  ["https://login.example.com/?x=1", "without a query"],
  ["https://login.example.com/.well-known/openid-configuration", "/.well-known/"],
])("SS-01 rejects an issuer at %s when it is saved", async (issuer, complaint) => {
  const owner = await newOwner();

  const answer = await as(owner, "POST", "", {
    name: "x",
    issuer,
    client_id: "x",
    client_secret: "x",
    domains: [],
  });

  expect(answer).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
  expect(answer.body.detail).toContain(complaint);
});

test("AU-12 an unverified domain signs no user in, and blocks no other provider", async () => {
  const domain = "claimed.example.com";
  const [claimer, holder] = [await newOwner(), await newOwner()];
  await registerProvider(service, claimer, { company, domain, isProved: false });
  expect((await beginAt(service, `ada@${domain}`)).body).toEqual({ redirect_to: null });

  const id = await registerProvider(service, holder, { company, domain, isProved: false });
  const early = await proveDomain(service, holder, id, domain);
  await publishProof(service, holder, id);
  const proved = await proveDomain(service, holder, id, domain);

  expect(early).toMatchObject({ status: 422, body: { code: "domain_not_proved" } });
  expect(early.body.detail).toContain("_dialplane-challenge.claimed.example.com");
  expect(proved.body.domains).toMatchObject([{ domain, status: "proved", proved_at: expect.any(String) }]);
  expect((await beginAt(service, `ada@${domain}`)).body.redirect_to).toContain(company.issuer);
});

test("AU-12 what one organisation has published proves nothing for another, and a proved domain is taken", async () => {
  const domain = "contested.example.com";
  const [first, second] = [await newOwner(), await newOwner()];
  const firstId = await registerProvider(service, first, { company, domain, isProved: false });
  const secondId = await registerProvider(service, second, { company, domain, isProved: false });
  await publishProof(service, first, firstId);

  const stolen = await proveDomain(service, second, secondId, domain);
  const proved = await proveDomain(service, first, firstId, domain);
  await publishProof(service, second, secondId);
  const late = await proveDomain(service, second, secondId, domain);

  expect([stolen.body.code, proved.status, late.body.code]).toEqual([
    "domain_not_proved",
    200,
    "domain_taken",
  ]);
  const constraint = service.database.admin(
    "update identity_provider_domains set proved_at = now() where provider_id = $1",
    [secondId],
  );
  await expect(constraint).rejects.toMatchObject({ constraint: "identity_provider_domains_proved" });
});

test("AU-12 of many who prove a domain at once, one has it", async () => {
  const domain = "raced.example.com";
  const owners = await Promise.all(Array.from({ length: 8 }, newOwner));
  const ids: string[] = [];
  const values: string[] = [];
  for (const owner of owners) {
    const id = await registerProvider(service, owner, { company, domain, isProved: false });
    ids.push(id);
    values.push((await as(owner, "GET", `/${id}`)).body.domains[0].record_value);
  }
  service.texts.set(`_dialplane-challenge.${domain}`, values);

  const answers = await Promise.all(owners.map((owner, at) => proveDomain(service, owner, ids[at]!, domain)));

  expect(new Set(values).size).toBe(8);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
});

test("proofs are looked up in the DNS: whole, however a record is cut, among others, and only at their name", async () => {
  await using dns = await openTextNameServer();
  dns.records.set("_dialplane-challenge.example.com", [["v=spf1 -all"], ["dialplane-domain-", "proof=abc"]]);
  const names = openNames({
    clock: service.clock,
    egress: service.app.config.egress,
    texts: (name) => textsByDns(name, [dns.address]),
  });

  expect(await names.textsOf("_dialplane-challenge.example.com")).toEqual([
    "v=spf1 -all",
    "dialplane-domain-proof=abc",
  ]);
  expect(await names.textsOf("_dialplane-challenge.example.org")).toEqual([]);
  dns.failing.add("_dialplane-challenge.example.net");
  expect(await names.textsOf("_dialplane-challenge.example.net")).toBeUndefined();
});
