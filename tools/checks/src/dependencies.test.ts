import { expect, test } from "vitest";
import { findDependencyFaults } from "./dependencies.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("dependencies are exact, locked, script-free and explained", () => {
  expect(findDependencyFaults(repositoryRoot)).toEqual([]);
});

interface Plan {
  version?: string;
  workspaceVersion?: string;
  locked?: object;
  lockedFor?: object;
  register?: string;
}

function plantDependency(plan: Plan) {
  const { version = "1.2.3", workspaceVersion = "1.2.3", register = "| `thing` | why |" } = plan;
  const root = { workspaces: ["server"], devDependencies: { thing: version } };
  const server = { dependencies: { thing: workspaceVersion, "@dialplane/sdk": "0.1.0" } };
  const packages = {
    "": root,
    server: plan.lockedFor ?? server,
    "node_modules/thing": { integrity: "sha512-x", ...plan.locked },
  };
  return plantTree({
    "package.json": JSON.stringify(root),
    "server/package.json": JSON.stringify(server),
    "package-lock.json": JSON.stringify({ packages }),
    "docs/dependencies.md": `# Dependencies\n\n${register}\n`,
  });
}

const cases: [title: string, plan: Plan, faults: string[]][] = [
  ["a faultless one", {}, []],
  ["a list instead of a table", { register: "- `thing`: why" }, []],
  ["a pre-release", { version: "1.2.3-rc.1", workspaceVersion: "1.2.3-rc.1" }, []],
  [
    "a caret",
    { version: "^1.2.3", workspaceVersion: "^1.2.3" },
    ["is not an exact version", "is not an exact version"],
  ],
  [
    "a tag",
    { version: "latest", workspaceVersion: "latest" },
    ["is not an exact version", "is not an exact version"],
  ],
  [
    "two versions",
    { workspaceVersion: "1.2.4" },
    ["server/package.json: thing 1.2.4, but 1.2.3 in package.json"],
  ],
  ["an install script", { locked: { hasInstallScript: true } }, ["has an install script"]],
  ["no checksum", { locked: { integrity: undefined } }, ["locked without a checksum"]],
  ["a fixed registry", { locked: { resolved: "https://npm.example/thing.tgz" } }, ["locked to one place"]],
  ["a stale lock file", { lockedFor: {} }, ["made for another server/package.json"]],
  ["no row", { register: "Nothing about `thing`." }, ["no row for thing"]],
  ["a row too many", { register: "| `thing` | why |\n| `gone` | why |" }, ["gone is not a dependency"]],
];

test.each(cases)("%s", (_title, plan, faults) => {
  using tree = plantDependency(plan);
  expect(findDependencyFaults(tree.root)).toEqual(faults.map((fault) => expect.stringContaining(fault)));
});

test("a repository without dependencies is a fault", () => {
  using tree = plantTree({ "package.json": "{}" });
  expect(findDependencyFaults(tree.root)).toEqual(["package.json: no dependency to check"]);
});
