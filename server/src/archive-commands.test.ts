import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { startService } from "../testing/service.ts";
import { runArchiveCommand } from "./archive-commands.ts";

test("writes months of calls, verifies them, and says what is wrong", async () => {
  await using service = await startService();
  const folder = mkdtempSync(join(tmpdir(), "archive-"));
  let said: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void said.push(line));
  const run = async (...words: string[]): Promise<[number, string]> => {
    said = [];
    return [await runArchiveCommand(service.app.config, words), said.join("\n")];
  };
  await service.database.admin("select make_call_partitions(array['2024-02-01'::date])");
  await service.database.admin(
    `insert into call_records (id, switch_id, started_at, answered_at, ended_at, environment, ending, result, received_at)
     values (gen_random_uuid(), gen_random_uuid(), '2024-02-29T12:00:00Z', '2024-02-29T12:00:01Z', '2024-02-29T12:01:01Z', 'live', 'hung_up', 'answered', now())`,
  );

  expect(await run("calls")).toEqual([2, expect.stringContaining("archive calls --before <YYYY-MM>")]);
  expect(await run("calls", "--before", "2999-01", "--to", folder)).toEqual([
    2,
    "--before 2999-01 is in the future. A month is archived after its end.",
  ]);
  expect(await run("calls", "--before", "2024-02", "--to", folder)).toEqual([
    0,
    "No call records before 2024-02 are stored.",
  ]);
  expect(await run("calls", "--before", "2024-03", "--to", folder)).toEqual([
    0,
    "2024-02: 1 calls, 60 seconds, 1 files",
  ]);
  const month = join(folder, "calls-2024-02");
  expect(await run("verify", month)).toEqual([0, "2024-02: 1 calls, 60 seconds, 1 files, intact"]);
  appendFileSync(join(month, "calls-2024-02-29.parquet"), "x");
  expect(await run("verify", month)).toEqual([1, expect.stringContaining(`${month} is not intact: `)]);
  expect(await run("verify", join(folder, "none"))).toEqual([1, expect.stringContaining("has no manifest")]);

  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});
