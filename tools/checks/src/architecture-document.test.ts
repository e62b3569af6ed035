import { expect, test } from "vitest";
import { findArchitectureDocumentFaults } from "./architecture-document.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("the architecture is told in at most 150 lines", () => {
  expect(findArchitectureDocumentFaults(repositoryRoot)).toEqual([]);
});

test.each([
  [150, []],
  [151, ["ARCHITECTURE.md: 151 lines, at most 150"]],
  [0, ["ARCHITECTURE.md: empty"]],
])("%i lines: %j", (lines, faults) => {
  using tree = plantTree({ "ARCHITECTURE.md": "line\n".repeat(lines) });
  expect(findArchitectureDocumentFaults(tree.root)).toEqual(faults);
});

test("a missing document is a fault", () => {
  using tree = plantTree({});
  expect(findArchitectureDocumentFaults(tree.root)).toEqual(["ARCHITECTURE.md: missing"]);
});
