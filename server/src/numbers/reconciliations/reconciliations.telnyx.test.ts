import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import type { TelnyxOwned } from "../carriers/testing/telnyx-server/telnyx-account.ts";
import { startTelnyxServer, type TelnyxServer } from "../carriers/testing/telnyx-server/telnyx-server.ts";
import { reconcileJob } from "./reconciliations.jobs.ts";

/** More than one page of its list. */
const OWNED = Array.from({ length: 301 }, (_, n) => `+1201555${String(1_000 + n)}`);
const [FIRST, LAST] = [OWNED[0]!, OWNED.at(-1)!];

let telnyx: TelnyxServer;
let service: Service;
let home: string;
let token: string;
beforeAll(async () => {
  telnyx = await startTelnyxServer();
  // Numbers were bought there, and by now are ordered elsewhere.
  const settings = { ORDERING: "pool", TELNYX_URL: telnyx.url, TELNYX_API_KEY: telnyx.apiKey };
  service = await startService({ settings });
  home = await service.organisation();
  const operator = await service.person({ [home]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  token = operator.token;
  await seedNumbers(service.app, home, "live", OWNED);
  await service.database.admin("update holdings set carrier = 'telnyx'");
  (telnyx.owned as TelnyxOwned[]).push(...OWNED.map(ownedAt));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await telnyx[Symbol.asyncDispose]();
});

function ownedAt(e164: string, n: number): TelnyxOwned {
  return {
    id: String(7_000_000_000 + n),
    e164,
    status: "active",
    reference: undefined,
    isLocked: false,
    connectionId: null,
    country: "US",
    type: "local",
    at: new Date(),
  };
}

const call = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), body });
const compare = async (carrier = "telnyx"): Promise<{ report: Sent["body"]; findings: Sent["body"][] }> => {
  const { body } = await call("POST", "/operator/v1/reconciliations", { carrier });
  const found = await call("GET", `/operator/v1/reconciliations/${body.id}/findings`);
  return { report: body, findings: found.body.data };
};

test("a list of several pages is compared both ways, and both kinds of finding are repaired", async () => {
  expect((await compare()).report).toMatchObject({ held: 301, owned: 301, open_findings: 0 });

  telnyx.owned.find(({ e164 }) => e164 === FIRST)!.status = "ported-out";
  await service.database.admin(
    "update holdings set status = 'released', released_at = now() where e164 = $1",
    [LAST],
  );
  const { report, findings } = await compare();
  expect(report).toMatchObject({ held: 300, owned: 300, open_findings: 2 });
  expect(findings).toMatchObject([
    { kind: "not_at_carrier", e164: FIRST },
    { kind: "not_here", e164: LAST },
  ]);

  for (const { id } of findings)
    expect((await call("POST", `/operator/v1/findings/${id}/repair`)).status).toBe(200);
  expect(telnyx.owned.find(({ e164 }) => e164 === LAST)!.status).toBe("deleted");
  const [held] = await service.database.admin("select status, status_reason from holdings where e164 = $1", [
    FIRST,
  ]);
  expect(held).toEqual({ status: "suspended", status_reason: "not_at_carrier" });
  expect((await compare()).findings).toMatchObject([{ kind: "not_at_carrier", e164: FIRST }]);
});

test("every night the carriers that live numbers come from are compared, and the sandbox is not", async () => {
  await service.database.admin("delete from reconciliation_findings");
  await service.database.admin("delete from reconciliations");
  await reconcileJob.run(service.app);
  expect(
    await service.database.admin("select carrier, status, held, owned from reconciliations order by carrier"),
  ).toEqual([
    { carrier: "pool", status: "finished", held: 0, owned: 0 },
    { carrier: "telnyx", status: "finished", held: 300, owned: 299 },
  ]);

  expect(await call("POST", "/operator/v1/reconciliations", { carrier: "sandbox" })).toMatchObject({
    status: 404,
    body: { code: "carrier_not_found", detail: expect.stringContaining("only numbers of test environments") },
  });
});

test("a carrier that does not answer makes a report that has failed, and a repair that waits", async () => {
  const { findings } = await compare();
  telnyx.outage(() => "cut_after");
  const { report, findings: none } = await compare();
  expect(report).toMatchObject({ status: "failed", held: null, owned: null, error: expect.any(String) });
  expect(none).toEqual([]);
  expect(await call("POST", `/operator/v1/findings/${findings[0].id}/repair`)).toMatchObject({
    status: 503,
    body: { code: "unavailable" },
  });
  telnyx.outage(undefined);
});

test("reports no finding for a number from another carrier or an import", async () => {
  const brought = ["+12025551000", "+12025551001"];
  await seedNumbers(service.app, home, "live", brought);
  await service.database.admin("update holdings set carrier = 'pool' where e164 = $1", [brought[1]]);
  (telnyx.owned as TelnyxOwned[]).push(...brought.map((e164, n) => ownedAt(e164, 1_000 + n)));

  expect((await compare()).findings).toMatchObject([{ kind: "not_at_carrier", e164: FIRST }]);
});
