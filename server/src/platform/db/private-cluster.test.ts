import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startPrivateCluster } from "./private-cluster.ts";

test("ends a server that is not ready in time, and says so", async () => {
  const { directory, binaries, pid } = slowPostgres();
  await expect(startPrivateCluster({ directory, binaries, readyWithinMs: 500 })).rejects.toThrow(
    "PostgreSQL did not start within 0.5 s:",
  );
  if (existsSync(pid)) expect(existsSync(`/proc/${readFileSync(pid, "utf8").trim()}`)).toBe(false);
});

test("ends a server that starts when the caller aborts", async () => {
  const { directory, binaries, pid } = slowPostgres();
  const controller = new AbortController();
  const starting = startPrivateCluster({ directory, binaries, signal: controller.signal });
  await expect.poll(() => existsSync(pid)).toBe(true);
  controller.abort(new Error("stopped by the user"));
  await expect(starting).rejects.toThrow("stopped by the user");
  expect(existsSync(`/proc/${readFileSync(pid, "utf8").trim()}`)).toBe(false);
});

/** Programs that look like PostgreSQL's, with a server that never becomes ready. */
function slowPostgres(): { directory: string; binaries: string; pid: string } {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-slow-postgres-"));
  chmodSync(folder, 0o777); // root starts the server as another user
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pid = join(folder, "pid");
  writeFileSync(join(folder, "initdb"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(
    join(folder, "postgres"),
    `#!/bin/sh\necho $$ > ${pid}.new && mv ${pid}.new ${pid}\nexec sleep 60\n`,
    {
      mode: 0o755,
    },
  );
  return { directory: join(folder, "cluster"), binaries: folder, pid };
}
