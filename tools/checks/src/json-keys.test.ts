import { expect, test } from "vitest";
import { findJsonKeys } from "./json-keys.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("no function finds rows by a key that it takes out of JSON in the same condition", () => {
  expect(findJsonKeys(repositoryRoot)).toEqual([]);
});

test("such a condition is found", () => {
  const text =
    "select * from feed_items f\nwhere ((f.item_id = ((c.value ->> 'id'::text))::uuid) and f.shard = 1);\n";
  using tree = plantTree({ "server/database/functions/feed.sql": text });
  expect(findJsonKeys(tree.root)).toMatchObject([expect.stringContaining("feed.sql:2: where ((f.item_id")]);
});
