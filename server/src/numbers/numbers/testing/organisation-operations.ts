import { insertBulkChange, insertItems } from "../../bulk-changes/bulk-changes.store.ts";
import { findCallPage } from "../../../switching/calls/calls.store.ts";
import { listLive } from "../../../switching/live/live.store.ts";
import { lockNumber, setNumberStatus } from "../numbers.lifecycle.store.ts";
import { type NumberFilters, numberPageStatement, type NumberSort } from "../numbers.list.store.ts";
import { listIds, lockHoldings } from "../numbers.many.store.ts";
import { searchTermsOf } from "../numbers.written.ts";
import { findNumberJson, lockHolding, setHolding } from "../numbers.store.ts";
import { insertRelease } from "../../releases/releases.store.ts";
import type { Destination } from "../../routing/routing.rules.ts";
import { decideRoutingRows, setRoutingRows } from "../../routing/routing.many.store.ts";
import {
  findRoutingInside,
  listPositions,
  type RoutingChange,
  setRoutingOnce,
  setRoutingRow,
} from "../../routing/routing.store.ts";
import { windowsAt } from "../../../switching/overview/overview.calls.rules.ts";
import { bucketsStatement } from "../../../switching/overview/overview.calls.store.ts";
import { numbersStatement } from "../../../switching/overview/overview.numbers.store.ts";
import { problemsStatement } from "../../../switching/overview/overview.problems.store.ts";
import {
  listTopNumbers,
  numberUsageStatement,
  organisationUsageStatement,
} from "../../../switching/usage/usage.store.ts";
import type { OrganisationTx } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { AUTHOR, type HeldNumber, NOW, type NumberOperation } from "./number-operation.ts";

const WINDOW = { from: NOW.getTime() - 86_400_000, to: NOW.getTime() + 86_400_000 };

const STORED = { status: 200, content_type: "application/json", etag: '"{generation}"' };

/** The API's reads and writes of holdings, as the role of an organisation. */
export const ORGANISATION_OPERATIONS: Record<string, NumberOperation> = {
  "GET routing": { most: 60, run: (tx, { number }) => findRoutingInside(tx, number.id) },
  "PUT routing": {
    most: 250,
    run: (_, { db, scope, number }) =>
      setRoutingOnce(
        db,
        scope,
        { key: newId(), fingerprint: Buffer.alloc(32), keptUntil: NOW, stored: STORED },
        changeOf(number, { mode: "sip_uri", sip_uri: `sip:${newId()}@example.com` }),
      ),
  },
  "PUT routing without a change": {
    most: 60,
    run: (tx, { number }) => setRoutingRow(tx, changeOf(number, { mode: "unrouted" })),
  },
  "PUT routing with a forward to an own number": {
    most: 250,
    run: (tx, { number, other }) =>
      setRoutingRow(tx, changeOf(number, { mode: "forward", forward_to: other.e164 })),
  },
  "feed positions of a routing": {
    most: 20,
    run: (_, { db, scope, number }) => listPositions(db, scope, number.id),
  },
  "decide and set routings together": { most: 200, run: (tx, { number }) => setTogether(tx, number) },
  // Each number has had calls in every hour: up to 23 rows of hours and one of the day, apart from each other.
  "list of 50": { most: 1_800, run: (tx, { number }) => listPage(tx, number, {}) },
  "list of 50, sorted by number": { most: 1_900, run: (tx, { number }) => listPage(tx, number, {}, "-e164") },
  "list of 50 with a status": {
    most: 2_000,
    run: (tx, { number }) => listPage(tx, number, { status: "active" }),
  },
  "list of 50 with a status, sorted by number": {
    most: 2_000,
    run: (tx, { number }) => listPage(tx, number, { status: "active" }, "-e164"),
  },
  "list of 50 in sync": {
    most: 2_700,
    run: (tx, { number }) => listPage(tx, number, { sync: "in_sync" }),
  },
  // Most of them are the heads and confirmations of all 256 shards.
  "overview, numbers": { most: 800, run: (tx, { scope }) => run(tx, numbersStatement(scope)) },
  "overview, problems": { most: 100, run: (tx, { scope }) => run(tx, problemsStatement(scope, NOW)) },
  "overview, calls": {
    most: 100,
    run: (tx, { scope }) => run(tx, bucketsStatement(scope, windowsAt(NOW.getTime()))),
  },
  "list of 50 with connections of a health": {
    most: 1_000,
    run: (tx, { number }) => listPage(tx, number, { first_connections: [number.id] }),
  },
  "search for a number": {
    most: 1_000,
    run: (tx, { number }) => listPage(tx, undefined, { terms: searchTermsOf(number.e164) }),
  },
  "IDs for a bulk change": { most: 400, run: (tx, { number }) => listIds(tx, {}, number.id, 50) },
  "GET number": { most: 50, run: (tx, { number }) => findNumberJson(tx, number.id) },
  "lock a number": { most: 20, run: (tx, { number }) => lockHolding(tx, number.id) },
  "lock numbers": { most: 20, run: (tx, { number }) => lockHoldings(tx, [number.id]) },
  "PATCH number": {
    most: 150,
    run: (tx, { number }) =>
      setHolding(
        tx,
        { id: number.id, label: newId(), tags: [newId()], metadata: {}, release_lock: false },
        NOW,
      ),
  },
  "lock a number and its routing": {
    most: 30,
    run: (tx, { scope, number }) => lockNumber(tx, scope, number.id),
  },
  "start a release": {
    most: 150,
    async run(tx, { scope, number }) {
      await setNumberStatus(tx, scope, number.id, { from: "active", to: "releasing", at: NOW });
      await insertRelease(tx, {
        id: newId(),
        holding_id: number.id,
        e164: number.e164,
        job_id: newId(),
        previous_status: "active",
        carrier: null,
        asked_by_kind: "system",
        asked_by_id: null,
        asked_by_name: null,
        created_at: NOW,
      });
    },
  },
  "plan a bulk change": {
    most: 80,
    async run(tx, { number }) {
      const id = newId();
      await insertBulkChange(tx, {
        id,
        change: { tags: { add: ["a"], remove: [] } },
        reason: null,
        created_by_kind: "system",
        created_by_id: null,
        created_by_name: null,
        created_at: NOW,
        expires_at: NOW,
      });
      await insertItems(tx, id, [number.id]);
    },
  },
  "GET calls": {
    most: 40,
    run: (_, { db, scope, number }) =>
      findCallPage(db, scope, { numberId: number.id, after: undefined, limit: 50 }),
  },
  "GET usage of a number": {
    most: 60,
    run(tx, { scope, number }) {
      const parts = { days: [WINDOW], hours: [WINDOW], records: [WINDOW] };
      const { text, values } = numberUsageStatement(scope, number.id, parts);
      return tx.query(text, values);
    },
  },
  "GET usage of the organisation": {
    most: 60,
    run(tx, { scope }) {
      const { text, values } = organisationUsageStatement(scope, WINDOW, undefined, 0);
      return tx.query(text, values);
    },
  },
  "GET top numbers": {
    most: 80,
    run: (_, { db, scope }) => listTopNumbers(db, scope, WINDOW, { by: "calls", limit: 10 }),
  },
  "GET live calls": {
    most: 40,
    run: (_, { db, scope, number }) => listLive(db, scope, [number.id]),
  },
};

async function setTogether(tx: OrganisationTx, { id }: HeldNumber): Promise<void> {
  const [row] = await tx.query<{ generation: string }>(
    "select generation from routings where organisation_id = $1 and environment = $2 and holding_id = $3",
    [tx.organisationId, tx.environment, id],
  );
  const desired = { mode: "sip_uri", sip_uri: "sip:together@pbx.example.com" } as const;
  const items = [{ numberId: id, generation: Number(row!.generation) }];
  await decideRoutingRows(tx, items, desired, false);
  const { author, eventId, auditId, at } = changeOf({ id } as HeldNumber, desired);
  const ids = { numberIds: [id], again: [], eventIds: [eventId], auditIds: [auditId] };
  await setRoutingRows(tx, { ...ids, desired, author, at });
}

function changeOf({ id }: HeldNumber, desired: Destination): RoutingChange {
  return {
    numberId: id,
    desired,
    isForbidden: false,
    expected: undefined,
    author: AUTHOR,
    eventId: newId(),
    auditId: newId(),
    at: NOW,
  };
}

function listPage(
  tx: OrganisationTx,
  after: HeldNumber | undefined,
  filters: NumberFilters,
  sort: NumberSort = "-acquired_at",
): Promise<unknown> {
  const { text, values } = numberPageStatement(tx, { filters, sort, after, limit: 50, showsRouting: true });
  return tx.query(text, values);
}

function run(tx: OrganisationTx, { text, values }: { text: string; values: unknown[] }): Promise<unknown> {
  return tx.query(text, values);
}
