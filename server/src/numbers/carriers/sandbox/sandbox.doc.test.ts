import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SCRIPTS } from "./sandbox.rules.ts";

const page = readFileSync(new URL("../../../../../docs/test-side.md", import.meta.url), "utf8");

test("the page about the test side lists the scripted endings there are, in the words of the code", () => {
  const rows = page.split("\n").filter((line) => /^\| `\d\d` /.test(line));

  expect(rows).toEqual(Object.entries(SCRIPTS).map(([ending, { what }]) => `| \`${ending}\` | ${what} |`));
});
