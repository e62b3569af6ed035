import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer, type Person, type Service } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import {
  ACME,
  GATEWAY,
  NETWORK,
  openTrunkDesk,
  openTrunkService,
  PlayedTrunkSwitch,
  type TrunkDesk,
} from "./testing/trunk-desk.ts";

let service: Service;
let operator: Person;
let desk: TrunkDesk;
let one: PlayedTrunkSwitch;
let other: PlayedTrunkSwitch;
beforeAll(async () => {
  ({ service, operator } = await openTrunkService());
});
beforeEach(async () => {
  desk = await openTrunkDesk(service, operator);
  one = new PlayedTrunkSwitch(service, await desk.addSwitch());
  other = new PlayedTrunkSwitch(service, await desk.addSwitch());
});
afterAll(() => service[Symbol.asyncDispose]());

const BOTH = { ...ACME, name: "both", direction: "both", sources: ["203.0.113.0/28"], gateway: GATEWAY };
const FORWARDING = { gateways: [{ trunk: "both" }], prefixes: ["+49"] };
const statusOf = async (name = "acme") =>
  (await desk.list()).trunks.find((trunk) => trunk.name === name)!.status;
const driftEntries = () =>
  service.database.admin(
    `select detail ->> 'trunk' as trunk, before, after, actor_kind from audit_entries
     where action = 'trunks.drifted' and subject = $1 order by id`,
    [one.of.id],
  );
/** Changes a setting of the trunk on the switch alone. */
const overwrite = (of: PlayedTrunkSwitch, change: object, error = ""): void => {
  const [held, ...rest] = of.holds.trunks;
  of.holds = { ...of.holds, trunks: [{ ...held!, found: { ...held!.found!, ...change }, error }, ...rest] };
};

describe("a switch of a group that is not managed", () => {
  test("keeps its file, and shows its trunks", async () => {
    const value = { ...filled(ACME), gateway: null };
    one.holds.trunks = [{ name: "acme", found: value, error: "" }];
    expect(await one.report()).toEqual({
      is_managed: false,
      etag: null,
      trunks: null,
      forwarding: null,
      passwords: {},
    });
    const { switches } = await desk.list();
    const shown = new Map(switches.map((each) => [each.id, each]));
    expect(shown.get(one.of.id)).toMatchObject({ source: "file", status: null, file_trunks: [value] });
    expect(shown.get(other.of.id)).toMatchObject({ source: null, status: null, file_trunks: [] });
  });
});

describe("a list", () => {
  test("is applied when every switch has read it back", async () => {
    const set = await desk.replace([ACME, BOTH], FORWARDING);
    expect(set).toMatchObject({ status: "pending", trunks: [{ status: "pending" }, { status: "pending" }] });
    expect(await one.apply()).toMatchObject({ trunks: null, passwords: {} });
    expect(await statusOf()).toBe("pending");
    await other.apply();
    const list = await desk.list();
    expect(list).toMatchObject({ status: "applied", forwarding: { status: "applied" } });
    for (const { status, states } of list.trunks) {
      expect(status).toBe("applied");
      expect(states).toHaveLength(2);
    }
    expect(Object.values(one.passwords)).toEqual([GATEWAY.password]);
    expect(list.switches).toMatchObject([{ source: "service" }, { source: "service" }]);
  });

  test("is sent again after a change, with another etag", async () => {
    await desk.replace([ACME]);
    const { etag } = await one.apply();
    await desk.replace([{ ...ACME, max_calls: 5 }]);
    const sent = await one.report();
    expect(sent).toMatchObject({ trunks: [{ name: "acme", max_calls: 5 }] });
    expect(sent.etag).not.toBe(etag);
    await desk.replace([ACME]);
    expect((await one.report()).etag).toBe(etag);
  });

  test("is not applied by a switch that still uses its file, even with the same values", async () => {
    one.holds.trunks = [{ name: "acme", found: { ...filled(ACME), gateway: null }, error: "" }];
    await one.report();
    await desk.replace([ACME]);
    await one.report();
    expect((await desk.list()).trunks[0]!.states.map(({ status }) => status)).toEqual(["pending", "pending"]);
  });

  test("has for each switch only its own trunks, and forwarding to these", async () => {
    await desk.replace([ACME, { ...BOTH, switches: [one.of.id] }], FORWARDING);
    expect(await one.apply()).toMatchObject({ forwarding: { gateways: [{ trunk: "both" }] } });
    const { trunks, forwarding, passwords } = await other.report();
    expect([trunks!.map(({ name }) => name), forwarding, passwords]).toEqual([["acme"], null, {}]);
    await other.apply();
    const list = await desk.list();
    expect(list.status).toBe("applied");
    expect(list.trunks[1]!.states.map(({ switch_id }) => switch_id)).toEqual([one.of.id]);
    expect(list.forwarding!.states).toHaveLength(1);
  });

  test("is the same if a switch returns networks in another form and order", async () => {
    await desk.replace([{ ...ACME, sources: ["203.0.113.7", "198.51.100.5/24"] }]);
    await Promise.all([one.apply(), other.apply()]);
    overwrite(one, { sources: ["198.51.100.0/24", "203.0.113.7/32"] });
    await one.report();
    expect(await statusOf()).toBe("applied");
  });

  test("is seen by switches of the group only", async () => {
    await desk.replace([ACME]);
    const stranger = new PlayedTrunkSwitch(service, await makeSwitch(service));
    stranger.holds.etag = (await one.report()).etag;
    expect(await stranger.report()).toMatchObject({ is_managed: false, trunks: null });
    const asOperator = await service.send("PUT", "/switch/v1/trunks", {
      headers: bearer(operator.token),
      body: one.holds,
    });
    expect(asOperator.status).toBe(401);
  });
});

describe("a difference", () => {
  beforeEach(async () => {
    await desk.replace([ACME]);
    await Promise.all([one.apply(), other.apply()]);
    expect(await statusOf()).toBe("applied");
  });

  test("after the value was applied is drift, with one audit entry until it is applied again", async () => {
    for (const max_calls of [7, 7, 8]) {
      overwrite(one, { max_calls });
      await one.report();
    }
    const { status, trunks } = await desk.list();
    expect(status).toBe("drifted");
    const state = trunks[0]!.states.find(({ switch_id }) => switch_id === one.of.id);
    expect(state).toMatchObject({ status: "drifted", found: { max_calls: 8 }, expected: { max_calls: 0 } });
    expect(await driftEntries()).toMatchObject([
      { trunk: "acme", before: { max_calls: 0 }, after: { max_calls: 7 }, actor_kind: "system" },
    ]);
    overwrite(one, { max_calls: 0 });
    await one.report();
    expect(await statusOf()).toBe("applied");
    overwrite(one, { max_calls: 9 });
    await one.report();
    expect(await driftEntries()).toHaveLength(2);
  });

  test("with an error is a failure", async () => {
    await desk.replace([{ ...ACME, transport: "tls" }]);
    await one.apply();
    overwrite(one, { transport: "udp" }, "The switch has no TLS socket.");
    await one.report();
    const { status, trunks } = await desk.list();
    expect([status, trunks[0]!.status]).toEqual(["failed", "failed"]);
    const state = trunks[0]!.states.find(({ switch_id }) => switch_id === one.of.id);
    expect(state!.error).toBe("The switch has no TLS socket.");
  });

  test("of an earlier list is pending, and no drift", async () => {
    await desk.replace([{ ...ACME, max_calls: 5 }]);
    await one.report();
    expect(await statusOf()).toBe("pending");
    expect(await driftEntries()).toEqual([]);
  });

  test("can be a trunk that is in no list", async () => {
    const found = { ...one.holds.trunks[0]!.found!, name: "intruder", sources: ["192.0.2.0/24"] };
    one.holds = { ...one.holds, trunks: [...one.holds.trunks, { name: "intruder", found, error: "" }] };
    await one.report();
    const list = await desk.list();
    expect(list).toMatchObject({ status: "drifted", trunks: [{ status: "applied" }] });
    const shown = list.switches.find(({ id }) => id === one.of.id);
    expect(shown).toMatchObject({ status: "drifted", unexpected_trunks: [{ name: "intruder" }] });
    expect(await driftEntries()).toMatchObject([{ trunk: "intruder", before: null }]);
  });

  test("is unknown on a switch that has stopped reporting", async () => {
    await service.database.admin(
      "update switch_trunk_reports set observed_at = now() - interval '2 hours' where switch_id = $1",
      [one.of.id],
    );
    expect(await statusOf()).toBe("unknown");
    expect((await desk.list()).status).toBe("unknown");
  });
});

describe("a report without changes", () => {
  test("is stored every 15 seconds at most", async () => {
    await desk.replace([ACME]);
    await one.apply();
    const version = async () => {
      const [row] = await service.database.admin<{ version: string }>(
        "select xmin::text as version from switch_trunk_reports where switch_id = $1",
        [one.of.id],
      );
      return row!.version;
    };
    const before = await version();
    await one.report();
    expect(await version()).toBe(before);
    await service.database.admin(
      "update switch_trunk_reports set observed_at = observed_at - interval '16 seconds' where switch_id = $1",
      [one.of.id],
    );
    const older = await version();
    await one.report();
    expect(await version()).not.toBe(older);
  });
});

test("the overview lists a switch that does not hold its trunks", async () => {
  const problems = async () => {
    const { body } = await desk.call("GET", "/operator/v1/overview");
    return body.problems.filter(
      (problem: { kind: string; subject: { id: string } }) =>
        problem.kind === "switch_trunks" && problem.subject.id === one.of.id,
    );
  };
  await desk.replace([ACME]);
  await one.apply();
  expect(await problems()).toEqual([]);
  overwrite(one, { max_calls: 7 });
  await one.report();
  expect(await problems()).toMatchObject([{ count: 1, error: null, since: expect.any(String) }]);
  overwrite(one, { max_calls: 7 }, "No memory.");
  await one.report();
  expect(await problems()).toMatchObject([{ error: "No memory." }]);

  await desk.replace([{ ...ACME, max_calls: 7, sources: [NETWORK, "203.0.113.1"] }]);
  await one.report();
  expect(await problems()).toEqual([]);
  await service.database.admin(
    "update switch_trunk_reports set since = now() - interval '61 seconds' where switch_id = $1",
    [one.of.id],
  );
  expect(await problems()).toMatchObject([{ count: 1 }]);
});

function filled(trunk: typeof ACME) {
  return {
    ...trunk,
    direction: "in" as const,
    transport: "udp" as const,
    nat: false,
    number_format: { international_prefix: "", national_prefix: "", country_code: "", technical_prefix: "" },
    trusts_identity: false,
    max_calls: 0,
  };
}
