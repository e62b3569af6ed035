import { expect, test } from "vitest";
import { findDocumentFaults } from "./docs.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

test("every path and command that the documents name exists", () => {
  expect(findDocumentFaults(repositoryRoot)).toEqual([]);
});

const repository = {
  "package.json": '{ "scripts": { "dev": "node x" }, "dependencies": { "ipaddr.js": "2.5.0" } }',
  "sdk/package.json": '{ "scripts": { "build": "node x" } }',
  "openapi.json": "{}",
  bootstrap: "",
  "server/src/numbers/orders/orders.ts": "",
  "server/src/platform/db/database.ts": "",
  "docs/glossary.md": "",
};

test.each([
  ["`server/src/gone.ts`", "server/src/gone.ts"],
  ["`server/gone/`", "server/gone/"],
  ["`gone/`", "gone/"],
  ["`./gone`", "./gone"],
  ["`gone.store.ts`", "gone.store.ts"],
  ["`platform/db/gone.ts`", "platform/db/gone.ts"],
  ["`server/src/numbers/<noun>/<noun>.gone.ts`", "<noun>.gone.ts"],
  ["`docs/*.rst`", "docs/*.rst"],
  ["[guide](docs/gone.md)", "docs/gone.md"],
  ["[guide](docs/gone.md#part)", "docs/gone.md"],
  ["[guide]: docs/gone.md", "docs/gone.md"],
  ["Run `npm run gone`.", "npm run gone"],
  ["```sh\nnpm run gone\n```", "npm run gone"],
])("%s is found dead", (text, dead) => {
  using tree = plantTree({ ...repository, "README.md": `# Title\n\n${text}\n` });
  expect(findDocumentFaults(tree.root)).toEqual([expect.stringMatching(/^README\.md:[34]: /)]);
  expect(findDocumentFaults(tree.root)[0]).toContain(dead);
});

test("a link is followed from the folder of its document", () => {
  using tree = plantTree({ ...repository, "docs/guide.md": "[words](glossary.md), [start](../README.md)\n" });
  expect(findDocumentFaults(tree.root)).toEqual([
    "docs/guide.md:1: link to ../README.md, which does not exist",
  ]);
});

test("ignores existing paths and text that is not a path", () => {
  const text = [
    "`server/src/numbers/orders/orders.ts`, `server/`, `orders.ts`, `platform/db/`, `./bootstrap`, `openapi.json`",
    "`server/src/numbers/<noun>/<noun>.ts`, `docs/*.md`, `server/src/numbers/orders/orders.ts:12`",
    "`GET /v1/numbers`, `/v1/numbers/orders`, `application/json`, `@dialplane/sdk`, `node_modules/.bin/`, `and/or`, `.ts`, `ipaddr.js`",
    "[words](docs/glossary.md#shard), [site](https://example.com/gone.md), [above](#title)",
    "`npm run dev`, `npm run build -w sdk`, `npm run …`",
    "```\nserver/gone.ts\n[x](gone.md)\n```",
  ].join("\n\n");
  using tree = plantTree({ ...repository, "README.md": text });
  expect(findDocumentFaults(tree.root)).toEqual([]);
});

test("a repository without documents is a fault", () => {
  using tree = plantTree({ "package.json": "{}" });
  expect(findDocumentFaults(tree.root)).toEqual(["no document to check"]);
});
