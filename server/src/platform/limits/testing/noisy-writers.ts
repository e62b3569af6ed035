/** The noisy tenant's writers, in a separate thread: they must not delay the measured client. */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { send } from "../../../../testing/send.ts";

interface Work {
  url: string;
  headers: Record<string, string>;
  numbers: readonly string[];
  writers: number;
}

/** Writes until it is stopped. Stopping returns the responses by status. */
export function startWriters(work: Work): { stop(): Promise<Record<string, number>> } {
  const thread = new Worker(new URL(import.meta.url), { workerData: work });
  return {
    stop: () =>
      new Promise((resolve, reject) => {
        thread.once("message", resolve);
        thread.once("error", reject);
        thread.postMessage("stop");
      }),
  };
}

async function writeUntilStopped({ url, headers, numbers, writers }: Work): Promise<void> {
  const statuses: Record<string, number> = {};
  let isStopped = false;
  parentPort!.once("message", () => (isStopped = true));
  const write = async (): Promise<void> => {
    for (let at = 0; !isStopped; at++) {
      const path = `/v1/numbers/${numbers[randomInt(numbers.length)]}/routing`;
      const body = { mode: "sip_uri", sip_uri: `sip:a${at}@198.18.0.1` };
      const sent = await send(url, "PUT", path, {
        headers: { ...headers, "idempotency-key": randomUUID() },
        body,
      });
      statuses[sent.status] = (statuses[sent.status] ?? 0) + 1;
      // As the SDK does: no sooner than the response says, and not all writers at the same moment.
      if (sent.status === 429)
        await pause(1000 * Number(sent.headers["retry-after"]) * (1 + Math.random() / 10));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  parentPort!.postMessage(statuses);
}

if (!isMainThread) await writeUntilStopped(workerData as Work);
