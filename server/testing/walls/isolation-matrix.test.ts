import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../src/operations.ts";
import { rowChecksums } from "../row-checksums.ts";
import { admissionFaults, prepare, refusalFaults, type Served, servedBy } from "./isolation-matrix.ts";
import { holderOf, type Neighbours, openNeighbours } from "./neighbours.ts";
import { guardedTables, switchPoliciesOff } from "./policies-off.ts";
import { PROBE_FIXTURES, PROBES, serveProbes } from "./probe-operations.ts";
import { fixtureFaults, FIXTURES, type PreparedRequest } from "./request-fixtures.ts";
import { CALLER_CLASSES } from "./caller-classes.ts";

describe("AZ-01 the matrix is complete", () => {
  test("every operation has a row of fixtures", () => {
    expect(fixtureFaults(OPERATIONS, FIXTURES)).toEqual([]);
    expect(fixtureFaults(PROBES, PROBE_FIXTURES)).toEqual([]);
  });

  test("an operation without a row, without what its path names or without a body is noticed, and a row without an operation", () => {
    const { getMe: _, ...incomplete } = FIXTURES;

    expect(fixtureFaults(OPERATIONS, { ...incomplete, changeRole: {}, takeOver: {} })).toEqual([
      "getMe: no fixture",
      "changeRole: no fixture for what the path names",
      "changeRole: no fixture for the body",
      "takeOver: a fixture, but no operation",
    ]);
  });
});

describe.each([
  { walls: "behind both walls", isGuarded: true },
  { walls: "with row level security switched off on every table", isGuarded: false },
])("$walls", ({ isGuarded }) => {
  let neighbours: Neighbours;
  let served: Served;
  let probes: Served;
  let probeServer: Awaited<ReturnType<typeof serveProbes>>;

  beforeAll(async () => {
    neighbours = await openNeighbours();
    if (!isGuarded) await switchPoliciesOff(neighbours.service.database);
    served = servedBy(neighbours, neighbours.service.url, FIXTURES);
    probeServer = await serveProbes(neighbours.service);
    probes = { ...served, url: probeServer.url, fixtures: PROBE_FIXTURES };
    for (const one of CALLER_CLASSES) await served.refused(one);
  });
  afterAll(async () => {
    await probeServer[Symbol.asyncDispose]();
    await neighbours[Symbol.asyncDispose]();
  });

  test("the tables are guarded as this run supposes", async () => {
    expect((await guardedTables(neighbours.service.database)).length > 0).toBe(isGuarded);
  });

  describe.each([
    ["operation", OPERATIONS, () => served],
    ["declaration", PROBES, () => probes],
  ] as const)("every %s", (_, operations, of) => {
    describe("refuses", () => {
      const requests = new Map<string, PreparedRequest>();
      let before: Record<string, string>;

      beforeAll(async () => {
        for (const one of operations)
          requests.set(one.id, await prepare(of(), one, holderOf(neighbours.home)));
        before = await rowChecksums(neighbours.service.database);
      });

      test.each(operations)(
        "AZ-01 $id rejects every caller outside its declaration, for that reason",
        async (operation) => {
          // The service rejects callers before it queries rows, so without policies one of each kind is enough.
          const request = requests.get(operation.id)!;
          expect(await refusalFaults(of(), operation, request, { isOnePerVerdict: !isGuarded })).toEqual([]);
        },
      );

      test("AZ-01 and not one of these requests has changed a row", async () => {
        expect(await rowChecksums(neighbours.service.database)).toEqual(before);
      });
    });

    test.each(operations)(
      "AZ-03 $id serves every role and scope its declaration admits, AZ-05 in the shape declared",
      async (operation) => {
        // Roles and scopes are checked before the database, so without its policies one caller of each kind is enough.
        expect(await admissionFaults(of(), operation, { isOnePerKind: !isGuarded })).toEqual([]);
      },
    );
  });
});
