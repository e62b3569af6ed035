import type { Json, JsonObject } from "./contract.schemas.ts";
import { E164, ID } from "./example-story.ids.ts";

const OPERATOR = "Ada Lovelace";
const restore = {
  id: ID.restore,
  cause: "operator",
  restored_to: "2026-10-20T03:00:00.000Z",
  began_at: "2026-10-20T04:10:00.000Z",
  began_by: OPERATOR,
  compared_at: "2026-10-20T04:14:00.000Z",
  ended_at: null,
  ended_by: null,
  switches: [{ name: "fra-1", state: "compared", items: 812 }],
  carriers: [{ name: "didww", state: "finished", error: null }],
  findings: [
    { kind: "newer_on_switch", state: "open", count: 3 },
    { kind: "only_on_switch", state: "adopted", count: 1 },
  ],
};
const finding = {
  id: ID.restoreFinding,
  kind: "newer_on_switch",
  item: "route",
  item_id: ID.sales,
  e164: E164.sales,
  organisation_id: ID.organisation,
  here: { e164: E164.sales, mode: "sip_uri", sip_uri: "sip:sales@pbx.northwind.example" },
  there: { e164: E164.sales, mode: "connection", connection_id: ID.berlin },
  switches: ["fra-1"],
  carrier: null,
  state: "open",
  decided_at: null,
  decided_by: null,
};
const decided = { decided_at: "2026-10-20T04:20:00.000Z", decided_by: OPERATOR };
const revocation = { id: ID.lostRevocation, action: "api_key.revoked", subject: ID.key };

export const RESTORE_EXAMPLES: Readonly<Record<string, Json>> = {
  Restore: restore,
  RestoreFinding: finding,
  AdoptRestoreFinding: {},
  FinishRestore: { without_unreachable: false },
  ReplayRevocations: {
    organisation_id: ID.organisation,
    entries: [{ ...revocation, outcome: "done", detail: {} }],
  },
  ReplayedRevocations: { entries: [{ ...revocation, outcome: "replayed" }] },
  SuspendedKeys: { count: 14 },
};

export const RESTORE_ANSWERS: Readonly<Record<string, Json>> = {
  adoptRestoreFinding: { ...finding, ...decided, state: "adopted" },
  dropRestoreFinding: { ...finding, ...decided, state: "dropped" },
  finishRestore: {
    ...restore,
    findings: [{ kind: "newer_on_switch", state: "adopted", count: 3 }],
    ended_at: "2026-10-20T04:30:00.000Z",
    ended_by: OPERATOR,
  },
};

export const RESTORE_PARAMETERS: Readonly<Record<string, JsonObject>> = {
  listRestoreFindings: { kind: "newer_on_switch", state: "open" },
};
