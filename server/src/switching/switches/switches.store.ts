import type { Database, Tx } from "../../platform/db/database.ts";
import type { SwitchState } from "./switches.rules.ts";

export interface SwitchGroupRow {
  id: string;
  name: string;
  environment: "live" | "test";
  is_default: boolean;
  shards: number;
  created_at: Date;
}

export interface SwitchRow {
  id: string;
  group_id: string;
  group_name: string;
  name: string;
  state: SwitchState;
  is_synced: boolean;
  unreachable_after_seconds: number;
  last_seen_at: Date | null;
  lag: string;
  exceptions: string;
  alarms: ("clock_wrong" | "disk_full" | "unreachable_for_a_day")[];
  agent_version: string | null;
  boot: string | null;
  created_at: Date;
}

const GROUP = `g.id, g.name, g.environment, g.is_default, g.created_at,
  (select count(*)::integer from feed_shards s where s.group_id = g.id) as shards`;

export async function listSwitchGroupsAfter(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<SwitchGroupRow[]> {
  return tx.query(
    `select ${GROUP} from switch_groups g where ($1::uuid is null or g.id > $1) order by g.id limit $2`,
    [after ?? null, limit + 1],
  );
}

export async function insertSwitchGroup(
  tx: Tx,
  group: { id: string; name: string; shards: number; at: Date },
): Promise<SwitchGroupRow> {
  await tx.query("select add_switch_group($1, $2, 'live', false, $3, $4)", [
    group.id,
    group.name,
    group.shards,
    group.at,
  ]);
  return (await readSwitchGroup(tx, group.id))!;
}

export async function readSwitchGroup(tx: Tx, id: string): Promise<SwitchGroupRow | undefined> {
  const [row] = await tx.query<SwitchGroupRow>(`select ${GROUP} from switch_groups g where g.id = $1`, [id]);
  return row;
}

export async function findSwitchGroup(
  tx: Tx,
  by: { id: string } | { name: string } | { defaultOf: "live" | "test" },
): Promise<{ id: string; environment: "live" | "test" } | undefined> {
  const [where, value] =
    "id" in by
      ? ["g.id = $1", by.id]
      : "name" in by
        ? ["g.name = $1", by.name]
        : ["g.is_default and g.environment = $1", by.defaultOf];
  const [row] = await tx.query<{ id: string; environment: "live" | "test" }>(
    `select g.id, g.environment from switch_groups g where ${where}`,
    [value],
  );
  return row;
}

const SWITCH = `
  select w.id, w.group_id, g.name as group_name, w.name, w.state, coalesce(w.synced_epoch = e.epoch, false) as is_synced,
    w.unreachable_after_seconds, w.last_seen_at, w.agent_version, w.boot, w.created_at,
    (select coalesce(sum(greatest(s.head - coalesce(m.version, 0), 0)), 0) from feed_shards s
      left join applied_watermarks m on m.switch_id = w.id and m.shard = s.id and m.epoch = e.epoch
      where s.group_id = w.group_id and w.state <> 'retired') as lag,
    (select count(*) from applied_exceptions x where x.switch_id = w.id) as exceptions,
    array_remove(array[case when abs(c.clock_offset_ms) > 1000 then 'clock_wrong' end, case when c.is_disk_full then 'disk_full' end,
      case when w.state <> 'retired' and coalesce(w.last_seen_at, w.created_at) < now() - interval '1 day' then 'unreachable_for_a_day' end], null) as alarms
  from switches w join switch_groups g on g.id = w.group_id left join feed_epoch e on true
  left join call_standings c on c.switch_id = w.id and w.state <> 'retired'`;

export async function listSwitchesAfter(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<SwitchRow[]> {
  return tx.query(`${SWITCH} where ($1::uuid is null or w.id > $1) order by w.id limit $2`, [
    after ?? null,
    limit + 1,
  ]);
}

export async function findSwitch(tx: Tx, id: string): Promise<SwitchRow | undefined> {
  const [row] = await tx.query<SwitchRow>(`${SWITCH} where w.id = $1`, [id]);
  return row;
}

export async function listSwitchIdsByName(tx: Tx, name: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>("select id from switches where name = $1 order by id", [name]);
  return rows.map(({ id }) => id);
}

/** The stored form of a credential. */
export interface KeptCredential {
  mac: Buffer;
  rootId: number;
}

export async function insertSwitch(
  tx: Tx,
  row: {
    id: string;
    groupId: string;
    name: string;
    credential: KeptCredential;
    unreachableAfterSeconds: number;
    at: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into switches (id, group_id, name, credential_mac, root_id, unreachable_after_seconds, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      row.id,
      row.groupId,
      row.name,
      row.credential.mac,
      row.credential.rootId,
      row.unreachableAfterSeconds,
      row.at,
    ],
  );
}

/** The switch of a group that has no agent elsewhere; made when it is missing. */
export async function findOrInsertOwnSwitch(
  tx: Tx,
  row: { id: string; groupId: string; name: string; at: Date },
): Promise<{ id: string; isNew: boolean }> {
  const inserted = await tx.query<{ id: string }>(
    `insert into switches (id, group_id, name, created_at) values ($1, $2, $3, $4)
     on conflict (group_id, name) do nothing returning id`,
    [row.id, row.groupId, row.name, row.at],
  );
  if (inserted[0]) return { id: row.id, isNew: true };
  const [found] = await tx.query<{ id: string }>(
    "select id from switches where group_id = $1 and name = $2",
    [row.groupId, row.name],
  );
  return { id: found!.id, isNew: false };
}

export async function setCredential(tx: Tx, id: string, { mac, rootId }: KeptCredential): Promise<boolean> {
  const set = await tx.query(
    `update switches set credential_mac = $2, root_id = $3, credential_version = credential_version + 1
     where id = $1 and state <> 'retired' and credential_mac is not null returning id`,
    [id, mac, rootId],
  );
  return set.length === 1;
}

/** The same credential under a newer root key. Not if it was replaced in the meantime, which can be by a process that is behind. */
export async function moveCredential(
  db: Database,
  { switchId, credentialVersion }: { switchId: string; credentialVersion: number },
  { mac, rootId }: KeptCredential,
): Promise<void> {
  await db.forSystem("root-keys", (tx) =>
    tx.query(
      `update switches set credential_mac = $2, root_id = $3
       where id = $1 and root_id < $3 and credential_version = $4`,
      [switchId, mac, rootId, credentialVersion],
    ),
  );
}

export async function lockSwitch(
  tx: Tx,
  id: string,
): Promise<{ state: SwitchState; group_id: string } | undefined> {
  const [row] = await tx.query<{ state: SwitchState; group_id: string }>(
    "select state, group_id from switches where id = $1 for update",
    [id],
  );
  return row;
}

export async function setSwitchState(tx: Tx, id: string, state: SwitchState): Promise<void> {
  await tx.query(
    "update switches set state = $2, is_returning = is_returning or state = 'retired' where id = $1",
    [id, state],
  );
}

export async function setSwitchLimit(tx: Tx, id: string, seconds: number): Promise<void> {
  await tx.query("update switches set unreachable_after_seconds = $2 where id = $1", [id, seconds]);
}

/** Deletes everything the switch has reported, except for the evidence. */
export async function forgetReadings(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.query(
    "update switches set synced_epoch = null, boot = null, last_seen_at = null, targets_read_at = null where id = $1",
    [id],
  );
  await tx.query("delete from applied_watermarks where switch_id = $1", [id]);
  await tx.query("delete from applied_exceptions where switch_id = $1", [id]);
  await tx.query(
    "update failed_routes set ended_at = greatest($2, first_at) where switch_id = $1 and ended_at is null",
    [id, at],
  );
  await tx.query("delete from target_health where switch_id = $1", [id]);
}

/** Reports to a group wait from this point. Before any lock on a switch: a report takes them in this order. */
export async function lockConfirmations(tx: Tx, groupId: string): Promise<void> {
  await tx.query(
    `select from feed_confirmations c where c.shard in (select id from feed_shards where group_id = $1)
     order by c.shard for update`,
    [groupId],
  );
}

/** Confirms versions that only a removed switch had not read back. */
export async function confirmGroup(tx: Tx, groupId: string, at: Date): Promise<void> {
  await tx.query(
    "select confirm_shards(array(select id from feed_shards where group_id = $1 order by id), $2)",
    [groupId, at],
  );
}

/** Finds the switches of known credentials, by HMAC in hexadecimal. The ID is null for a retired switch. */
export async function authenticateSwitches(
  db: Database,
  macs: readonly Buffer[],
): Promise<
  (
    | { mac: string; id: string; group_id: string; name: string; credential_version: number }
    | { mac: string; id: null }
  )[]
> {
  return db.authenticate(
    `select encode(m.mac, 'hex') as mac, s.id, s.group_id, s.name, w.credential_version
     from unnest($1::bytea[]) as m (mac) left join lateral authenticate_switch(m.mac) s on true
     left join switches w on w.id = s.id
     where s.id is not null or is_retired_switch(m.mac)`,
    [macs],
  );
}
