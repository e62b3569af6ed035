import { expect, test } from "vitest";
import { startService } from "../../../../testing/service.ts";
import { holdManyNumbers, stockNumbers } from "../../../../testing/stock.ts";
import { visitsOf } from "../../../../testing/visits.ts";
import { listFreeNumbers } from "./pool.store.ts";

const PAGE = 10;
const ANY = { country: null, type: null, contains: null, prefix: null, after: null };

test("looking for a free number passes none of the many that are held", async () => {
  await using service = await startService();
  const { database, app } = service;
  const organisationId = await service.organisation();
  await holdManyNumbers(database, organisationId, 20_000);
  const free = Array.from({ length: 30 }, (_, n) => `+4930999999${10 + n}`);
  await stockNumbers(
    database,
    "live",
    free.map((e164, n) => ({ e164, country: "DE", type: n % 3 === 0 ? "mobile" : "local" })),
  );
  await database.admin("analyze numbers");

  for (const filter of [
    ANY,
    { ...ANY, country: "DE" },
    { ...ANY, type: "mobile" },
    { ...ANY, country: "DE", type: "mobile" },
    { ...ANY, country: "FR" },
    { ...ANY, after: free[15]! },
    { ...ANY, contains: "99999912" },
  ]) {
    const visited = await app.db.forSystem("stock", (tx) =>
      visitsOf(
        (sql) => tx.query(sql),
        () =>
          listFreeNumbers(tx, { environment: "live", testSideOf: null }, filter, {
            limit: PAGE,
            now: app.clock.now(),
          }),
      ),
    );
    // The index entry and the row of each that is free.
    expect([filter, visited <= 2 * free.length]).toEqual([filter, true]);
  }
});
