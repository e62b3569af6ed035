import { hash } from "node:crypto";
import { open } from "node:fs/promises";

/** Longer than any line: 40 characters, a colon and a count. */
const LINE_BYTES = 128;

/**
 * Whether a file of SHA-1 hashes contains a password. The file has one hash per line in ascending order, optionally
 * followed by a colon and a count, as Pwned Passwords publishes it. A binary search reads tens of gigabytes in a few
 * dozen reads.
 */
export async function isBreached(path: string, password: string): Promise<boolean> {
  const wanted = hash("sha1", password, "hex").toUpperCase();
  await using file = await open(path, "r");
  let [low, high] = [0, (await file.stat()).size];
  // Every line that starts before `low` is smaller, every line that starts at or after `high` is not.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const line = await lineAfter(file, middle, low);
    if (line === undefined || line.start >= high) {
      high = middle;
      continue;
    }
    if (line.hash === wanted) return true;
    if (line.hash < wanted) low = line.start + line.length;
    else high = middle;
  }
  return false;
}

/** The first line that starts at or after `at`; `low` is known to be the start of a line. */
async function lineAfter(
  file: Awaited<ReturnType<typeof open>>,
  at: number,
  low: number,
): Promise<{ start: number; length: number; hash: string } | undefined> {
  const from = at === low ? at : at - 1;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * LINE_BYTES), 0, 2 * LINE_BYTES, from);
  const text = buffer.toString("latin1", 0, bytesRead);
  const begin = at === low ? 0 : text.indexOf("\n") + 1;
  if (at !== low && begin === 0) return undefined;
  if (begin >= text.length) return undefined;
  const end = text.indexOf("\n", begin);
  const line = end === -1 ? text.slice(begin) : text.slice(begin, end + 1);
  return { start: from + begin, length: line.length, hash: line.slice(0, 40).toUpperCase() };
}
