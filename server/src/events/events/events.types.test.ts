import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_TYPES, isEventSelector } from "./events.types.ts";

test("the documentation of webhooks lists every type, by its noun", () => {
  const page = readFileSync(new URL("../../../../docs/webhooks.md", import.meta.url), "utf8");
  const section = page.split("## Event types")[1]!.split("\n## ")[0]!;
  const listed = [...section.matchAll(/`([a-z_]+\.[a-z_*]+)`/g)].map(([, type]) => type!);

  expect(listed.filter((type) => !type.endsWith(".*")).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  expect(listed.filter((type) => !isEventSelector(type))).toEqual([]);
});

test("a selector is a type that exists, or a noun that has types", () => {
  expect(["order.completed", "order.*", "routing_webhook_secret.*"].map(isEventSelector)).toEqual([
    true,
    true,
    true,
  ]);
  expect(["order.complete", "orders.*", "*", "order", "order.*.*"].filter(isEventSelector)).toEqual([]);
});
