import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../operations.ts";
import { rowChecksums } from "../row-checksums.ts";
import { answerFaults } from "./answer-faults.ts";
import { STRANGERS } from "./caller-classes.ts";
import { foreignAttempts, foreignIdFaults, hasPathIds, strongestCaller } from "./foreign-ids.ts";
import { prepare, refusalFaults, type Served, sendAs, servedBy } from "./isolation-matrix.ts";
import { leakFaults, rowsOf } from "./leaks.ts";
import { holderOf, type Neighbours, openNeighbours } from "./neighbours.ts";
import { FIXTURES } from "./request-fixtures.ts";

let neighbours: Neighbours;
let served: Served;

beforeAll(async () => {
  neighbours = await openNeighbours();
  served = servedBy(neighbours, neighbours.service.url, FIXTURES);
  for (const one of STRANGERS) await served.refused(one);
  const { admin } = neighbours.service.database;
  const tables = await admin<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and rowsecurity",
  );
  for (const { name } of tables) await admin(`alter table ${name} disable row level security`);
});
afterAll(() => neighbours[Symbol.asyncDispose]());

test("AZ-10 no table has row level security here", async () => {
  const guarded = "select tablename from pg_tables where schemaname = 'public' and rowsecurity";
  expect(await neighbours.service.database.admin(guarded)).toEqual([]);
});

test.each(OPERATIONS.filter(({ access }) => access.callers === "organisation"))(
  "AZ-10 predicates alone: $id refuses every stranger and changes nothing",
  async (operation) => {
    const request = await prepare(served, operation, holderOf(neighbours.home));
    const before = await rowChecksums(neighbours.service.database);

    expect(await refusalFaults(served, operation, request, STRANGERS)).toEqual([]);

    expect(await rowChecksums(neighbours.service.database)).toEqual(before);
  },
);

test.each(OPERATIONS.filter(hasPathIds))(
  "AZ-10 predicates alone: $id answers a foreign identifier like a random one, and changes no row",
  async (operation) => {
    const { caller, attempts } = await foreignAttempts(served, operation);
    const before = await rowChecksums(neighbours.service.database);

    expect(await foreignIdFaults(served, operation, caller, attempts)).toEqual([]);

    expect(await rowChecksums(neighbours.service.database)).toEqual(before);
  },
);

test("AZ-10 predicates alone: nothing anybody reads is of the organisation next door", async () => {
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
