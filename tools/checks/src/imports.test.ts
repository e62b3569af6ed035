import { expect, test } from "vitest";
import { findImportFaults } from "./imports.ts";
import { linkPackages, plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("imports only ever point one way", async () => {
  expect(await findImportFaults(repositoryRoot)).toEqual([]);
});

const value = "export const value = 1;\n";
const feature = "server/src/numbers/orders";

/** Imports and the rules that forbid them. */
const forbidden: [rule: string, from: string, specifier: string, to: string][] = [
  ["no-cycles", `${feature}/orders.ts`, "./orders.jobs.ts", `${feature}/orders.jobs.ts`],
  ["every-import-resolves", `${feature}/orders.ts`, "./orders.gone.ts", ""],
  [
    "platform-knows-no-telephony",
    "server/src/platform/http/http.ts",
    "../../numbers/orders/orders.ts",
    `${feature}/orders.ts`,
  ],
  [
    "platform-knows-no-telephony",
    "server/src/platform/log.ts",
    "../numbers/carriers/carrier.ts",
    "server/src/numbers/carriers/carrier.ts",
  ],
  ["platform-knows-no-telephony", "server/src/platform/log.ts", "../worker.ts", "server/src/worker.ts"],
  [
    "carriers-know-no-feature",
    "server/src/numbers/carriers/pool/pool.ts",
    "../../orders/orders.ts",
    `${feature}/orders.ts`,
  ],
  [
    "numbers-imports-events",
    `${feature}/orders.ts`,
    "../../people/users/users.ts",
    "server/src/people/users/users.ts",
  ],
  [
    "people-imports-numbers-and-events",
    "server/src/people/users/users.ts",
    "../../switching/feed/feed.ts",
    "server/src/switching/feed/feed.ts",
  ],
  [
    "switching-imports-numbers-and-events",
    "server/src/switching/feed/feed.ts",
    "../../people/users/users.ts",
    "server/src/people/users/users.ts",
  ],
  [
    "events-imports-no-area",
    "server/src/events/audit/audit.ts",
    "../../numbers/orders/orders.ts",
    `${feature}/orders.ts`,
  ],
  ["features-know-no-entry-point", `${feature}/orders.ts`, "../../api.ts", "server/src/api.ts"],
  [
    "feature-front-door-only",
    `${feature}/orders.ts`,
    "../numbers/numbers.store.ts",
    "server/src/numbers/numbers/numbers.store.ts",
  ],
  [
    "feature-front-door-only",
    `${feature}/orders.test.ts`,
    "../numbers/numbers.store.ts",
    "server/src/numbers/numbers/numbers.store.ts",
  ],
  [
    "carrier-interface-only",
    `${feature}/orders.ts`,
    "../carriers/pool/pool.ts",
    "server/src/numbers/carriers/pool/pool.ts",
  ],
  [
    "carriers-are-strangers",
    "server/src/numbers/carriers/pool/pool.ts",
    "../sandbox/sandbox.ts",
    "server/src/numbers/carriers/sandbox/sandbox.ts",
  ],
  [
    "carrier-front-door-only",
    "server/src/app.ts",
    "./numbers/carriers/pool/pool.store.ts",
    "server/src/numbers/carriers/pool/pool.store.ts",
  ],
  [
    "routes-never-touch-sql",
    `${feature}/orders.routes.ts`,
    "./orders.store.ts",
    `${feature}/orders.store.ts`,
  ],
  [
    "routes-never-touch-sql",
    `${feature}/orders.routes.ts`,
    "../../platform/db/database.ts",
    "server/src/platform/db/database.ts",
  ],
  [
    "store-is-a-leaf",
    `${feature}/orders.store.ts`,
    "../../platform/clock.ts",
    "server/src/platform/clock.ts",
  ],
  [
    "store-is-a-leaf",
    `${feature}/orders.store.ts`,
    "../numbers/numbers.rules.ts",
    "server/src/numbers/numbers/numbers.rules.ts",
  ],
  ["store-is-a-leaf", `${feature}/orders.store.ts`, "typebox", ""],
  ["rules-are-pure", `${feature}/orders.rules.ts`, "../../platform/clock.ts", "server/src/platform/clock.ts"],
  ["rules-are-pure", `${feature}/orders.rules.ts`, "node:fs", ""],
  ["only-platform-db-knows-pg", `${feature}/orders.ts`, "pg", ""],
  ["only-platform-db-knows-pg", "server/src/main.ts", "pg", ""],
  ["only-platform-jobs-knows-the-queue", "server/src/platform/db/database.ts", "pg-boss", ""],
  [
    "testing-stays-out-of-production",
    "server/src/app.ts",
    "../testing/service.ts",
    "server/testing/service.ts",
  ],
  [
    "testing-stays-out-of-production",
    "demo/src/demo.ts",
    "../../server/testing/service.ts",
    "server/testing/service.ts",
  ],
  ["testing-stays-out-of-production", "server/src/app.ts", "vitest", ""],
  ["nobody-imports-the-server", "cli/src/cli.ts", "../../server/src/config.ts", "server/src/config.ts"],
  [
    "nobody-imports-the-server",
    "switch-agent/src/feed.ts",
    "../../server/src/config.ts",
    "server/src/config.ts",
  ],
  [
    "server-knows-the-agent-by-its-front-door",
    "server/src/worker.ts",
    "../../switch-agent/src/plan.ts",
    "switch-agent/src/plan.ts",
  ],
  [
    "server-knows-the-agent-by-its-front-door",
    "server/src/worker.ts",
    "../../sdk/src/index.ts",
    "sdk/src/index.ts",
  ],
  ["agent-stands-alone", "switch-agent/src/feed.ts", "../../sdk/src/index.ts", "sdk/src/index.ts"],
  [
    "system-tests-import-no-program",
    "system-tests/src/calls.test.ts",
    "../../switch-agent/src/plan.ts",
    "switch-agent/src/plan.ts",
  ],
];

test.each(forbidden)("%s: %s may not import %s", async (rule, from, specifier, to) => {
  const importing = (target: string) => `import * as other from "${target}";\nexport const seen = other;\n`;
  const back = rule === "no-cycles" ? importing("./orders.ts") : value;
  using tree = plantTree({
    "package.json": "{}",
    ...(to !== "" && { [to]: back }),
    [from]: importing(specifier),
  });
  linkPackages(tree);
  const faults = await findImportFaults(tree.root);
  expect(faults.filter((fault) => fault.includes(from) && fault.endsWith(`: ${rule}`))).toHaveLength(1);
});

test("allows a rule to import the types of shapes in its feature", async () => {
  using tree = plantTree({
    [`${feature}/orders.schema.ts`]: "export type Order = string;\n",
    [`${feature}/orders.rules.ts`]:
      'import type { Order } from "./orders.schema.ts";\nexport type Kept = Order;\n',
  });
  expect(await findImportFaults(tree.root)).toEqual([]);
});

test("what the design allows is found faultless", async () => {
  const importing = (...targets: string[]) =>
    targets
      .map((target, index) => `import * as other${index} from "${target}";\nvoid other${index};\n`)
      .join("") + value;
  using tree = plantTree({
    "package.json": '{ "dependencies": { "pg": "1.0.0", "pg-boss": "1.0.0" } }',
    "server/src/main.ts": importing("./api.ts", "./worker.ts", "./config.ts"),
    "server/src/api.ts": importing("./numbers/orders/orders.routes.ts"),
    "server/src/worker.ts": importing(
      "./numbers/orders/orders.jobs.ts",
      "../../switch-agent/src/switch-agent.ts",
    ),
    "server/src/config.ts": value,
    "server/src/app.ts": importing("./numbers/carriers/pool/pool.ts", "./platform/db/database.ts"),
    "server/src/numbers/carriers/carrier.ts": value,
    "server/src/numbers/carriers/pool/pool.ts": importing("../carrier.ts", "./pool.store.ts"),
    "server/src/numbers/carriers/pool/pool.store.ts": importing("../../../platform/db/database.ts"),
    [`${feature}/orders.routes.ts`]: importing("./orders.ts", "./orders.schema.ts"),
    [`${feature}/orders.jobs.ts`]: importing("./orders.ts"),
    [`${feature}/orders.ts`]: importing(
      "./orders.store.ts",
      "./orders.rules.ts",
      "../numbers/numbers.ts",
      "../carriers/carrier.ts",
    ),
    [`${feature}/orders.store.ts`]: importing(
      "./orders.rules.ts",
      "../../platform/db/database.ts",
      "node:crypto",
    ),
    [`${feature}/orders.rules.ts`]: value,
    [`${feature}/orders.schema.ts`]: value,
    [`${feature}/orders.test.ts`]: importing("../../../testing/service.ts", "vitest"),
    "server/src/numbers/numbers/numbers.ts": value,
    "server/src/platform/db/database.ts": importing("pg"),
    "server/src/platform/jobs.ts": importing("pg-boss"),
    "server/testing/service.ts": importing("../src/api.ts", "pg"),
    "switch-agent/src/switch-agent.ts": value,
    "demo/src/demo.ts": importing("../../server/src/main.ts"),
    "tools/benchmarks/src/benchmarks.ts": importing("../../../server/testing/service.ts"),
  });
  linkPackages(tree);
  expect(await findImportFaults(tree.root)).toEqual([]);
});

test("finds an import at any position", async () => {
  const file = "server/src/numbers/orders/orders.ts";
  const target = "../numbers/numbers.store.ts";
  for (const code of [
    `export async function load() {\n  await using held = (await import("${target}")).value;\n}\n`,
    `export async function load() {\n  return (await import("${target}")).value;\n}\n`,
    `export * from "${target}";\n`,
    `export { value } from "${target}";\n`,
    `import "${target}";\n`,
  ]) {
    using tree = plantTree({ [file]: code, "server/src/numbers/numbers/numbers.store.ts": value });
    expect(await findImportFaults(tree.root), code).toEqual([
      expect.stringMatching(/: feature-front-door-only$/),
    ]);
  }
});

test("fails on an unreadable file", async () => {
  using tree = plantTree({ "server/src/broken.ts": "const = ;\n", "server/src/whole.ts": value });
  await expect(findImportFaults(tree.root)).rejects.toThrow("server/src/broken.ts");
});

test("an empty repository is a fault", async () => {
  using tree = plantTree({ "README.md": "nothing here\n" });
  expect(await findImportFaults(tree.root)).toEqual(["no source file to check"]);
});
