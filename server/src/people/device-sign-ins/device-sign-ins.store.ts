import type { Database, Tx } from "../../platform/db/database.ts";
import { sweepTable } from "../../platform/db/sweep.ts";

export interface DeviceSignInRow {
  id: string;
  status: "pending" | "approved" | "denied";
  user_id: string | null;
  /** Session of the user who entered the code. */
  session_id: string | null;
  client_name: string;
  address: string | null;
  user_agent: string | null;
  interval_seconds: number;
  polled_at: Date | null;
  created_at: Date;
  expires_at: Date;
}

const COLUMNS =
  "id, status, user_id, session_id, client_name, host(address) as address, user_agent, interval_seconds, polled_at, created_at, expires_at";

export async function insertDeviceSignIn(
  tx: Tx,
  row: Omit<DeviceSignInRow, "session_id"> & { user_code_mac: Buffer },
): Promise<void> {
  await tx.query(
    `insert into device_sign_ins (id, user_code_mac, status, client_name, address, user_agent, interval_seconds, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.user_code_mac,
      row.status,
      row.client_name,
      row.address,
      row.user_agent,
      row.interval_seconds,
      row.created_at,
      row.expires_at,
    ],
  );
}

interface Typed {
  userCodeMacs: readonly Buffer[];
  userId: string;
  sessionId: string;
}

/** The first user to enter the code claims it. Other users no longer find it. */
export async function claimDeviceSignIn(
  tx: Tx,
  { userCodeMacs, userId, sessionId }: Typed,
  now: Date,
): Promise<DeviceSignInRow | undefined> {
  const [claimed] = await tx.query<DeviceSignInRow>(
    `update device_sign_ins set user_id = $2, session_id = $3
     where user_code_mac = any ($1::bytea[]) and status = 'pending' and (user_id is null or user_id = $2) and expires_at > $4
     returning ${COLUMNS}`,
    [userCodeMacs, userId, sessionId, now],
  );
  return claimed;
}

export async function setDeviceSignInStatus(
  tx: Tx,
  { userCodeMacs, userId, sessionId }: Typed,
  status: "approved" | "denied",
  now: Date,
): Promise<DeviceSignInRow | undefined> {
  const [decided] = await tx.query<DeviceSignInRow>(
    `update device_sign_ins set status = $4, session_id = $3
     where user_code_mac = any ($1::bytea[]) and status = 'pending' and user_id = $2 and expires_at > $5
     returning ${COLUMNS}`,
    [userCodeMacs, userId, sessionId, status, now],
  );
  return decided;
}

export async function lockDeviceSignIn(tx: Tx, id: string): Promise<DeviceSignInRow | undefined> {
  const [row] = await tx.query<DeviceSignInRow>(
    `select ${COLUMNS} from device_sign_ins where id = $1 for update`,
    [id],
  );
  return row;
}

export async function setDeviceSignInPolled(
  tx: Tx,
  id: string,
  at: Date,
  intervalSeconds: number,
): Promise<void> {
  await tx.query("update device_sign_ins set polled_at = $2, interval_seconds = $3 where id = $1", [
    id,
    at,
    intervalSeconds,
  ]);
}

export async function deleteDeviceSignIn(tx: Tx, id: string): Promise<void> {
  await tx.query("delete from device_sign_ins where id = $1", [id]);
}

export async function deleteDeviceSignInsBefore(db: Database, before: Date): Promise<void> {
  await sweepTable(db, { table: "device_sign_ins", where: "expires_at <= $1", values: [before] });
}
