import { expect, test } from "vitest";
import { writeWhileKilling } from "./testing/killed-writes.ts";

test("killing the API at random moments loses no acknowledged write and does none twice", async () => {
  const report = await writeWhileKilling({ writes: 150, kills: 3, writers: 4 });

  expect(report).toMatchObject({ lost: [], doubled: [], broken: [] });
  expect(report.kills).toBeGreaterThan(0);
  expect(report.requests).toBeGreaterThan(report.writes);
});
