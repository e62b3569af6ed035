import type { Tx } from "../../platform/db/database.ts";
import type { NotificationKind } from "./notifications.rules.ts";
import type { SeenProblem } from "./notifications.problems.store.ts";
import type { RulesOwner } from "./notifications.store.ts";

/** Problems of a kind that a sweep looks at. */
export const MOST_SEEN = 200;

const OWN = "organisation_id = $1 and environment = $2";
const HELD = (id: string): string => `cross join lateral (select h.e164 from holdings h
    where h.organisation_id = $1 and h.environment = $2 and h.id = ${id} and h.is_held limit 1) h`;

/** Background work that is this late is a backlog. */
const LATE = "$1::timestamptz - interval '5 minutes'";

/** Queries of (subject, label, error, since), each by an index. */
const TEXTS: Record<NotificationKind, string> = {
  number_failing: `
    select x.item_id::text as subject, min(h.e164) as label, min(nullif(x.error, '')) as error, min(x.since) as since
    from (select item_id, version, error, since from applied_exceptions
      where ${OWN} and state = 'failed' and kind = 'route' order by since limit ${MOST_SEEN}) x
    cross join lateral (select from routings r where r.holding_id = x.item_id and r.version <= x.version limit 1) r
    ${HELD("x.item_id")}
    group by x.item_id`,
  number_flapping: `
    select e.item_id::text as subject, min(h.e164) as label, min(nullif(e.error, '')) as error, min(e.first_at) as since
    from (select item_id, error, first_at from drift_episodes
      where ${OWN} and closed_at is null and count >= 3 and kind = 'route' order by first_at limit ${MOST_SEEN}) e
    ${HELD("e.item_id")}
    group by e.item_id`,
  connection_unreachable: `
    select d.connection_id::text as subject, min(c.name) as label,
      min(format('No target responds to %s', s.name)) as error, min(t.since) as since
    from (select distinct connection_id, switch_id from (select connection_id, switch_id from target_health
      where ${OWN} and last_known = 'down' limit ${MOST_SEEN}) h) d
    join switches s on s.id = d.switch_id and s.state <> 'retired'
      and s.targets_read_at >= now() - make_interval(secs => s.unreachable_after_seconds)
    cross join lateral (
      select bool_and(coalesce(h.last_known = 'down', false)) as is_lost, max(h.since) as since from target_health h
      where h.organisation_id = $1 and h.environment = $2 and h.connection_id = d.connection_id
        and h.switch_id = d.switch_id) t
    join connections c on c.organisation_id = $1 and c.environment = $2 and c.id = d.connection_id
    where t.is_lost group by d.connection_id`,
  webhook_endpoint_disabled: `
    select id::text as subject, url as label, disabled_reason as error,
      coalesce(disabled_at, failing_since, created_at) as since
    from webhook_endpoints where ${OWN} and disabled_reason is not null limit ${MOST_SEEN}`,
  order_failed: `
    select o.id::text as subject, o.external_ref as label, null as error, o.finished_at as since
    from (select id, external_ref, finished_at from orders
      where ${OWN} and status = 'failed' order by id desc limit ${MOST_SEEN}) o
    where o.finished_at > $3::timestamptz - interval '24 hours'`,
  order_action_required: `
    select o.id::text as subject, o.external_ref as label, min(r.rejected_reason) as error,
      max(r.updated_at) as since
    from (select distinct order_id from (select order_id from order_requirements
      where ${OWN} and status in ('missing', 'rejected') order by order_id desc limit 2000) q limit ${MOST_SEEN}) w
    join orders o on o.organisation_id = $1 and o.environment = $2 and o.id = w.order_id and o.finished_at is null
    join order_requirements r on r.organisation_id = $1 and r.environment = $2 and r.order_id = w.order_id
      and r.status in ('missing', 'rejected')
    group by o.id, o.external_ref`,
  switch_silent: `
    select id::text as subject, name as label, null as error, coalesce(last_seen_at, created_at) as since
    from switches where state <> 'retired'
      and coalesce(last_seen_at, created_at) < now() - make_interval(secs => unreachable_after_seconds)
    limit ${MOST_SEEN}`,
  backlog: `
    select b.subject, b.label, null as error, b.since from (
      (select 'mails' as subject, 'Mail' as label, created_at as since from mails where sent_at is null
        order by created_at limit 1)
      union all
      (select 'webhooks', 'Webhook deliveries', next_due_at from webhook_endpoints
        where status = 'active' and next_due_at is not null order by next_due_at limit 1)
      union all
      (select 'jobs', 'Orders and releases', next_check_at from jobs where is_open order by next_check_at limit 1)) b
    where b.since < ${LATE}`,
};

/** Problems of a kind now, at most MOST_SEEN. */
export async function detectProblems(
  tx: Tx,
  { organisation_id, environment }: RulesOwner,
  kind: NotificationKind,
  at: Date,
): Promise<SeenProblem[]> {
  const values: Partial<Record<NotificationKind, unknown[]>> = {
    order_failed: [organisation_id, environment, at],
    switch_silent: [],
    backlog: [at],
  };
  const found = await tx.query<Omit<SeenProblem, "kind">>(
    TEXTS[kind],
    values[kind] ?? [organisation_id, environment],
  );
  return found.map((row) => ({ ...row, kind }));
}
