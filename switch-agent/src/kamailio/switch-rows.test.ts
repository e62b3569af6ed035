import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSwitchRows } from "./switch-rows.ts";

/** Reads a new file for half a second, as the switch may. */
const READER = `
  const { DatabaseSync } = require("node:sqlite");
  const db = new DatabaseSync(process.argv[1]);
  db.exec("create table other (a); begin; select * from other");
  setTimeout(() => db.exec("commit"), 500);
  console.log("reads");
`;

test("a file that is being read while it is opened for the first time is waited for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "switch-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "switch.sqlite");
  const reader = spawn(process.execPath, ["-e", READER, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(reader.stdout, "data");
  const rows = openSwitchRows(path);
  rows.close();
  expect(await once(reader, "exit")).toEqual([0, null]);
});
