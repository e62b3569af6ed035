import type { CallRecord } from "../records/call-join.ts";
import type { CallStanding, LiveReport, RecordReceipt, RecordService } from "../records/record-service.ts";

/** The service as a list of records, with settings for its behaviour. */
export class MemoryRecordService implements RecordService {
  epoch: string | null = "epoch 1";
  /** Every time a record was taken, in order. */
  readonly taken: CallRecord[] = [];
  readonly live: LiveReport[] = [];
  readonly standings: CallStanding[] = [];
  /** Lag of its clock. */
  behindMs = 0;
  /** lost: taken, but the response does not arrive. */
  line: "up" | "down" | "lost" = "up";
  isLiveTaken = true;

  async upload(records: CallRecord[]): Promise<RecordReceipt> {
    if (this.line === "down") throw new Error("No line.");
    this.taken.push(...structuredClone(records));
    if (this.line === "lost") throw new Error("No answer.");
    return { epoch: this.epoch, acknowledged: records.map(({ id }) => id), rejected: [] };
  }

  async reportLive(report: LiveReport): Promise<boolean> {
    if (this.line === "down") throw new Error("No line.");
    this.live.push(report);
    if (this.line === "lost") throw new Error("No answer.");
    return this.isLiveTaken;
  }

  async reportStanding(standing: CallStanding): Promise<{ at: string }> {
    if (this.line === "down") throw new Error("No line.");
    this.standings.push(standing);
    return { at: new Date(Date.now() - this.behindMs).toISOString() };
  }

  /** By id; an error if one was ever sent with two contents. */
  records(): Map<string, CallRecord> {
    const byId = new Map<string, CallRecord>();
    for (const record of this.taken) {
      const before = byId.get(record.id);
      if (before && JSON.stringify(before) !== JSON.stringify(record))
        throw new Error(`Record ${record.id} has changed after it was sent.`);
      byId.set(record.id, record);
    }
    return byId;
  }
}
