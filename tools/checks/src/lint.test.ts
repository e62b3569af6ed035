import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linkPackages, plantTree } from "./planted-tree.ts";
import { readText, repositoryRoot } from "./repository-files.ts";

const orders = "server/src/numbers/orders/orders";
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `export const n${index} = ${index};\n`).join("");
const longFunction = `export function long() {\n${"  void 0;\n".repeat(60)}}\n`;
const buy = "export async function buy(): Promise<void> {\n  await Promise.resolve();\n}\n";
const tested = 'import { expect, test } from "vitest";\ntest("a", () => expect(1).toBe(1));\n';

/** Files, each with the one rule that must find fault with it. */
const planted: [rule: string, path: string, code: string][] = [
  [
    "typescript(no-floating-promises)",
    `${orders}.floating.ts`,
    `${buy}export function sell() {\n  buy();\n}\n`,
  ],
  ["typescript(no-misused-promises)", `${orders}.misused.ts`, `${buy}[1].forEach(buy);\n`],
  [
    "typescript(return-await)",
    `${orders}.uncaught.ts`,
    `${buy}export async function sell() {\n  try {\n    return buy();\n  } catch {\n    return;\n  }\n}\n`,
  ],
  [
    "typescript(await-thenable)",
    `${orders}.awaited.ts`,
    "export async function sell(count: number) {\n  const sold = await count;\n  return sold;\n}\n",
  ],
  ["typescript(only-throw-error)", `${orders}.thrown.ts`, 'export function sell() {\n  throw "no";\n}\n'],
  [
    "typescript(switch-exhaustiveness-check)",
    `${orders}.switch.ts`,
    'export function sell(kind: "a" | "b") {\n  switch (kind) {\n    case "a":\n      return 1;\n  }\n  return 2;\n}\n',
  ],
  ["typescript(no-explicit-any)", `${orders}.any.ts`, "export const wild: any = 1;\n"],
  [
    "typescript(consistent-type-imports)",
    `${orders}.inline.ts`,
    'export type Stored = import("./orders.store.ts").Stored;\n',
  ],
  [
    "import(no-cycle)",
    `${orders}.here.ts`,
    'import { there } from "./orders.there.ts";\nexport const here: unknown = there;\n',
  ],
  [
    "import(no-cycle)",
    `${orders}.there.ts`,
    'import { here } from "./orders.here.ts";\nexport const there: unknown = here;\n',
  ],
  ["import(no-default-export)", `${orders}.default.ts`, "export default 1;\n"],
  ["node(no-process-env)", `${orders}.env.ts`, "export const secret = process.env.SECRET;\n"],
  ["node(no-process-env)", "demo/src/demo.ts", 'export const secret = process.env["SECRET"];\n'],
  ["unicorn(prefer-node-protocol)", `${orders}.protocol.ts`, 'export { join } from "path";\n'],
  ["unicorn(filename-case)", "server/src/placeOrder.ts", "export const value = 1;\n"],
  ["unicorn(filename-case)", "dashboard/src/numbers_page.tsx", "export const value = 1;\n"],
  ["eslint(eqeqeq)", `${orders}.equal.ts`, "export const same = (a: unknown) => a == 1;\n"],
  ["eslint(no-warning-comments)", `${orders}.later.ts`, "// TODO: later\nexport const value = 1;\n"],
  ["eslint(no-console)", `${orders}.console.ts`, "console.log(1);\n"],
  ["eslint(max-lines)", `${orders}.lines.ts`, lines(301)],
  ["eslint(max-lines)", "server/src/lines.test.ts", lines(501)],
  ["eslint(max-lines-per-function)", `${orders}.function.ts`, longFunction],
  [
    "eslint(max-params)",
    `${orders}.params.ts`,
    "export const sum = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;\n",
  ],
  ["vitest(no-focused-tests)", "server/src/focused.test.ts", tested.replace("test(", "test.only(")],
  ["vitest(no-disabled-tests)", "server/src/disabled.test.ts", tested.replace("test(", "test.skip(")],
];

const faultless: Record<string, string> = {
  [`${orders}.store.ts`]: "export type Stored = string;\nexport const isSet = (a: unknown) => a != null;\n",
  "server/src/config.ts": "export const secret = process.env.SECRET;\n",
  "server/src/long.test.ts": `${lines(430)}${longFunction}console.log(1);\n`,
  "dashboard/src/NumbersPage.tsx": "export const value = 1;\n",
  "vitest.config.ts": "export default {};\n",
};

test("every rule finds what was planted for it, and nothing else is found", () => {
  using tree = plantTree({
    ".oxlintrc.json": readText(repositoryRoot, ".oxlintrc.json"),
    "tsconfig.json": readText(repositoryRoot, "tsconfig.json"),
    "package.json": '{ "type": "module" }',
    ...Object.fromEntries(planted.map(([, path, code]) => [path, code])),
    ...faultless,
  });
  linkPackages(tree);
  expect(lint(tree.root).sort()).toEqual(planted.map(([rule, path]) => `${path}: ${rule}`).sort());
});

function lint(root: string): string[] {
  const oxlint = join(repositoryRoot, "node_modules/.bin/oxlint");
  const { stdout } = spawnSync(oxlint, ["--type-aware", "--format=json"], { cwd: root, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  return diagnostics.map(({ code, filename }) => `${filename}: ${code}`);
}
