import { readFileSync } from "node:fs";
import { MAGIC_NUMBERS } from "@dialplane/switch-agent";
import { expect, test } from "vitest";

const page = readFileSync(new URL("../../../../docs/test-environment.md", import.meta.url), "utf8");

test("docs/test-environment.md lists the magic numbers with their labels", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| `+"));

  expect(rows).toEqual(Object.values(MAGIC_NUMBERS).map(({ e164, what }) => `| \`${e164}\` | ${what} |`));
});
