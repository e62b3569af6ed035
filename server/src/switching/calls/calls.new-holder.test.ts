import { afterAll, beforeAll, expect, test } from "vitest";
import { callRecord } from "../../../testing/call-record.ts";
import { openReleaseDesk, type ReleaseDesk, type StagedNumber } from "../../../testing/release-desk.ts";
import { bearer } from "../../../testing/service.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { addHoldings } from "../../numbers/numbers/numbers.ts";

const DAY_MS = 86_400_000;
const EVER = "from=2020-01-01T00:00Z&to=2050-01-01T00:00Z";

let desk: ReleaseDesk;
beforeAll(async () => {
  desk = await openReleaseDesk();
});
afterAll(() => desk[Symbol.asyncDispose]());

test("shows a new holder no calls of the former one", async () => {
  const stage = await desk.stage(1, 1);
  const [number] = stage.numbers as [StagedNumber];
  const [only] = stage.switches;
  const report = async (...records: ReturnType<typeof callRecord>[]): Promise<void> => {
    const { status, body } = await desk.service.send("POST", "/switch/v1/call-records", {
      headers: bearer(only!.credential),
      body: { records },
    });
    expect([status, body]).toMatchObject([200, { rejected: [] }]);
  };
  const before = callRecord({ number_id: number.id, called: number.e164 });
  await report(before);

  await stage.release(number);
  await only!.readBack();
  expect(await stage.turn(number)).toMatchObject({ status: "succeeded" });
  await only!.readBack();
  // As a switch records a call to a quarantined number.
  const amid = callRecord({ number_id: null, called: number.e164, mode: "unrouted" });
  await report(amid);
  await stage.endRest(number);
  expect(await stage.number(number)).toMatchObject({ status: "released" });
  await only!.readBack();

  const { next, buyer } = await sell(number);
  // A record of the former holding still comes late.
  const late = callRecord({ number_id: number.id, called: number.e164 });
  await report(late);
  const own = callRecord({ number_id: next, called: number.e164 });
  await report(own);

  const seen = (path: string): Promise<Response> =>
    fetch(`${desk.service.url}${path}`, { headers: bearer(buyer.token) });
  const month = `from=${day(-30)}&to=${day(1)}`;
  for (const path of [
    `/v1/numbers/${next}/usage?${EVER}`,
    `/v1/usage?${EVER}`,
    `/v1/usage/numbers?${month}`,
    `/v1/numbers/${next}/calls`,
    `/v1/numbers/${next}/calls/export`,
    `/v1/numbers/${next}`,
    `/v1/numbers/${next}/routing`,
    `/v1/numbers/${next}/routing/revisions`,
    "/v1/numbers",
    "/v1/events",
    "/v1/audit",
    `/v1/numbers/live?ids=${next}`,
  ]) {
    const answer = await seen(path);
    const text = await answer.text();
    expect([path, answer.status]).toEqual([path, 200]);
    for (const trace of [before.id, amid.id, late.id, number.id])
      expect([path, text.includes(trace)]).toEqual([path, false]);
    if (text.includes('"totals"')) expect([path, JSON.parse(text).totals.calls]).toEqual([path, 1]);
  }
  for (const path of ["usage", "calls", "calls/export"])
    expect((await seen(`/v1/numbers/${number.id}/${path}?${EVER}`)).status).toBe(404);

  const { body } = await desk.service.send("GET", `/v1/numbers/${number.id}/usage?${EVER}`, {
    headers: bearer(desk.owner.token),
  });
  expect(body.totals.calls).toBe(2);
});

/** The same digits, now another organisation's. */
async function sell({ e164 }: StagedNumber): Promise<{ next: string; buyer: { token: string } }> {
  const { service, carrier } = desk;
  const organisationId = await service.organisation();
  const [added] = await service.app.db.forSystem("stock", (tx) =>
    addHoldings(tx, systemAuthor("test"), service.app.clock.now(), {
      organisationId,
      environment: "live",
      source: "import",
      carrier: carrier.name,
      numbers: [{ e164, country: "GB", type: "local" }],
    }),
  );
  return { next: added!.id!, buyer: await service.person({ [organisationId]: "owner" }) };
}

function day(offset: number): string {
  return new Date(Date.now() + offset * DAY_MS).toISOString();
}
