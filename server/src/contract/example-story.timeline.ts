import type { Json, JsonObject } from "./contract.schemas.ts";
import { AT, ID } from "./example-story.ids.ts";
import { ADA, OLD_URI, REASON, TO_BERLIN } from "./example-story.numbers.ts";

const quiet = {
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
const timeline = [
  {
    ...quiet,
    kind: "applied",
    at: AT.applied,
    switch: "fra-1",
    revision: 3,
    found: { ...TO_BERLIN, generation: 3 },
    took_ms: 412,
  },
  {
    ...quiet,
    kind: "failed",
    at: "2026-11-15T09:30:00.200Z",
    until: AT.applied,
    switch: "fra-1",
    revision: 3,
    expected: { ...TO_BERLIN, generation: 3 },
    error: "Out of memory.",
  },
  {
    ...quiet,
    kind: "set",
    at: AT.moved,
    revision: 3,
    actor: ADA,
    reason: REASON,
    changes: [
      { field: "mode", from: "sip_uri", to: "connection" },
      { field: "sip_uri", from: OLD_URI, to: null },
      { field: "connection_id", from: null, to: ID.berlin },
    ],
  },
  { ...quiet, kind: "state", at: AT.acquired, state: "added", actor: ADA },
];

export const TIMELINE_EXAMPLES: Record<string, Json> = {
  TimelinePage: { data: timeline, next_cursor: null },
};

export const TIMELINE_PARAMETERS: Record<string, JsonObject> = { listTimeline: { kind: "applied" } };
