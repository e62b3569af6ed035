import { expect, test } from "vitest";
import { findMigrationFaults } from "./migrations.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("migrations are numbered without gaps and safe on a running service", () => {
  expect(findMigrationFaults(repositoryRoot)).toEqual([]);
});

const table = "create table numbers (id uuid primary key, e164 text not null);\n";

test.each([
  ["alter table numbers add column note text not null;", "adding-required-field"],
  ["create index numbers_by_note on numbers (note);", "require-concurrent-index-creation"],
  ["alter table numbers drop column note;", "ban-drop-column"],
  ["alter table numbers rename column note to notes;", "renaming-column"],
  ["create table calls (id uuid primary key, at timestamp not null);", "prefer-timestamp-tz"],
  ["create table;", "syntax-error"],
])("%s is found: %s", (statement, rule) => {
  using tree = plantTree({
    "server/database/migrations/0100_numbers.sql": table,
    "server/database/migrations/0101_more.sql": `\n${statement}\n`,
  });
  const faults = findMigrationFaults(tree.root);
  expect(faults).toContainEqual(expect.stringMatching(/^server\/database\/migrations\/0101_more\.sql:2: /));
  expect(faults).toContainEqual(expect.stringContaining(`(${rule})`));
});

test.each([["0102_later.sql"], ["0100_again.sql"], ["0101-later.sql"], ["later.sql"]])(
  "%s after 0100_numbers.sql is out of order",
  (name) => {
    using tree = plantTree({
      "server/database/migrations/0100_numbers.sql": table,
      [`server/database/migrations/${name}`]: "select 1;\n",
    });
    expect(findMigrationFaults(tree.root)).toContainEqual(
      expect.stringContaining("_snake_case.sql at this place"),
    );
  },
);

test("a repository without migrations is a fault", () => {
  using tree = plantTree({});
  expect(findMigrationFaults(tree.root)).toEqual(["no migration to check"]);
});
