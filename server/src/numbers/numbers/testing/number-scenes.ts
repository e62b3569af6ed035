import type { NumberFilters } from "../numbers.list.store.ts";
import { searchTermsOf } from "../numbers.written.ts";

/** A state of the database, and how many rows a page of 50 may visit in it. */
export interface Scene {
  /** As the superuser; `$organisation` is the one that looks. */
  arrange: readonly string[];
  cases: Record<string, { filters: NumberFilters; most: number }>;
}

const PAGE = 51;
/** A few rows for each one shown: the way in, the holding, and, for its state, some ten more. */
const SHOWN = 16 * PAGE;
/** 500 rows walked, looked up and asked for their mode, and walked again to see how far that was. */
const SHORT_WALK = 4 * (500 + PAGE) + SHOWN;
/** Of each way 2,000 rows are counted; whether a text is common is guessed from 50 pages of some 40 rows. */
const WEIGHED = 2_001;
const GUESSED = 50 * 50;
/** Up to 2,000 are collected, looked up and sorted, twice. */
const FEW = 4 * 2_001;
/** Then at most 10,000 rows are walked like the 500, or 25,000 that need no second look, which takes as long. */
const LONG_WALK =
  SHORT_WALK + 6 * WEIGHED + GUESSED + FEW + Math.max(4 * (10_000 + PAGE), 3 * (25_000 + PAGE));
/** Asked for their state, which takes some ten rows, at most 2,000. */
const STATE_WALK = SHORT_WALK + 6 * WEIGHED + GUESSED + FEW + 12 * (2_500 + 2 * PAGE);
/** A search for pending numbers looks into each of some 320 shards. */
const NOTED = 4 * 320;

const search = (q: string): NumberFilters => ({ terms: searchTermsOf(q) });

/** Common and rare values of each filter, and of some none; seedManyNumbers says how many there are. */
const PLAIN: Scene["cases"] = {
  "no filter": { filters: {}, most: SHOWN },
  "a common country": { filters: { country: "DE" }, most: SHOWN },
  "a rare country": { filters: { country: "FR" }, most: SHOWN },
  "a country without numbers": { filters: { country: "US" }, most: 10 },
  "a common type": { filters: { type: "local" }, most: SHOWN },
  "a rarer type": { filters: { type: "mobile" }, most: SHOWN },
  "a status that all have": { filters: { status: "active" }, most: SHOWN },
  "a status that none has": { filters: { status: "released" }, most: 10 },
  "a common tag": { filters: { tag: "common" }, most: SHOWN },
  "a rare tag": { filters: { tag: "rare" }, most: SHOWN },
  "a common mode": { filters: { mode: "unrouted" }, most: SHOWN },
  "a rare mode": { filters: { mode: "sip_uri" }, most: SHOWN },
  "a mode that none has": { filters: { mode: "forward" }, most: 10 },
};

const COMBINED: Scene["cases"] = {
  "a common country and type": { filters: { country: "DE", type: "local" }, most: SHORT_WALK },
  "a common tag and a type that never meet": { filters: { tag: "common", type: "mobile" }, most: LONG_WALK },
  "a common mode and a rare tag": { filters: { mode: "unrouted", tag: "rare" }, most: LONG_WALK },
  "a common tag and a rare mode that never meet": {
    filters: { tag: "common", mode: "sip_uri" },
    most: LONG_WALK,
  },
  "a common tag and a status that none has": {
    filters: { tag: "common", status: "released" },
    most: LONG_WALK,
  },
  "a rare country, a type and a status": {
    filters: { country: "FR", type: "mobile", status: "active" },
    most: LONG_WALK,
  },
};

const SEARCHED: Scene["cases"] = {
  "a text in nearly all labels": { filters: search("line"), most: SHORT_WALK },
  "a text in few labels": { filters: search("lighthouse"), most: SHORT_WALK + WEIGHED + GUESSED + FEW },
  "a text in no label": { filters: search("zeppelin"), most: SHORT_WALK + WEIGHED + GUESSED },
  "a text whose pieces all labels have": { filters: search("line line"), most: LONG_WALK },
  "a text in half of the labels, those added last": { filters: search("harbour"), most: LONG_WALK },
  "two letters half of the labels begin with": { filters: search("li"), most: LONG_WALK },
  "two letters no label begins with": { filters: search("ze"), most: SHORT_WALK + WEIGHED },
  "letters of which no three stand together": { filters: search("a.b.c"), most: LONG_WALK },
  "digits in the middle": { filters: search("55512"), most: SHORT_WALK + WEIGHED + GUESSED + FEW },
  "digits all begin with": { filters: search("49"), most: SHORT_WALK },
  "digits none begins with": { filters: search("33"), most: SHORT_WALK + WEIGHED },
  "a common text and a rare tag": { filters: { ...search("house"), tag: "rare" }, most: LONG_WALK },
  "a common text and a rare tag that never meet": {
    filters: { ...search("line"), tag: "rare" },
    most: LONG_WALK,
  },
  "a common text and a rare mode": { filters: { ...search("line"), mode: "sip_uri" }, most: LONG_WALK },
  "a common text and what failed": { filters: { ...search("line"), sync: "failed" }, most: STATE_WALK },
};

const goingTo = (text: string): NumberFilters => ({ destination: { texts: [text], connections: [] } });

const A_CONNECTION = "0198c5f2-0000-7000-8000-00000000c001";
const A_RARE_CONNECTION = "0198c5f2-0000-7000-8000-00000000c002";
const UNUSED = (_: unknown, at: number): string => `0198c5f2-0000-7000-8000-00000000d${100 + at}`;

/** Half of the numbers use one connection, three another. */
const CONNECTED: Scene = {
  arrange: [
    `insert into connections (id, organisation_id, environment, name, created_at, updated_at)
     values ('${A_CONNECTION}', $organisation, 'live', 'Common', now(), now()),
       ('${A_RARE_CONNECTION}', $organisation, 'live', 'Rare', now(), now())`,
    `insert into connection_targets (organisation_id, environment, connection_id, position, host, port, transport, priority, weight)
     values ($organisation, 'live', '${A_CONNECTION}', 1, 'common.example.com', 5060, 'udp', 1, 1)`,
    `update routings set mode = 'connection', sip_uri = null, connection_id = '${A_CONNECTION}'
     where organisation_id = $organisation and mode = 'unrouted' and e164 < (
       select e164 from routings where organisation_id = $organisation order by e164 offset (
         select count(*) / 2 from routings where organisation_id = $organisation) limit 1)`,
    `update routings set connection_id = '${A_RARE_CONNECTION}' where holding_id in (
       select holding_id from routings where organisation_id = $organisation and mode = 'connection' limit 3)`,
    "analyze routings",
  ],
  cases: {
    "a connection of half the numbers": { filters: { connection_ids: [A_CONNECTION] }, most: SHORT_WALK },
    "a connection of three numbers": { filters: { connection_ids: [A_RARE_CONNECTION] }, most: SHOWN },
    "both connections": {
      filters: { connection_ids: [A_CONNECTION, A_RARE_CONNECTION] },
      most: SHORT_WALK,
    },
    "a connection and a tag that never meet": {
      filters: { connection_ids: [A_RARE_CONNECTION], tag: "rare" },
      most: LONG_WALK,
    },
    "health that half the numbers have": {
      filters: { first_connections: [A_CONNECTION] },
      most: SHORT_WALK,
    },
    "health that three numbers have": {
      filters: { first_connections: [A_RARE_CONNECTION] },
      most: SHOWN,
    },
    "health that no connection has": { filters: { first_connections: [] }, most: 10 },
    "health of many connections, three numbers among them": {
      filters: { first_connections: [A_RARE_CONNECTION, ...Array.from({ length: 30 }, UNUSED)] },
      most: LONG_WALK,
    },
    "health and a tag that never meet": {
      filters: { first_connections: [A_RARE_CONNECTION], tag: "rare" },
      most: LONG_WALK,
    },
    "200 numbers by their digits": {
      filters: { e164s: Array.from({ length: 200 }, (_, at) => `+4930${String(at).padStart(7, "0")}`) },
      most: SHORT_WALK,
    },
    "no call since a time": { filters: { last_call_before: "2026-01-01T00:00:00Z" }, most: SHORT_WALK },
    "metadata of few numbers": { filters: { metadata: { site: "harbour" } }, most: SHOWN },
    "metadata that none has": { filters: { metadata: { site: "none" } }, most: 100 },
    "a destination of few numbers": {
      filters: goingTo("pbx.example"),
      most: SHORT_WALK + WEIGHED + GUESSED + FEW,
    },
    "a destination of half the numbers, by their connection": {
      filters: goingTo("common.example"),
      most: LONG_WALK,
    },
    "a destination that none has": {
      filters: goingTo("zeppelin"),
      most: SHORT_WALK + WEIGHED + GUESSED + FEW,
    },
    "a text in few destinations, and in no label": {
      filters: { terms: { ...searchTermsOf("pbx.example"), connections: [] } },
      most: SHORT_WALK + WEIGHED + 2 * GUESSED + FEW,
    },
    "a written number": { filters: search("030 0000001"), most: SHORT_WALK + WEIGHED + GUESSED + FEW },
  },
};

const BY_STATE = (
  most: Record<"in_sync" | "pending" | "failed" | "drifted" | "unknown", number>,
): Scene["cases"] =>
  Object.fromEntries(Object.entries(most).map(([sync, bound]) => [sync, { filters: { sync }, most: bound }]));

const FAILED = (which: string): string =>
  `insert into applied_exceptions (switch_id, item_id, shard, kind, organisation_id, environment, version, state, error, since, observed_at)
   select w.id, r.holding_id, r.shard, 'route', r.organisation_id, 'live', r.version, 'failed', '', now(), now()
   from (select * from routings where organisation_id = $organisation ${which}) r join switches w on w.group_id = r.group_id
   on conflict do nothing`;
const LIVE = "group_id = (select id from switch_groups where environment = 'live' and is_default)";
const CONFIRM = "update feed_confirmations c set version = s.head from feed_shards s where s.id = c.shard";

/** Autovacuum does this within a minute. Until then, a connection may keep a plan for the empty table. */
const AS_AUTOVACUUM_DOES = "analyze applied_exceptions";

/** Each begins where the one before ended. */
export const SCENES: Record<string, Scene> = {
  "all in sync but three": {
    arrange: [FAILED("order by e164 limit 3")],
    cases: {
      ...PLAIN,
      ...COMBINED,
      ...SEARCHED,
      ...BY_STATE({
        in_sync: SHOWN * 2,
        pending: SHOWN + NOTED,
        failed: SHOWN,
        drifted: SHOWN,
        unknown: 100,
      }),
    },
  },
  "numbers share connections": CONNECTED,
  "a group joins and is silent where the organisation has no number": {
    arrange: [
      "select add_switch_group(gen_random_uuid(), 'elsewhere', 'live', false, 16, now())",
      `insert into switches (id, group_id, name, last_seen_at, created_at)
       select gen_random_uuid(), id, 'elsewhere', now() - interval '1 day', now() from switch_groups where name = 'elsewhere'`,
    ],
    cases: BY_STATE({
      in_sync: SHOWN * 2,
      pending: SHOWN + NOTED,
      failed: SHOWN,
      drifted: SHOWN,
      unknown: 100,
    }),
  },
  "ten numbers are in a group that joins": {
    arrange: [
      "update switches set last_seen_at = now() + interval '1 day' where name = 'elsewhere'",
      `update routings r set group_id = g.id from switch_groups g
       where g.name = 'elsewhere' and r.holding_id in (select holding_id from routings where organisation_id = $organisation order by e164 desc limit 10)`,
    ],
    cases: BY_STATE({
      in_sync: SHOWN * 2,
      pending: SHOWN + NOTED,
      failed: SHOWN,
      drifted: SHOWN,
      unknown: 100,
    }),
  },
  "its largest group joins": {
    arrange: [`update switches set synced_epoch = null where ${LIVE}`],
    cases: BY_STATE({ in_sync: 100, pending: SHOWN * 3, failed: SHOWN, drifted: SHOWN, unknown: 100 }),
  },
  "its largest group is silent": {
    arrange: [`update switches set last_seen_at = now() - interval '1 day' where ${LIVE}`],
    cases: BY_STATE({ in_sync: 100, pending: SHOWN * 3, failed: SHOWN, drifted: SHOWN, unknown: SHOWN * 3 }),
  },
  "everything waits to be read back": {
    arrange: [
      `update switches set last_seen_at = now() + interval '1 day', synced_epoch = (select epoch from feed_epoch)`,
      "update feed_confirmations set version = 0",
    ],
    cases: BY_STATE({
      in_sync: STATE_WALK,
      pending: SHOWN * 3 + NOTED + FEW,
      failed: SHOWN,
      drifted: SHOWN,
      unknown: 100,
    }),
  },
  "everybody else's changes wait to be read back": {
    arrange: [
      CONFIRM,
      `update feed_confirmations c set version = 0
       where not exists (select from routings r where r.organisation_id = $organisation and r.shard = c.shard)`,
    ],
    cases: BY_STATE({
      in_sync: SHOWN * 2,
      pending: SHOWN + NOTED,
      failed: SHOWN,
      drifted: SHOWN,
      unknown: 100,
    }),
  },
  "1,500 have failed": {
    arrange: [CONFIRM, FAILED("order by holding_id desc limit 1500"), AS_AUTOVACUUM_DOES],
    cases: {
      ...BY_STATE({
        in_sync: STATE_WALK,
        pending: SHOWN + NOTED,
        // A table of a few pages, as that of an organisation with 100 numbers, is read whole for each.
        failed: SHOWN + FEW + 100 * PAGE,
        drifted: SHOWN,
        unknown: 100,
      }),
      "failed, with a text": { filters: { ...search("line"), sync: "failed" }, most: STATE_WALK },
      "failed, with a tag": { filters: { tag: "common", sync: "failed" }, most: STATE_WALK },
    },
  },
  "5,000 have failed": {
    arrange: [FAILED("order by holding_id desc limit 5000"), AS_AUTOVACUUM_DOES],
    cases: BY_STATE({
      in_sync: STATE_WALK,
      pending: SHOWN + NOTED,
      failed: STATE_WALK,
      drifted: SHOWN,
      unknown: 100,
    }),
  },
};

/** After the last scene: where a page may end before it is full. `condition` is on a holding h and its state s. */
export const FOLLOWED: Record<string, { filters: NumberFilters; condition: string }> = {
  "a common tag and a type that never meet": {
    filters: COMBINED["a common tag and a type that never meet"]!.filters,
    condition: "false",
  },
  "a text in half of the labels, of mobile numbers": {
    filters: { ...search("harbour"), type: "mobile" },
    condition: "h.label like 'Harbour%' and h.type = 'mobile'",
  },
  "what has failed": { filters: { sync: "failed" }, condition: "s.status = 'failed'" },
  "what is pending": { filters: { sync: "pending" }, condition: "s.status = 'pending'" },
};
