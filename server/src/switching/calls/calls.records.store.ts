import type { SwitchCaller } from "../../platform/http/access.ts";
import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";
import type { CallResult } from "./calls.records.rules.ts";
import type { CallRecord } from "./calls.records.schema.ts";

interface Batch {
  at: Date;
  /** The parties of calls before this time are no longer stored. */
  partiesFrom: Date;
  records: (CallRecord & { result: CallResult })[];
  rejected: { code: string; detail: string; digest: Buffer; text: string }[];
}

/** Ordered by id, so that two who send the same records wait for each other and not both. */
const INSERT_RECORDS = `
  with given as materialized (
    select r.*, h.organisation_id, h.holding_id, coalesce(h.environment, g.environment) as environment,
      case when r.mode = 'connection' or r.attempts @> '[{"mode": "connection"}]' then k.connection_id end as connection_id
    from jsonb_to_recordset($1::jsonb) as r (id uuid, started_at timestamptz, answered_at timestamptz, ended_at timestamptz,
      ending text, result text, number_id uuid, mode text, generation bigint, trunk text, code smallint, why text,
      caller text, called text, target text, sip_call_id text, ended_by text, setup_ms integer, ring_ms integer, q850 smallint,
      gateway text, caller_raw text, asserted_caller text, attempts jsonb, step smallint)
    join switch_groups g on g.id = $3
    left join holders_of_calls($2::uuid[]) h on h.holding_id = r.number_id
    left join connections_of_calls($7::uuid[], $8::bigint[], $9::smallint[]) k
      on k.holding_id = h.holding_id and k.generation = r.generation and k.step is not distinct from r.step
    order by r.id
  ), records as (
    insert into call_records (id, switch_id, started_at, organisation_id, environment, holding_id, claimed_holding_id, answered_at,
      ended_at, ending, result, mode, generation, trunk, code, why, received_at, is_forwarded_by_webhook, ended_by, setup_ms, ring_ms,
      q850, gateway, connection_id, step)
    select id, $4, started_at, organisation_id, environment, holding_id, case when holding_id is null then number_id end, answered_at,
      ended_at, ending, result, mode, generation, trunk, code, why, $5, mode is not distinct from 'webhook' and coalesce(target like '+%', false),
      ended_by, setup_ms, ring_ms, q850, gateway, connection_id, step
    from given
    on conflict do nothing
  )
  insert into call_parties (id, switch_id, started_at, organisation_id, environment, holding_id, caller, caller_raw,
    asserted_caller, called, target, sip_call_id, attempts)
  select id, $4, started_at, organisation_id, environment, holding_id, caller, coalesce(caller_raw, caller), asserted_caller, called, target,
    sip_call_id, attempts
  from given where started_at >= $6
  on conflict do nothing`;

export async function insertRecords(tx: Tx, who: SwitchCaller, batch: Batch): Promise<void> {
  const { records, rejected, at, partiesFrom } = batch;
  const numbers = new Set(records.flatMap(({ number_id: id }) => (id === null ? [] : [id])));
  const stepped = records.map((record) => ({ ...record, step: record.attempts?.at(-1)?.step ?? null }));
  const connected = stepped.filter(
    ({ mode, attempts }) =>
      mode === "connection" || attempts?.some((attempt) => attempt.mode === "connection"),
  );
  if (records.length > 0)
    await tx.query(INSERT_RECORDS, [
      JSON.stringify(stepped),
      [...numbers],
      who.groupId,
      who.switchId,
      at,
      partiesFrom,
      connected.map(({ number_id: id }) => id),
      connected.map(({ generation }) => generation),
      connected.map(({ step }) => step),
    ]);
  if (rejected.length > 0)
    await tx.query(
      `insert into rejected_records (switch_id, digest, code, detail, record, received_at)
       select $1, r.digest, r.code, r.detail, r.record, $2
       from unnest($3::bytea[], $4::text[], $5::text[], $6::text[]) as r (digest, code, detail, record)
       order by r.digest on conflict do nothing`,
      [
        who.switchId,
        at,
        rejected.map(({ digest }) => digest),
        rejected.map(({ code }) => code),
        rejected.map(({ detail }) => detail),
        rejected.map(({ text }) => text),
      ],
    );
}

/** PostgreSQL: no partition of the relation was found for a row. */
export function isPartitionMissing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === "23514" && message?.startsWith("no partition of relation") === true;
}

export async function makePartitions(tx: Tx, days: string[]): Promise<void> {
  await tx.query("select make_call_partitions($1::date[])", [days]);
}

export async function sweepRejected(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "rejected_records", where: "received_at < $1", values: [before] });
}

export async function sweepCallIds(db: Database, before: string): Promise<void> {
  await sweepTable(db, { table: "call_ids", where: "day < $1", values: [before] });
}
