import { expect, test } from "vitest";
import type { RouteStep } from "./control-plane.ts";
import { describeItem } from "./held-item.ts";

const shown = (value: RouteStep): string =>
  describeItem({ kind: "route", id: "x", shard: 0, generation: 4, value: { e164: "+4930901820", ...value } });

test("names every destination of a route", () => {
  const uri = { mode: "sip_uri", sip_uri: "sip:a@pbx.example" } as const;
  const forward = { mode: "forward", forward_to: "+442079460000" } as const;
  const fallback = { ...uri, on: ["busy" as const], fallback: { ...forward, on: ["busy" as const] } };
  expect(shown({ mode: "connection", connection_id: "c1", fallback })).toBe(
    "connection c1, then sip:a@pbx.example, then forward to +442079460000 (generation 4)",
  );
  expect(shown({ mode: "webhook", webhook_url: "https://h.example", fallback: { mode: "unrouted" } })).toBe(
    "webhook https://h.example, then unrouted (generation 4)",
  );
  expect(describeItem(null)).toBe("nothing");
});
