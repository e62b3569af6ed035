import { expect, test } from "vitest";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";
import { findSqlFaults } from "./sql.ts";

test("SQL lines and functions are short, and each function is defined once, in its folder", () => {
  expect(findSqlFaults(repositoryRoot)).toEqual([]);
});

const body = (count: number): string => "  perform 1;\n".repeat(count);
const plpgsql = (name: string, count: number): string =>
  `create or replace function ${name}(a integer) returns void language plpgsql as $$\nbegin\n${body(count)}end\n$$;\n`;

test.each([
  ["a long line", `-- ${"x".repeat(118)}\n`, "feed.sql:1: 121 characters, at most 120"],
  ["a long function", plpgsql("long", 57), "feed.sql:1: long has 61 lines, at most 60"],
  ["a function that a policy uses", plpgsql("id_of", 1), "feed.sql:1: id_of belongs in migrations"],
  ["a second definition", plpgsql("two", 1) + plpgsql("two", 2), "feed.sql:6: two is also defined in"],
])("finds %s", (_, text, fault) => {
  using tree = plantTree({ "server/database/functions/feed.sql": text });
  expect(findSqlFaults(tree.root)).toEqual([expect.stringContaining(fault)]);
});

test("finds a function in a migration that no policy, index, constraint or default uses", () => {
  using tree = plantTree({ "server/database/migrations/0100_feed.sql": plpgsql("publish_item", 1) });
  expect(findSqlFaults(tree.root)).toEqual([
    "server/database/migrations/0100_feed.sql:1: publish_item belongs in functions",
  ]);
});

test("accepts overloads, long bodies of 60 lines and one-line functions", () => {
  const text = `${plpgsql("one", 56)}create or replace function one() returns integer language sql\n  return 1;\n`;
  using tree = plantTree({ "server/database/functions/feed.sql": text });
  expect(findSqlFaults(tree.root)).toEqual([]);
});
