import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CarrierFault, type Ordering } from "../carriers/carrier.ts";
import { newId } from "../../platform/ids.ts";
import { onlyCarrier, scriptedCarrier } from "../../../testing/scripted-carrier.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { suspendNumber } from "../numbers/numbers.ts";

const carrier = scriptedCarrier();
/** Runs before the next lists. An error replaces the list. */
let beforeList: (() => Promise<void>)[] = [];
const ordering: Ordering = {
  ...carrier.ordering,
  async list(after) {
    await beforeList.shift()?.();
    return carrier.ordering.list(after);
  },
};

let service: Service;
let home: string;
let token: string;
beforeAll(async () => {
  service = await startService({ overrides: { carriers: onlyCarrier({ ...carrier, ordering }) } });
  home = await service.organisation();
  const operator = await service.person({ [home]: "owner" });
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  token = operator.token;
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  beforeList = [];
  carrier.behave();
});

const call = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, path, { headers: bearer(token), body });
const findingOf = async (e164: string): Promise<string> => {
  const { body } = await call("POST", "/operator/v1/reconciliations", { carrier: carrier.name });
  const findings = await call("GET", `/operator/v1/reconciliations/${body.id}/findings`);
  return findings.body.data.find((one: { e164: string }) => one.e164 === e164).id;
};
const repair = (id: string): Promise<Sent> => call("POST", `/operator/v1/findings/${id}/repair`);
const isRepaired = async (id: string): Promise<boolean> => {
  const [row] = await service.database.admin<{ repaired_at: Date | null }>(
    "select repaired_at from reconciliation_findings where id = $1",
    [id],
  );
  return row!.repaired_at !== null;
};
const eventsOf = async (id: string): Promise<string[]> => {
  const rows = await service.database.admin<{ type: string }>(
    "select type from events where subject = $1 order by sequence",
    [id],
  );
  return rows.map(({ type }) => type);
};
const hold = async (): Promise<{ id: string; e164: string }> => {
  const { id, e164 } = await holdNumber(service.app, home, "live");
  await service.database.admin("update holdings set carrier = $2 where id = $1", [id, carrier.name]);
  return { id, e164 };
};
let orphans = 0;
const orphan = async (): Promise<string> => {
  const e164 = `+4420794602${String(++orphans).padStart(2, "0")}`;
  carrier.stock(e164);
  const of = { organisationId: home, environment: "live" } as const;
  await carrier.ordering.order(of, { reference: newId(), e164s: [e164] });
  return e164;
};
const own = (e164: string) =>
  carrier.ledger.push({ e164, reference: newId(), organisationId: home, returnedBy: null, boughtAt: null });
const isOwned = (e164: string) => carrier.ledger.some((one) => one.e164 === e164 && one.returnedBy === null);
const away = async (): Promise<never> => {
  throw new CarrierFault("not_sent", "The line is dead.");
};

describe("a number that the carrier did not have", () => {
  test("is not suspended where the carrier has it by now", async () => {
    const { id, e164 } = await hold();
    const finding = await findingOf(e164);
    own(e164);

    expect(await repair(finding)).toMatchObject({ status: 409, body: { code: "finding_outdated" } });
    expect(await isRepaired(finding)).toBe(false);
    expect((await call("GET", `/v1/numbers/${id}`)).body.status).toBe("active");
  });

  test("is not suspended while the carrier is unreachable", async () => {
    const { id, e164 } = await hold();
    const finding = await findingOf(e164);
    beforeList = [away];

    expect(await repair(finding)).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect((await call("GET", `/v1/numbers/${id}`)).body.status).toBe("active");
    expect((await repair(finding)).status).toBe(200);
    expect((await call("GET", `/v1/numbers/${id}`)).body.status).toBe("suspended");
  });

  test("is repaired if already suspended, without another notification", async () => {
    const { id, e164 } = await hold();
    const finding = await findingOf(e164);
    await suspendNumber(service.app, systemAuthor("test"), e164, true);
    const before = await eventsOf(id);

    expect((await repair(finding)).status).toBe(200);
    expect(await eventsOf(id)).toEqual(before);
    expect(await isRepaired(finding)).toBe(true);
  });

  test("and is on its way back is left alone", async () => {
    const { id, e164 } = await hold();
    const finding = await findingOf(e164);
    await service.database.admin("update holdings set status = 'releasing' where id = $1", [id]);
    const before = await eventsOf(id);

    expect(await repair(finding)).toMatchObject({ status: 409, body: { code: "finding_outdated" } });
    expect(await isRepaired(finding)).toBe(false);
    expect(await eventsOf(id)).toEqual(before);
    await service.database.admin("update holdings set status = 'active' where id = $1", [id]);
  });
});

describe("a number without a holder", () => {
  test("stays where the carrier keeps it, or gives no answer, and goes when asked again", async () => {
    const e164 = await orphan();
    const finding = await findingOf(e164);
    carrier.script("release", "refused", "not_sent");

    expect(await repair(finding)).toMatchObject({ body: { code: "carrier_refused" } });
    expect(await repair(finding)).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(await isRepaired(finding)).toBe(false);
    expect((await repair(finding)).status).toBe(200);
    expect(isOwned(e164)).toBe(false);
  });

  test("is kept if it got a holder during the query", async () => {
    const e164 = await orphan();
    const finding = await findingOf(e164);
    beforeList = [
      async () => {
        const { id } = await holdNumber(service.app, home, "live", e164);
        await service.database.admin("update holdings set carrier = $2 where id = $1", [id, carrier.name]);
      },
    ];

    expect(await repair(finding)).toMatchObject({ status: 409, body: { code: "finding_outdated" } });
    expect(isOwned(e164)).toBe(true);
  });

  test.each([
    ["was brought along", null, "active"],
    ["came from the pool", "pool", "active"],
    ["was brought along and rests after its release", null, "quarantined"],
  ])("is kept if it has a holder by now, although it %s", async (_, from, status) => {
    const e164 = await orphan();
    const finding = await findingOf(e164);
    const { id } = await holdNumber(service.app, home, "live", e164);
    await service.database.admin("update holdings set carrier = $2, status = $3 where id = $1", [
      id,
      from,
      status,
    ]);

    expect(await repair(finding)).toMatchObject({ status: 409, body: { code: "finding_outdated" } });
    expect(isOwned(e164)).toBe(true);
    expect(await isRepaired(finding)).toBe(false);
  });

  test("is kept if an organisation is buying it from another carrier", async () => {
    const e164 = await orphan();
    const finding = await findingOf(e164);
    const order = [home, newId()];
    await service.database.admin(
      `insert into orders (organisation_id, environment, id, job_id, status, carrier, idempotency_key, quantity,
         all_or_nothing, tags, created_by_kind, created_at)
       values ($1, 'live', $2, $2, 'processing', 'pool', $2::uuid::text, 1, false, '{}', 'session', now())`,
      order,
    );
    await service.database.admin(
      `insert into order_items (organisation_id, environment, order_id, position, e164, step, reference)
       values ($1, 'live', $2, 1, $3, 'bought', $2)`,
      [...order, e164],
    );

    expect(await repair(finding)).toMatchObject({ status: 409, body: { code: "finding_outdated" } });
    expect(isOwned(e164)).toBe(true);
  });

  test("is returned if it is in quarantine because the carrier had accepted its return", async () => {
    const { id, e164 } = await hold();
    await service.database.admin("update holdings set status = 'quarantined' where id = $1", [id]);
    own(e164);

    expect((await repair(await findingOf(e164))).status).toBe(200);
    expect(isOwned(e164)).toBe(false);
  });

  test("is returned by one finding at a time, and not again after it was sold", async () => {
    const e164 = await orphan();
    const [one, other] = [await findingOf(e164), await findingOf(e164)];
    let second: Sent | undefined;
    beforeList = [async () => void (second = await repair(other))];

    expect((await repair(one)).status).toBe(200);
    expect(second).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(isOwned(e164)).toBe(false);

    // There is nothing to return, so nothing is returned, even if another order buys the number at this moment.
    const released = carrier.calls.filter(({ call: made }) => made === "release").length;
    expect((await repair(other)).status).toBe(200);
    expect(carrier.calls.filter(({ call: made }) => made === "release")).toHaveLength(released);
  });

  test("can be repaired after the lease of a dead process", async () => {
    const e164 = await orphan();
    const finding = await findingOf(e164);
    const claim = (until: string) =>
      service.database.admin(
        `update reconciliation_findings set claimed_until = now() ${until} where id = $1`,
        [finding],
      );
    await claim("+ interval '1 minute'");
    expect((await repair(finding)).status).toBe(503);
    await claim("- interval '1 second'");
    expect((await repair(finding)).status).toBe(200);
  });
});
