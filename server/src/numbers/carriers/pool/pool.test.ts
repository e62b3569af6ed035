import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../platform/ids.ts";
import { describeInventory } from "../testing/inventory-contract.ts";
import { type Service, startService } from "../../../../testing/service.ts";
import { holdNumber, stockNumbers } from "../../../../testing/stock.ts";
import { openPoolInventory } from "./pool.ts";

describeInventory("pool", async () => {
  const service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  return {
    inventory: openPoolInventory(service.app),
    organisations: [await service.organisation(), await service.organisation()],
    stock: (environment, numbers) => stockNumbers(service.database, environment, numbers),
    now: service.clock.now,
    advance: service.clock.advance,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
});

describe("held numbers", () => {
  let service: Service;
  let home: string;
  let other: string;
  beforeAll(async () => {
    service = await startService();
    [home, other] = [await service.organisation(), await service.organisation()];
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const search = async (organisationId: string, environment: "live" | "test"): Promise<string[]> => {
    const pool = openPoolInventory(service.app);
    return (await pool.search({ organisationId, environment }, { limit: 100 })).map(({ e164 }) => e164);
  };
  const canReserve = async (organisationId: string, environment: "live" | "test", e164: string) => {
    const until = new Date(service.clock.now().getTime() + 60_000);
    const wanted = { reference: newId(), e164s: [e164], until };
    const [reserved] = await openPoolInventory(service.app).reserve({ organisationId, environment }, wanted);
    return reserved!.outcome;
  };
  const setStatus = (id: string, status: string) =>
    service.database.admin(
      "update holdings set status = $2, released_at = case when $2 = 'released' then now() end where id = $1",
      [id, status],
    );

  test.each(["active", "suspended", "releasing", "quarantined"])(
    "does not offer a live number whose holding is %s",
    async (status) => {
      const number = await holdNumber(service.app, home, "live");
      await setStatus(number.id, status);

      for (const organisation of [home, other]) {
        expect(await search(organisation, "live")).not.toContain(number.e164);
        expect(await canReserve(organisation, "live", number.e164)).toBe("not_available");
      }
    },
  );

  test("a live number is offered again once it is released", async () => {
    const number = await holdNumber(service.app, home, "live");
    await setStatus(number.id, "released");

    expect(await search(other, "live")).toContain(number.e164);
    expect(await canReserve(other, "live", number.e164)).toBe("available");
  });

  test("a test number one organisation holds is still offered to the others", async () => {
    const number = await holdNumber(service.app, home, "test");

    expect(await search(home, "test")).not.toContain(number.e164);
    expect(await canReserve(home, "test", number.e164)).toBe("not_available");
    expect(await search(other, "test")).toContain(number.e164);
    expect(await canReserve(other, "test", number.e164)).toBe("available");
  });
});
