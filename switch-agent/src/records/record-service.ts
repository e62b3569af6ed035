import { ControlPlaneError } from "../control-plane-error.ts";
import type { CallRecord } from "./call-join.ts";

export interface RecordReceipt {
  epoch: string | null;
  acknowledged: string[];
  /** By their place in what was sent. */
  rejected: { index: number; code: string; detail: string }[];
}

export interface LiveReport {
  /** Of one run of the agent. */
  session: string;
  /** One more than the report before. */
  sequence: number;
  /** All numbers with calls; else those whose count has changed. */
  is_snapshot: boolean;
  numbers: { number_id: string; active_calls: number }[];
}

/** Where records go. */
export interface RecordService {
  /** Resolves once they are committed. */
  upload(records: CallRecord[]): Promise<RecordReceipt>;
  /** False: a report before this one is missing there. */
  reportLive(report: LiveReport): Promise<boolean>;
}

const TIMEOUT_MS = 20_000;

/** The service over HTTP, with the switch's credential. */
export function httpRecordService({ url, credential }: { url: string; credential: string }): RecordService {
  const base = url.replace(/\/+$/, "");
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    const said = (await answer.json().catch(() => ({}))) as { code?: string; detail?: string };
    if (answer.status !== 200)
      throw new ControlPlaneError(answer.status, said.code ?? "unknown", said.detail ?? "");
    return said;
  };
  return {
    upload: async (records) => (await post("/switch/v1/call-records", { records })) as RecordReceipt,
    reportLive: async (report) => ((await post("/switch/v1/live", report)) as { is_taken: boolean }).is_taken,
  };
}
