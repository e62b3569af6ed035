import { expect, test } from "vitest";
import { findMissingMethods } from "./client-methods.ts";
import { plantTree } from "./planted-tree.ts";
import { repositoryRoot } from "./repository-files.ts";

const ofOperator = '{"paths":{"/operator/v1/switches":{"get":{"operationId":"listSwitches"}}}}';
const contract = JSON.stringify({
  paths: {
    "/v1/numbers": {
      parameters: [],
      get: { operationId: "listNumbers" },
      post: { operationId: "addNumber" },
    },
  },
});

test("every operation of the contract is a method of the SDK", () => {
  expect(findMissingMethods(repositoryRoot)).toEqual([]);
});

test("an operation without a method is found", () => {
  using tree = plantTree({
    "openapi.json": contract,
    "openapi.operator.json": ofOperator,
    "sdk/src/numbers.client.ts": 'export const list = (api) => api.list("listNumbers");\n',
  });
  expect(findMissingMethods(tree.root)).toEqual([
    expect.stringMatching(/^addNumber: /),
    expect.stringMatching(/^listSwitches: /),
  ]);
});

test("an SDK without clients, and a contract without operations, are faults", () => {
  using without = plantTree({ "openapi.json": contract });
  expect(findMissingMethods(without.root)).toEqual(["sdk/src: no client to check"]);
  using empty = plantTree({
    "openapi.json": '{"paths":{}}',
    "openapi.operator.json": '{"paths":{}}',
    "sdk/src/numbers.client.ts": "export {};\n",
  });
  expect(findMissingMethods(empty.root)).toEqual([
    "openapi.json: no operation to check",
    "openapi.operator.json: no operation to check",
  ]);
});
