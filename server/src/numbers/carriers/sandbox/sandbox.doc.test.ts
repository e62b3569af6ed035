import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REQUIRING, SCRIPTS } from "./sandbox.rules.ts";

const page = readFileSync(new URL("../../../../../docs/test-environment.md", import.meta.url), "utf8");

test("docs/test-environment.md lists the scripted endings with the texts of the code", () => {
  const rows = page.split("\n").filter((line) => /^\| `\d\d` /.test(line));

  expect(rows).toEqual(Object.entries(SCRIPTS).map(([ending, { what }]) => `| \`${ending}\` | ${what} |`));
});

test("docs/test-environment.md lists the area codes that need evidence with the texts of the code", () => {
  const rows = page.split("\n").filter((line) => /^\| `\d{3}` \| `\+1/.test(line));

  expect(rows).toEqual(
    Object.entries(REQUIRING).map(
      ([code, { what }]) => `| \`${code}\` | \`+1 ${code} 555 0150\` | ${what} |`,
    ),
  );
});
