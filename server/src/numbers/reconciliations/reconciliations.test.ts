import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { suspendNumber } from "../numbers/numbers.ts";
import { holdNumber, stockNumbers } from "../../../testing/stock.ts";

let service: Service;
let home: string;
let token: string;
beforeAll(async () => {
  service = await startService();
  home = await service.organisation();
  const operator = await service.person({ [home]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  token = operator.token;
});
afterAll(() => service[Symbol.asyncDispose]());

const call = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), body });
const reconcile = async (): Promise<{ report: Sent["body"]; findings: Sent["body"][] }> => {
  const { status, body } = await call("POST", "/operator/v1/reconciliations", { carrier: "pool" });
  expect(status).toBe(201);
  const found = await call("GET", `/operator/v1/reconciliations/${body.id}/findings`);
  return { report: body, findings: found.body.data };
};
const buy = async (e164: string): Promise<void> => {
  await stockNumbers(service.database, "live", [{ e164 }]);
  const pool = service.app.carriers.named("pool")!;
  const of = { organisationId: home, environment: "live" } as const;
  const { items } = await pool.ordering.order(of, { reference: newId(), e164s: [e164] });
  expect(items).toEqual([{ e164, outcome: "bought" }]);
};

test("finds a paid number without a holder, and returns it on command", async () => {
  await buy("+442079460111");
  const { report, findings } = await reconcile();
  expect(report).toMatchObject({ carrier: "pool", status: "finished", held: 0, owned: 1, open_findings: 1 });
  expect(findings).toMatchObject([
    { kind: "not_here", e164: "+442079460111", number_id: null, repaired_at: null },
  ]);
  expect((await reconcile()).report.owned).toBe(1);

  expect((await call("POST", `/operator/v1/findings/${findings[0].id}/repair`)).status).toBe(200);
  expect((await reconcile()).report).toMatchObject({ owned: 0, open_findings: 0 });
});

test("reports a missing number to its holder, and suspends it with the reason on command", async () => {
  const { id, e164 } = await holdNumber(service.app, home, "live");
  await service.database.admin("update holdings set carrier = 'pool' where id = $1", [id]);
  const { findings } = await reconcile();
  expect(findings).toMatchObject([{ kind: "not_at_carrier", e164, number_id: id, organisation_id: home }]);
  const { body: events } = await call("GET", "/v1/events?limit=1000");
  expect(events.data.at(-1)).toMatchObject({ type: "number.missing_at_carrier", subject: id });
  expect((await call("GET", `/v1/numbers/${id}`)).body.status).toBe("active");

  await call("POST", `/operator/v1/findings/${findings[0].id}/repair`);
  expect((await call("GET", `/v1/numbers/${id}`)).body).toMatchObject({
    status: "suspended",
    status_reason: "not_at_carrier",
  });
  expect((await call("GET", `/v1/numbers/${id}/routing`)).body.effective_reason).toBe("number_suspended");

  // Once it is resumed the reason is removed, and the holder is notified again if it is missing again.
  await suspendNumber(service.app, systemAuthor("test"), e164, false);
  expect((await call("GET", `/v1/numbers/${id}`)).body.status_reason).toBeNull();
  await reconcile();
  const { body: later } = await call("GET", "/v1/events?limit=1000");
  expect(later.data.slice(-2)).toMatchObject([
    { type: "number.resumed" },
    { type: "number.missing_at_carrier", subject: id },
  ]);
});

test("marks a run whose process died as failed, hours later", async () => {
  const [old, recent] = [newId(), newId()];
  await service.database.admin(
    `insert into reconciliations (id, carrier, started_at)
     values ($1, 'pool', now() - interval '7 hours'), ($2, 'pool', now() - interval '1 hour')`,
    [old, recent],
  );
  await reconcile();

  const sql = "select status from reconciliations where id = any($1) order by started_at";
  const rows = await service.database.admin<{ status: string }>(sql, [[old, recent]]);
  expect(rows.map(({ status }) => status)).toEqual(["failed", "running"]);
});
