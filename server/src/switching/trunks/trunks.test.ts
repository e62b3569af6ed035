import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bearer, type Person, type Service } from "../../../testing/service.ts";
import { newId } from "../../platform/ids.ts";
import { ACME, NETWORK, openTrunkDesk, openTrunkService, type TrunkDesk } from "./testing/trunk-desk.ts";

let service: Service;
let operator: Person;
let desk: TrunkDesk;
beforeAll(async () => {
  ({ service, operator } = await openTrunkService());
});
beforeEach(async () => {
  desk = await openTrunkDesk(service, operator);
});
afterAll(() => service[Symbol.asyncDispose]());

const put = (body: object) => desk.call("PUT", desk.path, { forwarding: null, ...body });
const setAcme = (body: object) => desk.call("PUT", `${desk.path}/acme`, body);
const ownAudit = () =>
  service.database.admin<{ detail: Record<string, unknown>; before: unknown; after: unknown }>(
    "select detail, before, after from audit_entries where action = 'trunks.changed' and subject = $1 order by id",
    [desk.groupId],
  );

const manySources = (first: number): string[] =>
  Array.from({ length: 750 }, (_, at) => `${first}.0.${at >> 8}.${at & 255}`);

describe("opening a network", () => {
  test("needs its confirmation, and changes nothing without", async () => {
    const rejected = await put({ revision: 0, trunks: [ACME] });
    expect(rejected).toMatchObject({
      status: 422,
      body: { code: "networks_not_confirmed", networks: [NETWORK] },
    });
    expect(await desk.list()).toMatchObject({ revision: 0, is_managed: false, status: null, trunks: [] });
    expect(await ownAudit()).toEqual([]);

    const other = await put({ revision: 0, trunks: [ACME], confirmed_networks: ["198.51.100.0/25"] });
    expect(other.body.code).toBe("networks_not_confirmed");
    const more = await put({ revision: 0, trunks: [ACME], confirmed_networks: [NETWORK, "203.0.113.7"] });
    expect(more.body.code).toBe("networks_not_confirmed");

    const confirmed = await put({ revision: 0, trunks: [ACME], confirmed_networks: [NETWORK] });
    expect(confirmed).toMatchObject({ status: 200, body: { revision: 1, is_managed: true } });
    expect(await ownAudit()).toMatchObject([
      {
        detail: { revision: 1, opened_networks: [NETWORK] },
        before: { trunks: { acme: null } },
        after: { trunks: { acme: { sources: [NETWORK], transport: "udp" } } },
      },
    ]);
  });

  test("needs none for fewer networks, and one for each that is added", async () => {
    await desk.replace([ACME]);
    const { name: _, ...acme } = ACME;
    expect(await setAcme({ trunk: { ...acme, sources: ["198.51.100.0/25"] } })).toMatchObject({
      status: 200,
    });
    const wider = { ...acme, sources: ["198.51.100.0/25", "203.0.113.7"] };
    expect((await setAcme({ trunk: wider })).body.networks).toEqual(["203.0.113.7"]);
    expect((await setAcme({ trunk: wider, confirmed_networks: ["203.0.113.7/32"] })).status).toBe(200);
  });

  test("needs a session with a second factor", async () => {
    await using strict = (await openTrunkService({ OPERATOR_SECOND_FACTOR: "required" })).service;
    const { token, userId } = await strict.person();
    await strict.database.admin("update users set is_operator = true where id = $1", [userId]);
    const [group] = await strict.database.admin<{ id: string }>(
      "select id from switch_groups where environment = 'live'",
    );
    const send = () =>
      strict.send("PUT", `/operator/v1/switch-groups/${group!.id}/trunks`, {
        headers: bearer(token),
        body: { revision: 0, trunks: [ACME], forwarding: null, confirmed_networks: [NETWORK] },
      });
    expect(await send()).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
    await strict.database.admin("update sessions set has_second_factor = true where user_id = $1", [userId]);
    expect((await send()).status).toBe(200);
  });
});

describe("changes", () => {
  test("of an outdated revision are rejected, and one of two concurrent ones is stored", async () => {
    await desk.replace([ACME]);
    const outdated = await put({ revision: 0, trunks: [] });
    expect(outdated).toMatchObject({ status: 409, body: { code: "trunks_changed", revision: 1 } });
    const both = await Promise.all(
      [100, 200].map((max_calls) => put({ revision: 1, trunks: [{ ...ACME, max_calls }] })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("without effect store no revision", async () => {
    const { revision } = await desk.replace([ACME]);
    expect((await put({ revision, trunks: [ACME] })).body.revision).toBe(revision);
    expect(await ownAudit()).toHaveLength(1);
  });

  test("of one trunk keep the others, and a deleted one is gone", async () => {
    await desk.replace([ACME]);
    const { name: _, ...beta } = { ...ACME, sources: ["203.0.113.0/28"] };
    const added = await desk.call("PUT", `${desk.path}/beta`, {
      trunk: beta,
      confirmed_networks: beta.sources,
    });
    expect(added.body.trunks).toMatchObject([{ name: "acme" }, { name: "beta", nat: false, max_calls: 0 }]);
    expect((await desk.call("DELETE", `${desk.path}/acme?revision=1`)).body.code).toBe("trunks_changed");
    const deleted = await desk.call("DELETE", `${desk.path}/acme?revision=2`);
    expect(deleted.body.trunks).toMatchObject([{ name: "beta" }]);
    expect((await desk.call("DELETE", `${desk.path}/acme`)).body.code).toBe("trunk_not_found");
  });

  test("are rejected while a switch cannot set trunks, unless it is retired", async () => {
    const old = await desk.addSwitch();
    await service.database.admin("update switches set boot = 'b', features = '{failover}' where id = $1", [
      old.id,
    ]);
    const change = () => put({ revision: 0, trunks: [ACME], confirmed_networks: [NETWORK] });
    expect(await change()).toMatchObject({ status: 409, body: { code: "switches_outdated" } });
    await service.database.admin("update switches set state = 'retired' where id = $1", [old.id]);
    expect((await change()).status).toBe(200);
  });

  test("are possible in groups of the live environment only", async () => {
    const [group] = await service.database.admin<{ id: string }>(
      "select id from switch_groups where environment = 'test'",
    );
    for (const id of [group!.id, newId()])
      expect((await desk.call("GET", `/operator/v1/switch-groups/${id}/trunks`)).body.code).toBe(
        "switch_group_not_found",
      );
  });
});

const OUT = { name: "out", direction: "out", transport: "udp", gateway: { host: "203.0.113.9" } };
const FORWARDING = { gateways: [{ trunk: "out" }], prefixes: ["+49"] };

describe("a list is rejected", () => {
  test.each<[string, object, string]>([
    ["with two trunks of one name", { trunks: [OUT, OUT] }, "#/trunks/1/name"],
    ["without sources of calls", { trunks: [{ ...ACME, sources: [] }] }, "#/trunks/0/sources"],
    ["without a gateway for calls", { trunks: [{ ...ACME, direction: "both" }] }, "#/trunks/0/gateway"],
    [
      "with a source of two trunks",
      { trunks: [ACME, { ...ACME, name: "b", sources: ["10.0.0.1", "198.51.100.7"] }] },
      "#/trunks/1/sources/1",
    ],
    [
      "with a source that contains another trunk's",
      {
        trunks: [
          { ...ACME, sources: ["198.51.100.7"] },
          { ...ACME, name: "b" },
        ],
      },
      "#/trunks/1/sources/0",
    ],
    [
      "with a user name and no password",
      { trunks: [{ ...OUT, gateway: { host: "203.0.113.9", username: "us" } }] },
      "#/trunks/0/gateway/password",
    ],
    [
      "with a password and no user name",
      { trunks: [{ ...OUT, gateway: { host: "203.0.113.9", password: "secret" } }] },
      "#/trunks/0/gateway/password",
    ],
    ["with an IPv6 source", { trunks: [{ ...ACME, sources: ["2001:db8::/32"] }] }, "#/trunks/0/sources/0"],
    [
      "with more sources than a switch can hold",
      {
        trunks: [
          ACME,
          { ...ACME, name: "b", sources: manySources(10) },
          { ...ACME, name: "c", sources: manySources(11) },
        ],
      },
      "#/trunks/1/sources",
    ],
    [
      "with a name as host",
      { trunks: [{ ...OUT, gateway: { host: "sip.example" } }] },
      "#/trunks/0/gateway/host",
    ],
    [
      "with a switch of another group",
      { trunks: [{ ...OUT, switches: [newId()] }] },
      "#/trunks/0/switches/0",
    ],
    [
      "with a gateway that takes no calls",
      { trunks: [ACME], forwarding: { ...FORWARDING, gateways: [{ trunk: "acme" }] } },
      "#/forwarding/gateways/0/trunk",
    ],
    [
      "with a gateway twice",
      { trunks: [OUT], forwarding: { ...FORWARDING, gateways: [{ trunk: "out" }, { trunk: "out" }] } },
      "#/forwarding/gateways/1/trunk",
    ],
    [
      "without a gateway in forwarding",
      { trunks: [OUT], forwarding: { ...FORWARDING, gateways: [] } },
      "#/forwarding/gateways",
    ],
  ])("%s", async (_, body, pointer) => {
    expect(await put({ revision: 0, ...body })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ pointer }] },
    });
  });

  test("only if both trunks can be on one switch", async () => {
    const [one, other] = [await desk.addSwitch(), await desk.addSwitch()];
    const trunks = [
      { ...ACME, switches: [one.id] },
      { ...ACME, name: "beta", switches: [other.id] },
    ];
    expect((await desk.replace(trunks)).trunks).toHaveLength(2);
  });

  test("if forwarding uses a trunk that no longer takes calls", async () => {
    await desk.replace([OUT], FORWARDING);
    const trunk = { direction: "in", sources: [NETWORK], transport: "udp" };
    const changed = await desk.call("PUT", `${desk.path}/out`, { trunk });
    expect(changed.body.errors).toMatchObject([{ pointer: "#/trunk/direction" }]);
    expect((await desk.call("DELETE", `${desk.path}/out`)).body.code).toBe("trunk_in_use");
  });
});

describe("revisions", () => {
  test("are listed newest first, with their author", async () => {
    await desk.replace([ACME]);
    await desk.replace([]);
    const { body } = await desk.call("GET", desk.revisionsPath);
    expect(body.data).toMatchObject([
      { revision: 2, trunks: [], opened_networks: [], actor: { id: operator.userId } },
      { revision: 1, trunks: [{ name: "acme" }], opened_networks: [NETWORK], restored_from: null },
    ]);
  });

  test("are restored like other changes: networks that they open are confirmed again", async () => {
    await desk.replace([ACME]);
    await desk.replace([]);
    const restore = (body: object) =>
      desk.call("POST", `${desk.revisionsPath}/restore`, { to: 1, revision: 2, ...body });
    expect((await restore({})).body.networks).toEqual([NETWORK]);
    const restored = await restore({ confirmed_networks: [NETWORK] });
    expect(restored.body).toMatchObject({ revision: 3, trunks: [{ name: "acme" }] });
    expect((await ownAudit()).at(-1)!.detail).toMatchObject({ restored_from: 1, opened_networks: [NETWORK] });
    const unknown = await restore({ to: 9, revision: 3 });
    expect(unknown.body.code).toBe("trunk_revision_not_found");
  });

  test("are deleted after 200 more", async () => {
    await desk.replace([ACME]);
    await service.database.admin(
      `insert into trunk_revisions (switch_group_id, revision, document, opened_networks, created_at)
       select switch_group_id, n, document, '{}', now() from trunk_revisions, generate_series(2, 205) n
       where switch_group_id = $1`,
      [desk.groupId],
    );
    await desk.replace([{ ...ACME, max_calls: 5 }]);
    const rows = await service.database.admin(
      "select min(revision) as first, count(*)::integer as count from trunk_revisions where switch_group_id = $1",
      [desk.groupId],
    );
    expect(rows).toEqual([{ first: 7, count: 200 }]);
  });
});
