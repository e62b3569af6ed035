import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary } from "../src/platform/db/private-cluster.ts";
import { onCluster } from "./test-database.ts";

/** Returns how to restore the backup into the same cluster, while the service runs. */
export function backUp(url: string): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-backup-"));
  const file = join(folder, "dump");
  execFileSync(binary("pg_dump"), ["-Fc", "-f", file, url]);
  const name = new URL(url).pathname.slice(1);
  const cluster = new URL(url);
  cluster.pathname = "/postgres";
  return async () => {
    await onCluster(cluster.href, `drop database "${name}" with (force)`);
    await onCluster(cluster.href, `create database "${name}"`);
    execFileSync(binary("pg_restore"), ["--exit-on-error", "-d", url, file]);
    rmSync(folder, { recursive: true });
  };
}
