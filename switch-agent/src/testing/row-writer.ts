import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { byeRow, inviteRow, writtenCall } from "./acc-rows.ts";

/**
 * A process of the switch for tests that kill it. Writes rows as fast as possible, and logs each one to
 * another file afterwards. node row-writer.ts <folder> <process> <name> <log>
 */
const [directory, processNumber, name, toldPath] = process.argv.slice(2) as [string, string, string, string];
const path = join(directory, `acc_${processNumber}.log`);
const rotation = join(directory, "rotated");
const told = openSync(toldPath, "a");
let file = openSync(path, "a");
let rotatedAtMs = rotatedAt();

for (let at = 0; ; at++) {
  const call = writtenCall(`${name}-${at}`);
  put(inviteRow(call), `invite ${call.rid}\n`);
  put(byeRow(call), `bye ${call.rid}\n`);
  if (at % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}

function put(row: string, note: string): void {
  const now = rotatedAt();
  if (now > rotatedAtMs) {
    closeSync(file);
    file = openSync(path, "a");
    rotatedAtMs = now;
  }
  // In two pieces, so that a kill finds some rows half written.
  const half = Math.floor(row.length / 2);
  writeSync(file, row.slice(0, half));
  writeSync(file, row.slice(half));
  writeSync(told, note);
}

function rotatedAt(): number {
  return statSync(rotation, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
