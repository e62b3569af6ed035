import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations.ts";
import { rowChecksums } from "../row-checksums.ts";
import { answerFaults } from "./answer-faults.ts";
import { foreignAttempts, foreignIdFaults, hasPathIds, strongestCaller } from "./foreign-ids.ts";
import { prepare, type Served, sendAs, servedBy } from "./isolation-matrix.ts";
import { leakFaults, rowsOf } from "./leaks.ts";
import { type Neighbours, openNeighbours } from "./neighbours.ts";
import { guardedTables, switchPoliciesOff } from "./policies-off.ts";
import { FIXTURES } from "./request-fixtures.ts";

let neighbours: Neighbours;
let served: Served;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
  await switchPoliciesOff(neighbours.service.database);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

test("AZ-10 no table has row level security here", async () => {
  expect(await guardedTables(neighbours.service.database)).toEqual([]);
});

test.each(OPERATIONS.filter(hasPathIds))(
  "AZ-10 predicates alone: $id answers a foreign identifier like a random one, and changes no row",
  async (operation) => {
    const { caller, attempts } = await foreignAttempts(served, operation);
    const before = await rowChecksums(neighbours.service.database);

    expect(await foreignIdFaults(served, operation, caller, attempts)).toEqual([]);

    expect(await rowChecksums(neighbours.service.database)).toEqual(before);
  },
);

test("AZ-10 predicates alone: returns nothing of another organisation", async () => {
  expect(await leakFaults(served)).toEqual([]);
});

test("AZ-10 predicates alone: what one organisation does changes no row of the other", async () => {
  const theirs = () => rowsOf(neighbours.service, neighbours.other);
  const before = await theirs();

  for (const operation of OPERATIONS.filter(({ access }) => access.callers === "organisation")) {
    const caller = await strongestCaller(served, operation);
    const answer = await sendAs(served, caller, await prepare(served, operation, caller.holder));
    expect(answerFaults(operation, answer)).toEqual([]);
  }

  expect(await theirs()).toBe(before);
});
