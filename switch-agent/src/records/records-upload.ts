import { type AgentLog, textOf } from "../agent-log.ts";
import { ControlPlaneError, NO_CODE } from "../control-plane-error.ts";
import { type CallRecord, withoutDetails } from "./call-join.ts";
import type { RecordService } from "./record-service.ts";
import type { RecordsStore } from "./records-store.ts";

const BATCH = 500;
/** The service will not take the request however often it comes; others may be wrong with the line or the credential. */
const HOPELESS = [400, 413, 422];
/** Also the word of a proxy that takes no long requests. */
const TOO_LONG = 413;

interface Needs {
  store: RecordsStore;
  service: Pick<RecordService, "upload">;
  log: AgentLog;
}

/** Uploads unacknowledged records in batches. Errors are thrown and lose no records. */
export class RecordsUpload {
  readonly #needs: Needs;
  /** After a batch that was not taken, smaller ones: one record that never is must not hold up the others. */
  #batch = BATCH;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** Returns whether there may be more. */
  async sendOne(): Promise<boolean> {
    const { store, service } = this.#needs;
    const epoch = store.epoch();
    const sent = store.listUnsent(this.#batch);
    if (sent.length === 0) return false;
    const receipt = await service.upload(sent.map(({ record }) => record)).catch((error: unknown) => {
      this.#notTaken(error, sent);
      return undefined;
    });
    if (!receipt) return true;
    this.#batch = Math.min(BATCH, this.#batch * 2);
    // Another epoch began while it was in progress: who knows which of them has it.
    if (store.epoch() !== epoch) return true;
    if (receipt.epoch !== null) store.enterEpoch(receipt.epoch);
    const rejected = new Map(receipt.rejected.map((one) => [one.index, one.code]));
    const acknowledged = new Set(receipt.acknowledged);
    await this.#sendPlain(sent, rejected, acknowledged);
    const done = sent.flatMap(({ seq, record }, index) => {
      const code = rejected.get(index);
      if (code !== undefined) return [{ seq, rejected: code }];
      return acknowledged.has(record.id) ? [{ seq }] : [];
    });
    if (done.length === 0) throw new Error("The service returned no result for any record.");
    store.acknowledge(done, Date.now());
    if (rejected.size > 0)
      this.#needs.log.error(
        { rejected: rejected.size, code: [...rejected.values()][0] },
        "records were rejected",
      );
    return true;
  }

  /** A service of an earlier version takes records without details only: what it calls malformed is sent again so. */
  async #sendPlain(
    sent: { record: CallRecord }[],
    rejected: Map<number, string>,
    acknowledged: Set<string>,
  ): Promise<void> {
    const malformed = [...rejected].flatMap(([index, code]) => (code === "malformed" ? [index] : []));
    if (malformed.length === 0) return;
    const plain = malformed.map((index) => withoutDetails(sent[index]!.record));
    const receipt = await this.#needs.service.upload(plain);
    const again = new Set(receipt.rejected.map(({ index }) => malformed[index]));
    for (const index of malformed) if (!again.has(index)) rejected.delete(index);
    for (const id of receipt.acknowledged) acknowledged.add(id);
  }

  #notTaken(error: unknown, sent: { seq: number }[]): void {
    if (!(error instanceof ControlPlaneError) || !HOPELESS.includes(error.status)) throw error;
    // A response without an error code comes from a proxy before the service, and says nothing about the
    // records.
    const isOurs = error.code !== NO_CODE;
    if (sent.length > 1 && (isOurs || error.status === TOO_LONG)) {
      this.#batch = Math.ceil(sent.length / 2);
      return;
    }
    if (!isOurs) throw error;
    this.#needs.log.error({ error: textOf(error) }, "record rejected; set aside");
    this.#needs.store.acknowledge([{ seq: sent[0]!.seq, rejected: error.code }], Date.now());
    this.#batch = BATCH;
  }
}
