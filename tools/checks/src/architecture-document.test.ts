import { expect, test } from "vitest";
import { findArchitectureDocumentFaults } from "./architecture-document.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("ARCHITECTURE.md and AREA.md files are short, and their files contain the symbols they name", () => {
  expect(findArchitectureDocumentFaults(repositoryRoot)).toEqual([]);
});

const areas = Object.fromEntries(
  ["people", "numbers", "switching", "events"].map((area) => [`server/src/${area}/AREA.md`, "line\nline\n"]),
);

test.each([
  [150, []],
  [151, ["ARCHITECTURE.md: 151 lines, at most 150"]],
  [0, ["ARCHITECTURE.md: empty"]],
])("%i lines: %j", (lines, faults) => {
  using tree = plantTree({ ...areas, "ARCHITECTURE.md": "line\n".repeat(lines) });
  expect(findArchitectureDocumentFaults(tree.root)).toEqual(faults);
});

test("finds a long AREA.md", () => {
  const document = "server/src/events/AREA.md";
  using tree = plantTree({ ...areas, "ARCHITECTURE.md": "line\nline\n", [document]: "line\n".repeat(26) });
  expect(findArchitectureDocumentFaults(tree.root)).toEqual([`${document}: 26 lines, at most 25`]);
});

test("finds a symbol that its file does not contain, and a file that does not exist", () => {
  using tree = plantTree({
    ...areas,
    "ARCHITECTURE.md": "Orders\n`nextMove` in `orders.ts`, `nextMoves` in `orders.ts`, `gone` in `gone.ts`\n",
    "orders.ts": "export function nextMove() {}\n",
  });
  expect(findArchitectureDocumentFaults(tree.root)).toEqual([
    "ARCHITECTURE.md:2: no nextMoves in orders.ts",
    "ARCHITECTURE.md:2: no gone in gone.ts",
  ]);
});

test("a missing document is a fault", () => {
  using tree = plantTree(areas);
  expect(findArchitectureDocumentFaults(tree.root)).toEqual(["ARCHITECTURE.md: missing"]);
});
