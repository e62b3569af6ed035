import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const COUNTS = { AU: 21, SE: 13, CS: 9, AZ: 12, AK: 10, RL: 6, SS: 6, WH: 3, LG: 4, CF: 9, MS: 5 };

interface Item {
  id: string;
  shownBy: string;
  /** Names of test files; file names are unique in this repository. */
  files: string[];
}

const items: Item[] = readFileSync(join(ROOT, "docs/security-checklist.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, id, , shownBy] = /^\| ([A-Z]{2}-\d\d) \| (.+) \| (.+) \|$/.exec(line) ?? [];
    if (!id || !shownBy) return [];
    return { id, shownBy, files: [...shownBy.matchAll(/`([\w.-]+\.test\.ts)`/g)].map((match) => match[1]!) };
  });

const testFiles = globSync("{server/{src,testing},switch-agent/src,dashboard/tests}/**/*.test.ts", {
  cwd: ROOT,
}).map((path) => ({
  name: basename(path),
  ids: idsIn(readFileSync(join(ROOT, path), "utf8")),
}));

test("the checklist has every item once, in order", () => {
  const expected = Object.entries(COUNTS).flatMap(([area, count]) =>
    Array.from({ length: count }, (_, at) => `${area}-${String(at + 1).padStart(2, "0")}`),
  );

  expect(items.map(({ id }) => id)).toEqual(expected);
});

test("every item is shown by tests or says what it waits for, never both", () => {
  const unclear = items.filter(({ files, shownBy }) => files.length > 0 === shownBy.startsWith("not yet: "));

  expect(unclear).toEqual([]);
});

test("each file an item names has a test whose name begins with the item's id", () => {
  const missing = items.flatMap(({ id, files }) =>
    files
      .filter((file) => !testFiles.find(({ name }) => name === file)?.ids.has(id))
      .map((file) => `${id}: ${file}`),
  );

  expect(missing).toEqual([]);
});

test("lists each test with an ID", () => {
  const unnamed = testFiles.flatMap(({ name, ids }) =>
    [...ids]
      .filter((id) => !items.find((item) => item.id === id)?.files.includes(name))
      .map((id) => `${id}: ${name}`),
  );

  expect(unnamed).toEqual([]);
});

/** Ids with which the name of a test, or of a group of tests, begins. */
function idsIn(source: string): Set<string> {
  return new Set([...source.matchAll(/\(\s*["'`]([A-Z]{2}-\d\d) /g)].map((match) => match[1]!));
}
