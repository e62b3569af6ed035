import { expect, test } from "vitest";
import { findJsonKeys } from "./json-keys.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("no statement finds rows by a key that it takes out of JSON, or casts, in the same condition", () => {
  expect(findJsonKeys(repositoryRoot)).toEqual([]);
});

test("such conditions are found", () => {
  const text =
    "select * from feed_items f\nwhere ((f.item_id = ((c.value ->> 'id'::text))::uuid) and f.shard = 1);\n";
  const cast = "where v.environment = $2 and v.holding_id = r.subject::uuid\n";
  using tree = plantTree({ "server/database/functions/feed.sql": text, "server/src/audit.store.ts": cast });
  expect(findJsonKeys(tree.root)).toMatchObject([
    expect.stringContaining("feed.sql:2: where ((f.item_id"),
    expect.stringContaining("audit.store.ts:1: where v.environment"),
  ]);
});
