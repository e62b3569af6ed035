import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AGENT_SETTINGS } from "@dialplane/switch-agent";
import { SETTINGS } from "../settings.ts";
import { OPERATIONS } from "../operations.ts";
import { ERRORS } from "../platform/error-catalogue.ts";
import { readable } from "./contract.database.ts";
import { generateFiles, listStale, writeFiles } from "./contract.generated.ts";

let files: Map<string, string>;
let root: string;

beforeAll(async () => {
  files = await generateFiles(OPERATIONS);
  root = mkdtempSync(join(tmpdir(), "dialplane-generated-"));
  writeFiles(root, files);
});
afterAll(() => rmSync(root, { recursive: true }));

test("a second run makes the same bytes", async () => {
  expect(await generateFiles(OPERATIONS)).toEqual(files);
  expect(listStale(root, files)).toEqual([]);
});

test("a file that was changed or is missing is named", () => {
  writeFileSync(join(root, "docs/limits.md"), "by hand");
  rmSync(join(root, "server/database/schema.sql"));
  expect(listStale(root, files)).toEqual(["docs/limits.md", "server/database/schema.sql"]);
  writeFiles(root, files);
  expect(listStale(root, files)).toEqual([]);
});

test("whoever opens a generated file learns from its first line what to edit instead", () => {
  for (const [path, text] of files) {
    if (!path.endsWith(".json"))
      expect(text.split("\n", 1)[0], path).toMatch(/Generated from \S+ by npm run generate/);
  }
});

test("nothing is left out", () => {
  const headings = [...files.get("docs/errors.md")!.matchAll(/^### (\w+)$/gm)].map(([, code]) => code);
  expect(headings.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  for (const { name } of [...SETTINGS, ...AGENT_SETTINGS])
    expect(files.get("docs/configuration.md")).toContain(`\`${name}\``);
  for (const { method, path } of OPERATIONS)
    expect(files.get("docs/access.md")).toContain(`\`${method} ${path}\``);
  const contracts = [...files].filter(([path]) => /^openapi[\w.]*\.json$/.test(path)).map(([, text]) => text);
  expect(contracts).toHaveLength(4);
  for (const { id } of OPERATIONS) expect(contracts.join()).toContain(`"operationId": "${id}"`);
});

test("the schema of the database tells tables, policies and grants", () => {
  const schema = readFileSync(join(root, "server/database/schema.sql"), "utf8");
  expect(schema).toMatch(/^CREATE TABLE public\.organisations/m);
  expect(schema).toMatch(/^CREATE POLICY /m);
  expect(schema).toMatch(/^GRANT .+ TO dialplane_/m);
});

test("what a dump says of the version that made it is left out", () => {
  const dump = [
    "-- Dumped by pg_dump version 18.1",
    "\\restrict abc",
    "SET transaction_timeout = 0;",
    "CREATE TABLE t ();",
    "",
    "",
    "",
    "GRANT ALL ON t TO x;",
    "\\unrestrict abc",
  ];
  expect(readable(dump.join("\n"))).toBe("CREATE TABLE t ();\n\nGRANT ALL ON t TO x;");
});
