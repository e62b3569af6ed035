import { expect, test } from "vitest";
import { findLicenceFaults, satisfies } from "./licences.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("everything installed may be used, and everything shipped may be shipped", () => {
  expect(findLicenceFaults(repositoryRoot)).toEqual([]);
});

interface Planted {
  license?: string;
  dev?: boolean;
}

function plantPackage(entry: Planted, installed?: object) {
  return plantTree({
    LICENSE: "",
    "package.json": '{ "license": "Apache-2.0" }',
    "package-lock.json": JSON.stringify({ packages: { "": {}, "node_modules/thing": entry } }),
    ...(installed && { "node_modules/thing/package.json": JSON.stringify(installed) }),
  });
}

const cases: [title: string, faults: number, entry: Planted, installed?: object][] = [
  ["MIT is allowed", 0, { license: "MIT" }],
  ["GPL is not", 1, { license: "GPL-3.0-only" }],
  ["not for development either", 1, { license: "AGPL-3.0-only", dev: true }],
  ["MPL is allowed for development", 0, { license: "MPL-2.0", dev: true }],
  ["MPL is not shipped", 1, { license: "MPL-2.0" }],
  ["no licence stated anywhere", 1, {}],
  ["stated by the package alone", 0, {}, { license: "ISC" }],
  ["stated in the oldest form", 0, {}, { licenses: [{ type: "MIT" }] }],
  ["the package contradicts the lock file", 1, { license: "MIT" }, { license: "GPL-2.0-only" }],
  ["an exception, for development", 0, { license: "Odd-1.0", dev: true }],
  ["an exception is not shipped", 1, { license: "Odd-1.0" }],
  ["an exception holds for one licence", 1, { license: "Odd-2.0", dev: true }],
];

test.each(cases)("%s", (_title, faults, entry, installed) => {
  using tree = plantPackage(entry, installed);
  expect(findLicenceFaults(tree.root, { thing: { licence: "Odd-1.0", reason: "planted" } })).toHaveLength(
    faults,
  );
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-2.0-only)", true],
  ["GPL-2.0-only OR MIT", true],
  ["MIT AND GPL-2.0-only", false],
  ["MIT AND (GPL-2.0-only OR MIT)", true],
  ["GPL-2.0-only AND MIT OR MIT", true],
  ["MIT WITH Some-exception", false],
  ["(MIT", false],
  ["SEE LICENSE IN LICENSE.txt", false],
  ["", false],
])("the expression %j: %s", (expression, isSatisfied) => {
  expect(satisfies(expression, (id) => id === "MIT")).toBe(isSatisfied);
});

test("an exception for what is no longer installed is a fault", () => {
  using tree = plantPackage({ license: "MIT" });
  expect(findLicenceFaults(tree.root, { gone: { licence: "Odd-1.0", reason: "planted" } })).toEqual([
    "gone: excepted, but no longer installed",
  ]);
});

test("our own packages carry our licence", () => {
  using tree = plantTree({
    "package.json": '{ "license": "MIT" }',
    "package-lock.json": '{ "packages": { "node_modules/thing": { "license": "MIT" } } }',
  });
  expect(findLicenceFaults(tree.root, {})).toEqual([
    'package.json: "license" is not Apache-2.0',
    "LICENSE: missing",
  ]);
});

test("an empty lock file is a fault", () => {
  using tree = plantTree({ "package.json": "{}", "package-lock.json": '{ "packages": {} }' });
  expect(findLicenceFaults(tree.root)).toEqual(["package-lock.json: no package to check"]);
});
