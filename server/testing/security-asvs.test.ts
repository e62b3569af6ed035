import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** Requirements of levels 1 and 2 in ASVS 5.0.0, chapter by chapter; V17 does not apply as a whole. */
const COUNTS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16];
const STATUSES = ["met", "open", "not applicable"] as const;

interface Row {
  line: string;
  /** Such as [6, 2, 1]. */
  number: number[];
  level: string;
  status: string;
  shownBy: string;
}

const page = readFileSync(join(ROOT, "docs/security-asvs.md"), "utf8");
const rows: Row[] = page
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [requirement = "", , status = "", shownBy = ""] = line.split("|").slice(1, -1).map(trimmed);
    const [, number = "", level = ""] = /^(\d+\.\d+\.\d+) \(L([12])\)$/.exec(requirement) ?? [];
    return { line, number: number.split(".").map(Number), level, status, shownBy };
  });

test("every requirement of levels 1 and 2 has one row, in order", () => {
  const inOrder = rows.every(({ number }, at) => at === 0 || isBefore(rows[at - 1]!.number, number));

  expect(rows.filter(({ number, level }) => number.length !== 3 || level === "")).toEqual([]);
  expect(inOrder).toBe(true);
  expect(COUNTS.map((_, at) => rows.filter(({ number }) => number[0] === at + 1).length)).toEqual(COUNTS);
});

test("each row has a status and its reason; what is open says what closes it", () => {
  const unclear = rows.filter(
    ({ status, shownBy }) =>
      !STATUSES.some((one) => one === status) ||
      shownBy === "" ||
      (status === "open" && !/Closed by: |^As \d/.test(shownBy)) ||
      (status === "met" && !/`|\b[A-Z]{2}-\d\d\b/.test(shownBy)),
  );

  expect(unclear.map(({ line }) => line)).toEqual([]);
});

test("the tests and checklist items that the page names exist", () => {
  const pattern = "{server,switch-agent,system-tests,dashboard,cli,sdk,tools}";
  const files = new Set(
    globSync(`${pattern}/**/*.test.ts`, { cwd: ROOT, exclude: ["**/node_modules"] }).map((path) =>
      basename(path),
    ),
  );
  const checklist = readFileSync(join(ROOT, "docs/security-checklist.md"), "utf8");
  const ids = new Set([...checklist.matchAll(/^\| ([A-Z]{2}-\d\d) \|/gm)].map((match) => match[1]!));
  const named = (names: RegExp): string[] => [...page.matchAll(names)].map((match) => match[1]!);

  expect(named(/`([\w.-]+\.test\.ts)`/g).filter((name) => !files.has(name))).toEqual([]);
  expect(named(/\b([A-Z]{2}-\d\d)\b/g).filter((id) => !ids.has(id))).toEqual([]);
});

test("the summary counts the rows and lists each open requirement once", () => {
  const [, summary = ""] = /## Summary\n([^]*?)\n## V1 /.exec(page) ?? [];
  const listed = [...summary.matchAll(/^\d+\. \*\*([\d., ]+)\*\*/gm)].flatMap((match) =>
    match[1]!.split(",").map(trimmed),
  );
  const open = rows.filter(({ status }) => status === "open").map(({ number }) => number.join("."));

  for (const status of STATUSES)
    expect(summary).toContain(`| ${status} | ${rows.filter((row) => row.status === status).length} |`);
  expect(listed.toSorted()).toEqual(open.toSorted());
});

test("the inventory names every purpose that a key is derived for", () => {
  const inventory = readFileSync(join(ROOT, "docs/security-inventory.md"), "utf8");
  const code = readFileSync(join(ROOT, "server/src/platform/secrets.ts"), "utf8");
  const [, kinds = ""] = /const KIND_OF = \{([^}]*)\}/.exec(code) ?? [];
  const purposes = [...kinds.matchAll(/^\s*"?([\w/-]+)"?: "(?:fleet|cell)"/gm)].map((match) => match[1]!);

  expect(purposes.length).toBeGreaterThan(10);
  expect(purposes.filter((purpose) => !inventory.includes(`\`${purpose}\``))).toEqual([]);
});

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  return at >= 0 && one[at]! < other[at]!;
}

function trimmed(text: string): string {
  return text.trim();
}
