import { expect, test } from "vitest";
import { plantTree } from "./planted-tree.ts";
import { type AllowedPhrase, compareProse, findProse, findUnusedPhrases, MAX_ALLOWED } from "./prose.ts";
import { PROSE_RULES } from "./prose-rules.ts";
import { readJson, repositoryRoot } from "./repository-files.ts";

/** A sentence that each rule finds. */
const VIOLATIONS: Record<string, string> = {
  person: "It works whoever calls.",
  told: "The switch is told once.",
  heard: "It was not heard of since.",
  asked: "The carrier is asked first.",
  "of-ours": "This is a number of ours.",
  "noun-clause": "What the switch holds.",
  fragment: "Of the three, one counts.",
  "so-many": "It takes so many rows.",
  "goes-on": "The call goes on.",
  "by-itself": "It ends by itself.",
  meanwhile: "It changed meanwhile.",
  mend: "Then mend the file.",
  side: "It is on the test side.",
  "written-down": "The value is written down.",
  "any-more": "It does not count any more.",
  "be-had": "Numbers can be had here.",
  "take-back": "You can take the number back.",
  rests: "The number rests here.",
  "let-in": "The tool was let in.",
  "became-of": "See how it became of it.",
  archaic: "It starts anew.",
  "else-than": "It is nothing else than this.",
  very: "It is this very row.",
  "is-no": "It is no switch.",
  "no-such-thing": "There is no such thing.",
  answer: "It returns the answer.",
  refuse: "The request is refused.",
  "where-if": "It is null where it is unset.",
  made: "The key is made.",
  state: "The switch is away.",
  stands: "It stands in the list.",
  beside: "It runs beside the switch.",
  "hand-over": "It hands over the file.",
  email: "Send an e-mail.",
  telephone: "A telephone number.",
  "tried-again": "It is tried again.",
  "from-then-on": "It counts from then on.",
  odd: "Such a scan is dear.",
};

test("every rule finds its sentence", () => {
  expect(Object.keys(VIOLATIONS)).toEqual(PROSE_RULES.map(({ id }) => id));
  for (const { id, pattern } of PROSE_RULES) expect(VIOLATIONS[id], id).toMatch(new RegExp(pattern, "i"));
});

test.each([
  ["docs/guide.md", "Some text. The switch is told once.\n", "docs"],
  ["docs/decisions/0001-a.md", "The switch is told once.\n", "decisions"],
  ["openapi.json", '{ "info": { "description": "The switch is told once." } }', "reference"],
  ["server/src/platform/error-entry.ts", 'export const a = "The switch is told once.";\n', "errors"],
  ["cli/src/help.ts", "export const a = `The switch is told once.`;\n", "cli"],
  ["dashboard/src/Page.tsx", "export const A = () => <p>The switch is told once.</p>;\n", "dashboard"],
  ["server/src/a.ts", 'throw new Error("The switch is told once.");\n', "strings"],
  ["server/src/a.ts", "// The switch\n// is told once.\n", "comments"],
  ["server/src/a.ts", "/** The switch is told once. */\n", "comments"],
  ["server/src/a.ts", "export function toldSwitches() {}\n", "identifiers"],
  ["server/database/a.sql", "-- The switch is\n-- told once.\n", "sql"],
  ["server/database/a.sql", "comment on table a is\n  'The switch is '\n  'told once.';\n", "sql"],
  ["kamailio/kamailio.cfg", "# The switch is told once.\n", "kamailio"],
  ["server/src/a.test.ts", 'test("the switch is told once", () => {});\n', "tests"],
  ["server/src/a.test.ts", 'test.each([1])("%i: the switch is told once", () => {});\n', "tests"],
])("reads %s: %s", (path, text, area) => {
  using tree = plantTree({ [path]: text });
  expect(findProse(tree.root, [])).toMatchObject([{ path, area, rule: { id: "told" } }]);
});

test("finds nothing in plain English, in code spans, or in phrases that are allowed", () => {
  using tree = plantTree({
    "docs/guide.md":
      "Dialplane sends the desired route to every switch. `null` if the number is unset. See `told.ts`.\nconnection refused\n",
  });
  expect(findProse(tree.root, [{ phrase: "connection refused", reason: "the error of TCP" }])).toEqual([]);
});

test("more hits than the baseline fail, and fewer fail until the baseline is lowered", () => {
  using tree = plantTree({ "docs/guide.md": "It is told.\nIt is heard.\n" });
  const hits = findProse(tree.root, []);
  expect(compareProse(hits, { "docs/guide.md": 2 })).toEqual([]);
  expect(compareProse(hits, { "docs/guide.md": 1 })).toHaveLength(2);
  expect(compareProse(hits, { "docs/guide.md": 3 })).toEqual([
    "docs/guide.md: fewer hits than the baseline. Run npm run check:prose -- --update",
  ]);
});

test("allows at most 30 phrases, each with a reason and in use", () => {
  const allowed = readJson<AllowedPhrase[]>(repositoryRoot, "tools/checks/prose-allowed.json");
  expect(allowed.length).toBeLessThanOrEqual(MAX_ALLOWED);
  expect(allowed.filter(({ reason }) => reason.trim() === "")).toEqual([]);
  expect(findUnusedPhrases(repositoryRoot, allowed)).toEqual([]);
});

test("names an allowed phrase that hides no hit", () => {
  using tree = plantTree({ "docs/guide.md": "It says connection refused.\nThe line is closed.\n" });
  const allowed = ["connection refused", "line is closed", "not there"].map((phrase) => ({
    phrase,
    reason: "-",
  }));
  expect(findUnusedPhrases(tree.root, allowed)).toEqual(["line is closed", "not there"]);
});
