import { readFileSync } from "node:fs";

/** Health check of an image: the given port and path of this machine, or those of its role. */
const [place = isWorker() ? "9464/readyz" : "8080/readyz"] = process.argv.slice(2);
try {
  const answer = await fetch(`http://127.0.0.1:${place}`, { signal: AbortSignal.timeout(2_000) });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}

/** A worker serves its health next to its metrics. Which role it is was said to the first process of the container. */
function isWorker(): boolean {
  return readFileSync("/proc/1/cmdline", "utf8").split("\0").includes("worker");
}
