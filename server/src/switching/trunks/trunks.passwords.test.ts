import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Person, Service } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { newId } from "../../platform/ids.ts";
import {
  GATEWAY,
  openTrunkDesk,
  openTrunkService,
  PlayedTrunkSwitch,
  type TrunkDesk,
} from "./testing/trunk-desk.ts";
import { replaceCellRoot } from "./testing/trunk-keys.ts";

const OUT = { name: "out", direction: "out", transport: "udp" };

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

describe("passwords", () => {
  const withGateway = (gateway: object) => [{ ...OUT, gateway }];

  test("are kept, and are needed again for another gateway", async () => {
    await desk.addSwitch();
    const set = await desk.replace(withGateway(GATEWAY));
    const { password_set_at } = set.trunks[0]!.gateway!;
    expect(password_set_at).toEqual(expect.any(String));
    const { password: _, ...kept } = GATEWAY;
    const again = await desk.replace(withGateway({ ...kept, history_info: true }));
    expect(again.trunks[0]!.gateway).toMatchObject({ password_set_at, history_info: true });
    for (const other of [{ host: "203.0.113.66" }, { port: 5080 }, { username: "them" }]) {
      const moved = await put({ revision: again.revision, trunks: withGateway({ ...kept, ...other }) });
      expect(moved.body.errors).toMatchObject([{ pointer: "#/trunks/0/gateway/password", code: "required" }]);
    }
  });

  test("are readable for switches of the group only", async () => {
    const own = new PlayedTrunkSwitch(service, await desk.addSwitch());
    const stranger = new PlayedTrunkSwitch(service, await makeSwitch(service));
    const password = `secret-${newId()}`;
    const { text } = await desk.call("PUT", desk.path, {
      revision: 0,
      trunks: withGateway({ ...GATEWAY, password }),
      forwarding: null,
    });
    await own.apply();
    expect(Object.values(own.passwords)).toEqual([password]);
    expect(await stranger.apply()).toMatchObject({ is_managed: false, trunks: null });
    const revisions = await desk.call("GET", desk.revisionsPath);
    for (const shown of [text, JSON.stringify(await desk.list()), revisions.text])
      expect(shown).not.toContain(password);
    expect(isReadableIn(dumpOf(service.database.url), password)).toBe(false);
  });

  test("change their ID, and return with a restored revision", async () => {
    const own = new PlayedTrunkSwitch(service, await desk.addSwitch());
    await desk.replace(withGateway(GATEWAY));
    await own.apply();
    const before = own.holds.trunks[0]!.found!.gateway!.password_id;
    await desk.replace(withGateway({ ...GATEWAY, password: "battery staple" }));
    await own.apply();
    expect(own.holds.trunks[0]!.found!.gateway!.password_id).not.toBe(before);
    expect(Object.values(own.passwords)).toEqual(["battery staple"]);
    const restored = await desk.call("POST", `${desk.revisionsPath}/restore`, { to: 1, revision: 2 });
    expect(restored.body).toMatchObject({ revision: 3 });
    await own.apply();
    expect(own.passwords).toEqual({ [before!]: "correct horse" });
  });

  test("are sealed again by a new root key, which lets the old one be retired", async () => {
    const opened = await openTrunkService();
    await using other = opened.service;
    const rotated = await openTrunkDesk(other, opened.operator);
    await rotated.replace(withGateway(GATEWAY));
    const { sealedBefore, retire } = await replaceCellRoot(other);
    expect(await sealedBefore()).toBe(1);
    await retire();
    expect(await sealedBefore()).toBe(0);
    const own = new PlayedTrunkSwitch(other, await rotated.addSwitch());
    await own.apply();
    expect(Object.values(own.passwords)).toEqual([GATEWAY.password]);
  });
});
