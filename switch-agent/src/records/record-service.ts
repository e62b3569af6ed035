import { sendToService, type ServiceAddress } from "../service-request.ts";
import type { PlainRecord } from "./call-join.ts";

export interface RecordReceipt {
  epoch: string | null;
  acknowledged: string[];
  /** By their place in what was sent. */
  rejected: { index: number; code: string; detail: string }[];
}

/** A number that has calls, or had some within the last minute. */
export interface LiveNumber {
  number_id: string;
  active_calls: number;
  calls_last_minute: number;
  /** When the newest of them began; null when none of either is left. */
  last_call_at: string | null;
}

export interface LiveReport {
  /** ID of one run of the agent. */
  session: string;
  /** One more than the report before. */
  sequence: number;
  /** All that have calls; else those that have changed, which may be none. */
  is_snapshot: boolean;
  numbers: LiveNumber[];
}

export interface CallStanding {
  /** Every call that began before is over and acknowledged, but for the open ones. */
  settled_through: string;
  /** Numbers with calls that began before and are still up. */
  open: { number_id: string; oldest_began_at: string }[];
  max_call_seconds: number;
  /** Offset of the local clock to the service's. Null if it is unknown. */
  clock_offset_ms: number | null;
  /** No room is left for records. */
  is_disk_full: boolean;
}

/** Receiver of call records. */
export interface RecordService {
  /** Resolves once they are committed. */
  upload(records: readonly PlainRecord[]): Promise<RecordReceipt>;
  /** False: a report before this one is missing there. */
  reportLive(report: LiveReport): Promise<boolean>;
  /** Says what time it is there. */
  reportStanding(standing: CallStanding): Promise<{ at: string }>;
}

/** The service over HTTP, with the switch's credential. */
export function httpRecordService(where: ServiceAddress): RecordService {
  return {
    upload: async (records) =>
      (await sendToService(where, "POST", "/switch/v1/call-records", { records })) as RecordReceipt,
    reportLive: async (report) =>
      ((await sendToService(where, "POST", "/switch/v1/live", report)) as { is_taken: boolean }).is_taken,
    reportStanding: async (standing) =>
      (await sendToService(where, "PUT", "/switch/v1/call-standing", standing)) as { at: string },
  };
}
