import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mailTo } from "../../../testing/account.ts";
import { type CompanyProvider, openCompanyProvider } from "../../../testing/company-provider.ts";
import {
  beginAt,
  companyOf,
  proveDomain,
  publishProof,
  signInThrough,
} from "../../../testing/provider-sign-ins.ts";
import { browser, type Service, startService } from "../../../testing/service.ts";
import { openCompany } from "../../../testing/sign-in-policies.ts";
import { recheckDomains } from "./identity-providers.recheck.ts";

let service: Service;
let company: CompanyProvider;
let home: Awaited<ReturnType<typeof companyOf>>;
let record: string;
beforeAll(async () => {
  service = await startService({
    worker: true,
    settings: { EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
  company = await openCompanyProvider();
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  home = await companyOf(service, company);
  await publishProof(service, home.owner, home.providerId);
  record = `_dialplane-challenge.${home.domain}`;
});

const DAY_MS = 86_400_000;
/** A day and the longest jitter later. */
const later = async (): Promise<void> => {
  service.clock.advance(1.1 * DAY_MS);
  await recheckDomains(service.app);
};
const domainOf = async () => {
  const { owner } = await refreshed();
  const { body } = await service.send("GET", `/v1/identity-providers/${home.providerId}`, {
    headers: browser(owner),
  });
  return body.domains[0];
};
/** The clock moves by days, which is longer than a session lasts without use. */
const refreshed = async () => {
  await service.database.admin(
    "update sessions set last_seen_at = $2, reauthenticated_at = $2, expires_at = $3 where user_id = $1",
    [home.owner.userId, service.clock.now(), new Date(service.clock.now().getTime() + DAY_MS)],
  );
  return { owner: home.owner.cookie };
};
const happened = () =>
  service.database.admin(
    "select type, data, actor_name from events join audit_entries on action = type and audit_entries.subject = events.subject where events.subject = $1 and type like '%.domain_%' order by events.id",
    [home.providerId],
  );

test("a record that is there keeps the proof, checked once a day", async () => {
  await recheckDomains(service.app);
  const first = await domainOf();
  expect(first).toMatchObject({ status: "proved", missing_since: null, lapsed_at: null });
  await recheckDomains(service.app);
  expect((await domainOf()).checked_at).toBe(first.checked_at);
  await later();
  expect(new Date((await domainOf()).checked_at).getTime()).toBeGreaterThan(
    new Date(first.checked_at).getTime(),
  );
  expect(await happened()).toEqual([]);
});

test("AU-20 ends the verification after the record is missing for three days, and notifies owners twice", async () => {
  service.texts.set(record, ["something else"]);
  await recheckDomains(service.app);
  const missing = await domainOf();
  expect(missing).toMatchObject({ status: "proved", missing_since: expect.any(String) });
  await mailTo(service, home.owner.email, `The TXT record of ${home.domain} is missing`);
  await later();
  await later();
  expect(await domainOf()).toMatchObject({ status: "proved", missing_since: missing.missing_since });
  await later();

  expect(await domainOf()).toMatchObject({
    status: "lapsed",
    proved_at: null,
    missing_since: null,
    lapsed_at: expect.any(String),
  });
  await mailTo(service, home.owner.email, `${home.domain} is no longer verified`);
  const by = { data: { domain: home.domain }, actor_name: "domain check" };
  expect(await happened()).toEqual([
    { type: "identity_provider.domain_missing", ...by },
    { type: "identity_provider.domain_lapsed", ...by },
  ]);
  expect((await beginAt(service, `ada@${home.domain}`)).body).toEqual({ redirect_to: null });

  await publishProof(service, { cookie: (await refreshed()).owner }, home.providerId);
  const again = await proveDomain(service, { cookie: home.owner.cookie }, home.providerId, home.domain);
  expect(again.body.domains).toMatchObject([{ status: "proved", lapsed_at: null }]);
  expect((await beginAt(service, `ada@${home.domain}`)).body.redirect_to).toContain(company.issuer);
});

test("name servers that fail, however long, do not count as a missing record", async () => {
  service.texts.set(record, undefined);
  for (let day = 0; day < 5; day++) await later();
  expect(await domainOf()).toMatchObject({ status: "proved", missing_since: null, checked_at: null });
  expect(await happened()).toEqual([]);
});

test("a record that comes back in time starts the count again", async () => {
  service.texts.set(record, []);
  await later();
  await later();
  await publishProof(service, { cookie: (await refreshed()).owner }, home.providerId);
  await later();
  expect(await domainOf()).toMatchObject({ status: "proved", missing_since: null });
  service.texts.set(record, []);
  await later();
  await later();
  await later();
  expect(await domainOf()).toMatchObject({ status: "proved" });
});

test("three checks in a row within three days are not enough, and two workers check once", async () => {
  service.texts.set(record, []);
  for (let check = 0; check < 4; check++) {
    await service.database.admin(
      "update identity_provider_domains set next_check_at = null where provider_id = $1",
      [home.providerId],
    );
    await Promise.all([recheckDomains(service.app), recheckDomains(service.app)]);
  }
  expect(await domainOf()).toMatchObject({ status: "proved" });
  const [row] = await service.database.admin<{ missing_checks: number }>(
    "select missing_checks from identity_provider_domains where provider_id = $1",
    [home.providerId],
  );
  expect(row!.missing_checks).toBe(4);
  expect(await happened()).toHaveLength(1);
});

test("AU-20 sessions opened through the provider continue after its proof has lapsed, and new ones are rejected", async () => {
  const opened = await openCompany(service, company);
  const path = `_dialplane-challenge.${opened.domain}`;
  service.texts.set(path, []);
  const asMember = browser(opened.owner.through);
  for (let check = 0; check < 4; check++) await later();
  await service.database.admin("update sessions set last_seen_at = $1", [service.clock.now()]);
  expect((await service.send("GET", "/v1/numbers", { headers: asMember })).status).toBe(200);
  await expect(signInThrough(service, opened.owner.email)).rejects.toThrow("redirect_to");
});
