import type { TimelineEntry } from "@dialplane/sdk";
import { expect, test } from "vitest";
import { whatOf } from "./timeline.commands.ts";

const NONE: Omit<TimelineEntry, "kind"> = {
  at: "2026-11-15T14:02:11.000Z",
  until: null,
  switch: null,
  revision: null,
  state: null,
  actor: null,
  reason: null,
  changes: [],
  found: null,
  expected: null,
  error: null,
  count: null,
  took_ms: null,
  wrong_ms: null,
};
const sip = (user: string) => ({
  mode: "sip_uri" as const,
  sip_uri: `sip:${user}@pbx.example`,
  generation: 7,
});

test.each<[Partial<TimelineEntry>, string]>([
  [
    {
      kind: "set",
      revision: 7,
      reason: "Moved",
      changes: [
        { field: "mode", from: "connection", to: "sip_uri" },
        { field: "sip_uri", from: null, to: "sip:new@pbx.example" },
        { field: "connection_id", from: "c", to: null },
      ],
    },
    "generation 7: mode connection → sip_uri, sip_uri sip:new@pbx.example, connection_id c → none (Moved)",
  ],
  [
    { kind: "applied", revision: 7, found: sip("new"), took_ms: 41 },
    "generation 7 (sip:new@pbx.example) in 41 ms",
  ],
  [{ kind: "applied", revision: 7, took_ms: 90_400 }, "generation 7 (nothing) in 90 s"],
  [{ kind: "failed", revision: 7, error: "500 Full" }, "generation 7: 500 Full (not over)"],
  [
    {
      kind: "drifted",
      found: sip("old"),
      expected: sip("new"),
      count: 3,
      wrong_ms: 2_000,
      until: "2026-11-15T14:06:40.000Z",
    },
    "held sip:old@pbx.example instead of sip:new@pbx.example, 3×, wrong for 2000 ms, until 14:06:40Z",
  ],
  [{ kind: "state", state: "suspended", reason: "Overdue" }, "suspended (Overdue)"],
  [{ kind: "later" }, "later"],
])("describes an entry of the timeline: %o", (entry, text) => {
  expect(whatOf({ ...NONE, kind: "set", ...entry })).toBe(text);
});
