import type { Tx } from "../../platform/db/database.ts";
import type { CarrierState } from "./connected-carriers.schema.ts";

export interface CarrierRow {
  id: string;
  name: string;
  kind: string;
  url: string | null;
  credentials_set_at: Date | null;
  credentials_end: string | null;
  countries: string[];
  number_types: string[];
  features: string[];
  preference: number;
  inventory: boolean;
  deliveries: { switch_group_id: string; trunk: string }[];
  repairs_delivery: boolean;
  state: CarrierState;
  created_at: Date;
  updated_at: Date;
}

/** Credentials as they are stored. All are null if the carrier has none. */
export interface StoredCredentials {
  sealed_credentials: Buffer | null;
  root_id: number | null;
  credentials_set_at: Date | null;
  credentials_end: string | null;
}

const SHOWN = `id, name, kind, url, credentials_set_at, credentials_end, countries, number_types, features,
  preference, inventory,
  repairs_delivery, state, created_at, updated_at, (
    select coalesce(json_agg(json_build_object('switch_group_id', t.group_id, 'trunk', t.trunk) order by t.group_id), '[]')
    from carrier_trunks t where t.carrier_id = carriers.id) as deliveries`;

export async function listCarriersAfter(
  tx: Tx,
  after: string | undefined,
  limit: number,
): Promise<CarrierRow[]> {
  return tx.query<CarrierRow>(
    `select ${SHOWN} from carriers where ($1::uuid is null or id > $1) order by id limit $2`,
    [after ?? null, limit + 1],
  );
}

export async function findCarrier(tx: Tx, id: string): Promise<CarrierRow | undefined> {
  const [row] = await tx.query<CarrierRow>(`select ${SHOWN} from carriers where id = $1`, [id]);
  return row;
}

export async function insertCarrier(tx: Tx, row: CarrierRow & StoredCredentials): Promise<void> {
  await tx.query(
    `insert into carriers (id, name, kind, url, sealed_credentials, root_id, credentials_set_at, credentials_end, countries,
       number_types, features, preference, inventory, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
    [
      row.id,
      row.name,
      row.kind,
      row.url,
      row.sealed_credentials,
      row.root_id,
      row.credentials_set_at,
      row.credentials_end,
      row.countries,
      row.number_types,
      row.features,
      row.preference,
      row.inventory,
      row.created_at,
    ],
  );
}

export async function setCarrier(tx: Tx, row: CarrierRow): Promise<void> {
  await tx.query(
    `update carriers set url = $2, countries = $3, number_types = $4, features = $5, preference = $6, inventory = $7,
       state = $8, updated_at = $9, repairs_delivery = $10
     where id = $1`,
    [
      row.id,
      row.url,
      row.countries,
      row.number_types,
      row.features,
      row.preference,
      row.inventory,
      row.state,
      row.updated_at,
      row.repairs_delivery,
    ],
  );
}

export async function setCredentials(tx: Tx, id: string, stored: StoredCredentials): Promise<void> {
  await tx.query(
    `update carriers set sealed_credentials = $2, root_id = $3, credentials_set_at = $4, credentials_end = $5
     where id = $1`,
    [id, stored.sealed_credentials, stored.root_id, stored.credentials_set_at, stored.credentials_end],
  );
}

/** Replaces the trunks of a carrier. */
export async function setTrunks(
  tx: Tx,
  id: string,
  trunks: readonly { switch_group_id: string; trunk: string }[],
): Promise<void> {
  await tx.query("delete from carrier_trunks where carrier_id = $1", [id]);
  await tx.query(
    `insert into carrier_trunks (carrier_id, group_id, trunk)
     select $1, t.switch_group_id, t.trunk from json_to_recordset($2) t(switch_group_id uuid, trunk text)`,
    [id, JSON.stringify(trunks)],
  );
}

/** Returns those of these groups that are in the live environment. */
export async function listLiveGroups(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    "select id from switch_groups where environment = 'live' and id = any($1::uuid[])",
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Waits for orders that are being placed at this carrier, and holds new ones until the commit. */
export async function lockCarrier(tx: Tx, id: string): Promise<CarrierRow | undefined> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('carriers/' || name, 0)) from carriers where id = $1`,
    [id],
  );
  const [row] = await tx.query<CarrierRow>(`select ${SHOWN} from carriers where id = $1 for update`, [id]);
  return row;
}

export interface CarrierUses {
  /** Numbers that an organisation holds, or that are in quarantine. */
  numbers: number;
  orders: number;
}

/** Numbers and orders that still need the carrier. */
export async function countUses(tx: Tx, name: string): Promise<CarrierUses> {
  const [row] = await tx.query<CarrierUses>(
    `select
       (select count(*)::integer from holdings h
         where h.environment = 'live' and h.carrier = $1 and h.status <> 'released') as numbers,
       (select count(*)::integer from orders o
         where o.environment = 'live' and o.carrier = $1 and o.finished_at is null) as orders`,
    [name],
  );
  return row!;
}
