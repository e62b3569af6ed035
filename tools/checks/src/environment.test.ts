import { expect, test } from "vitest";
import { findEnvironmentFaults } from "./environment.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("only the configuration reads the environment", () => {
  expect(findEnvironmentFaults(repositoryRoot)).toEqual([]);
});

test.each([
  "const url = process.env.DATABASE_URL;",
  'const url = process.env["DATABASE_URL"];',
  "const url = process?.env?.DATABASE_URL;",
  'const url = process["env"].DATABASE_URL;',
  "const { env } = process;",
  "const { env: settings, argv } = globalThis.process;",
  'import { argv, env } from "node:process";',
  'process.loadEnvFile(".env");',
])("%s is found outside the configuration", (line) => {
  using tree = plantTree({ "server/src/api.ts": `export {};\n${line}\n`, "server/src/config.ts": line });
  expect(findEnvironmentFaults(tree.root)).toEqual([expect.stringMatching(/^server\/src\/api\.ts:2: /)]);
});

test("an empty repository is a fault", () => {
  using tree = plantTree({});
  expect(findEnvironmentFaults(tree.root)).toEqual(["no source file to check"]);
});
