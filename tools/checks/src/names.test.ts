import { expect, test } from "vitest";
import { findNameFaults } from "./names.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("names are unique, kebab-case and say where they belong", () => {
  expect(findNameFaults(repositoryRoot)).toEqual([]);
});

const planted: [path: string, fault: string][] = [
  ["server/src/placeOrder.ts", "not kebab-case"],
  ["server/src/place_order.ts", "not kebab-case"],
  ["server/src/PlaceOrder.ts", "not kebab-case"],
  ["server/src/index.ts", "only the SDK has an index.ts"],
  ["dashboard/src/index.tsx", "only the SDK has an index.ts"],
  ["server/src/utils/text.ts", "says nothing about what is in it"],
  ["sdk/src/core/request.ts", "says nothing about what is in it"],
  ["server/src/apiKeys/list.ts", "not kebab-case"],
  ["server/src/numbers/orders/buying.rules.ts", "another name than its folder, orders"],
  ["server/src/numbers/orders/ordersbuying.ts", "another name than its folder, orders"],
  ["server/src/numbers/carriers/pool/client.ts", "another name than its folder, pool"],
  ["cli/src/main.ts", "same file name as"],
];

test.each(planted)("rejects %s: %s", (path, fault) => {
  using tree = plantTree({ [path]: "", "server/src/main.ts": "" });
  expect(findNameFaults(tree.root)).toEqual([expect.stringContaining(fault)]);
});

test("names that a tool or the trade dictates are accepted", () => {
  using tree = plantTree({
    "package.json": "{}",
    "sdk/package.json": "{}",
    "sdk/src/index.ts": "",
    "sdk/README.md": "",
    "README.md": "",
    "ARCHITECTURE.md": "",
    "dashboard/src/NumbersPage.tsx": "",
    "server/database/migrations/0001_api_keys.sql": "",
    "server/src/people/api-keys/api-keys.rules.test.ts": "",
    ".github/ISSUE_TEMPLATE/bug_report.md": "",
    "node_modules/x/index.js": "",
  });
  expect(findNameFaults(tree.root)).toEqual([]);
});

test("an empty repository is a fault", () => {
  using tree = plantTree({});
  expect(findNameFaults(tree.root)).toEqual(["no file to check"]);
});
