import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSpool } from "../records/call-records-spool.ts";
import { httpRecordService } from "../records/record-service.ts";
import { QUIET } from "./spool-scene.ts";

/**
 * The spool as a separate process, for tests that kill it. node spool-process.ts <folder> <store> <url>
 * <credential>
 */
const [directory, storePath, url, credential] = process.argv.slice(2) as [string, string, string, string];
startSpool({
  directory,
  storePath,
  service: httpRecordService({ url, credential }),
  maxCallSeconds: 14_400,
  rotate: () => writeFile(join(directory, "rotated"), ""),
  onDiskFull() {},
  log: QUIET,
  timing: {
    readMs: 20,
    partialMs: 1_000,
    rotateBytes: 100_000,
    retireMs: 60_000,
    reserveBytes: 1_000,
    minFreeBytes: 1,
    retryMinMs: 20,
    retryMaxMs: 100,
  },
});
