import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

const LONG_LOG_BYTES = 4 * 1024 * 1024;
/** Beyond this, writers wait a moment for the rest to be moved, so that the log does not grow forever. */
const MAX_LOG_BYTES = 128 * 1024 * 1024;
const LOOK_MS = 500;

/** As text, because a bundle has no file for it. */
const MOVE = `
  const { statSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const { workerData: { path, maxBytes, lookMs }, parentPort } = require("node:worker_threads");
  const db = new DatabaseSync(path);
  db.exec("pragma busy_timeout = 1000");
  const move = () => {
    try {
      db.exec("pragma wal_checkpoint(passive)");
      if (statSync(path + "-wal").size > maxBytes) db.exec("pragma wal_checkpoint(truncate)");
    } catch {
      // Busy, or the disk is full: the next time.
    }
  };
  const timer = setInterval(move, lookMs);
  parentPort.once("message", () => {
    clearInterval(timer);
    db.close();
    parentPort.close();
  });
`;

/**
 * Checkpoints the WAL in a worker thread. After a million items a checkpoint takes seconds and would block
 * the next writer. A short WAL needs no thread.
 */
export function checkpointElsewhere(db: DatabaseSync, path: string): { stop(): void } {
  if (path === ":memory:") return { stop: () => undefined };
  let worker: Worker | undefined;
  const timer = setInterval(() => {
    if (worker || (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < LONG_LOG_BYTES) return;
    db.exec("pragma wal_autocheckpoint = 0");
    worker = new Worker(MOVE, { eval: true, workerData: { path, maxBytes: MAX_LOG_BYTES, lookMs: LOOK_MS } });
    worker.unref();
    worker.on("error", () => db.isOpen && db.exec("pragma wal_autocheckpoint = 1000"));
  }, LOOK_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      worker?.postMessage("stop");
    },
  };
}
