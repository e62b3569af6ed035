import { createHash } from "node:crypto";

/** Host name of the reader's installation, in servers and examples. */
export const EXAMPLE_HOST = "dialplane.example.com";

/**
 * All API examples tell one story: Northwind Telecom moves its number "Sales" to the new office in Berlin on
 * 15 November 2026. Ada Lovelace owns the organisation, Grace Hopper is its developer, Margaret Hamilton operates
 * the installation.
 */
export const E164 = {
  sales: "+493010000001",
  support: "+493010000002",
  fax: "+493010000003",
  free: "+493010000004",
  hamburg: "+494030000001",
  caller: "+442079460123",
} as const;

/** Times of the story, in order. */
export const AT = {
  installed: "2025-08-19T08:00:00.000Z",
  founded: "2025-08-20T05:27:39.806Z",
  invited: "2026-11-12T08:05:00.000Z",
  reserved: "2026-11-02T09:10:00.000Z",
  ordered: "2026-11-02T09:12:30.000Z",
  acquired: "2026-11-02T09:12:34.000Z",
  regulated: "2026-11-12T09:00:00.000Z",
  evidence: "2026-11-12T09:10:00.000Z",
  submitted: "2026-11-12T09:12:00.000Z",
  officeAdded: "2026-11-13T13:20:00.000Z",
  signedIn: "2026-11-15T08:58:12.000Z",
  moved: "2026-11-15T09:30:00.000Z",
  applied: "2026-11-15T09:30:00.412Z",
  probed: "2026-11-15T09:45:00.000Z",
  called: "2026-11-15T09:41:07.000Z",
  now: "2026-11-15T10:00:00.000Z",
  dayBegan: "2026-11-15T00:00:00.000Z",
  dayEnds: "2026-11-16T00:00:00.000Z",
} as const;

const ORGANISATION = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";

/** IDs of everything in the story. A test rejects any other UUID in an example. */
export const ID = {
  // The example of the schema of IDs in shapes.ts.
  organisation: ORGANISATION,
  otherOrganisation: idAt("2026-02-10T10:00:00.000Z", "Northwind Labs"),
  ada: idAt(AT.founded, "Ada Lovelace"),
  grace: idAt("2026-03-02T09:00:00.000Z", "Grace Hopper"),
  margaret: idAt(AT.installed, "Margaret Hamilton"),
  session: idAt(AT.signedIn, "browser session"),
  toolSession: idAt("2026-11-14T16:20:00.000Z", "tool session"),
  passkey: idAt("2026-03-02T09:05:00.000Z", "passkey"),
  invitation: idAt(AT.invited, "invitation"),
  identityProvider: idAt("2026-04-01T10:00:00.000Z", "identity provider"),
  key: idAt("2026-09-01T12:00:00.000Z", "API key"),
  nextKey: idAt("2026-11-15T09:50:00.000Z", "rotated API key"),
  sales: idAt(AT.acquired, "Sales"),
  support: idAt(AT.acquired, "Support"),
  fax: idAt("2026-01-12T10:00:00.000Z", "Fax"),
  berlin: idAt(AT.officeAdded, "Berlin office"),
  hamburg: idAt("2026-01-12T09:00:00.000Z", "Hamburg office"),
  reservation: idAt(AT.reserved, "reservation"),
  cancelledReservation: idAt("2026-11-01T15:00:00.000Z", "cancelled reservation"),
  order: idAt(AT.ordered, "order"),
  failedOrder: idAt("2026-11-01T16:00:00.000Z", "failed order"),
  orderJob: idAt(AT.ordered, "job of the order"),
  regulatedOrder: idAt(AT.regulated, "order of a regulated number"),
  regulatedJob: idAt(AT.regulated, "job of the order of a regulated number"),
  address: idAt(AT.evidence, "address"),
  formerAddress: idAt("2026-11-12T08:30:00.000Z", "former address"),
  document: idAt(AT.evidence, "document"),
  formerDocument: idAt("2026-11-12T08:40:00.000Z", "former document"),
  releaseJob: idAt("2026-11-10T10:00:00.000Z", "job of the release"),
  restoreJob: idAt("2026-11-14T10:00:00.000Z", "job of the restore"),
  problem: idAt("2026-11-15T09:30:05.000Z", "problem"),
  bulkChange: idAt("2026-11-15T09:32:00.000Z", "bulk change"),
  endpoint: idAt("2026-11-03T08:00:00.000Z", "webhook endpoint"),
  delivery: idAt(AT.applied, "delivery"),
  auditedMove: idAt(AT.moved, "audit entry of the move"),
  auditedRejection: idAt("2026-11-15T09:29:10.000Z", "audit entry of a rejection"),
  moveRequest: idAt(AT.moved, "request that moves the number"),
  rejectedRequest: idAt("2026-11-15T09:29:10.000Z", "rejected request"),
  probeSchedule: idAt("2026-11-15T09:44:00.000Z", "probe schedule"),
  probe: idAt("2026-11-15T09:45:00.000Z", "probe"),
  view: idAt("2026-11-15T09:45:00.000Z", "view"),
  switch: idAt("2025-08-19T09:00:00.000Z", "fra-1"),
  switchGroup: idAt(AT.installed, "switch group"),
  otherSwitchGroup: idAt(AT.now, "other switch group"),
  carrier: idAt(AT.installed, "carrier"),
  reconciliation: idAt("2026-11-15T02:00:00.000Z", "reconciliation"),
  finding: idAt("2026-11-15T02:00:04.000Z", "finding"),
  otherFinding: idAt("2026-11-15T02:00:04.000Z", "other finding"),
  adopted: idAt("2026-11-15T08:00:00.000Z", "adopted number"),
  savedState: idAt("2026-10-20T03:15:00.000Z", "saved state"),
  restore: idAt("2026-10-20T04:10:00.000Z", "restore"),
  restoreFinding: idAt("2026-10-20T04:14:00.000Z", "restore finding"),
  lostRevocation: idAt("2026-10-20T03:05:00.000Z", "lost revocation"),
  liveSession: idAt("2026-11-15T06:00:00.000Z", "reporting session"),
  // The database generates epochs, and clients generate keys. These are random.
  epoch: "7f7c3d1e-5a0e-4c55-9d0b-2f6f1f0a8a51",
  endedEpoch: "c2b8a6f4-1d3e-4f5a-8b7c-9d0e1f2a3b4c",
  idempotencyKey: "5f0c9a4e-3a55-4c64-8a0b-2b6a9a6a5b0e",
} as const;

/** UUIDv7 with the given time. The name decides the random part, so that it never changes. */
export function idAt(time: string, name: string): string {
  const moment = Date.parse(time).toString(16).padStart(12, "0");
  const random = createHash("sha256").update(name).digest("hex");
  return [
    moment.slice(0, 8),
    moment.slice(8),
    `7${random.slice(0, 3)}`,
    `8${random.slice(3, 6)}`,
    random.slice(6, 18),
  ].join("-");
}
