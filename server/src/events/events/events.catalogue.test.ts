import { expect, inject, test } from "vitest";
import { copyDatabase } from "../../../testing/test-database.ts";
import { undocumentedEvents } from "../../../testing/event-data.ts";
import { isEventSelector } from "./events.catalogue.ts";

test("accepts a type that exists and a noun that has types", () => {
  expect(["order.completed", "order.*", "routing_webhook_secret.*"].map(isEventSelector)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["order.complete", "orders.*", "*", "order", "order.*.*"].filter(isEventSelector)).toEqual([]);
});

test("finds a recorded event whose type or data the catalogue does not describe", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const { admin } = database;
  const insert = (sequence: number, type: string, data: object): Promise<unknown> =>
    admin(
      `insert into events (organisation_id, sequence, id, environment, type, subject, data, created_at)
       select id, $1, gen_random_uuid(), 'live', $2, 'any', $3, now() from organisations limit 1`,
      [sequence, type, data],
    );
  await admin("insert into organisations (id, name, created_at) values (gen_random_uuid(), 'Any', now())");

  await insert(1, "routing.changed", { mode: "unrouted", generation: 2 });
  expect(await undocumentedEvents(admin)).toEqual([]);
  await insert(2, "routing.changed", { mode: "unrouted", generation: 2, note: "new" });
  await insert(3, "routing.forgotten", {});
  expect(await undocumentedEvents(admin)).toEqual([
    "routing.changed: data/note schema is false",
    "routing.changed: data must not have additional properties",
    "routing.forgotten: the type is not in the catalogue",
  ]);

  await admin("delete from events");
});
