import { readFileSync } from "node:fs";
import { MAGIC_NUMBERS } from "@dialplane/switch-agent";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../docs/test-side.md", import.meta.url), "utf8");

test("the page about the test side lists the magic numbers there are, in the words of their labels", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `+"));

  expect(rows).toEqual(Object.values(MAGIC_NUMBERS).map(({ e164, what }) => `| \`${e164}\` | ${what} |`));
});
