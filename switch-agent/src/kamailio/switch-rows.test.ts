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

test("lists the numbers that have a webhook in any step", () => {
  const folder = mkdtempSync(join(tmpdir(), "switch-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rows = openSwitchRows(join(folder, "switch.sqlite"));
  onTestFinished(() => rows.close());
  const texts = [
    "w|1|0|plain|https://h.example/w||n||",
    "W|1|0|first|https://h.example||n||||r||||||",
    "F|1|0|second|+441||w|https://h.example|||b||||||",
    "U|1|0|third|sip:w@192.0.2.1||c|c1|||u||u|w|https://h.example||",
    "U|1|0|none|sip:w@192.0.2.1||f|+442||20|u||u|c|w-1||",
    "u|1|0|none-either|sip:w@w.example|w.example|||",
  ];
  rows.write(texts.map((text, index) => ({ table: "rt", key: `+4930${index}`, text })));
  expect(rows.listWebhookNumbers().sort()).toEqual(["first", "plain", "second", "third"]);
});
