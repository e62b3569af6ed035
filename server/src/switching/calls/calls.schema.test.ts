import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REASONS } from "./calls.schema.ts";

const REPOSITORY = join(import.meta.dirname, "../../../..");
const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

test("the contract and docs/calls.md list every reason that the switch records", () => {
  const written = textOf("kamailio/kamailio.cfg").matchAll(
    /\$(?:avp\(why\)|dlg_var\(ended\)|var\(limit\)) = "(\w+)"/g,
  );
  // The agent drops the rows of probes.
  const reasons = new Set([...written].map(([, reason]) => reason).filter((reason) => reason !== "probe"));
  const recorded = [...reasons].toSorted();
  expect(recorded.length).toBeGreaterThan(25);
  expect([...REASONS].toSorted()).toEqual(recorded);
  const [, section = ""] = textOf("docs/calls.md").split("\n## Reasons\n");
  const documented = [...section.split("\n## ")[0]!.matchAll(/^\| `(\w+)` \|/gm)];
  expect(documented.map(([, reason]) => reason)).toEqual([...REASONS]);
});
