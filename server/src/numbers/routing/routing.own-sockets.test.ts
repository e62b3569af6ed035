import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";

const OWN = "8.8.8.8";
let service: Service;
let owner: Person;
let number: string;
beforeAll(async () => {
  service = await startService({
    resolver: async (host) => (host === "edge.example.com" ? [OWN] : ["8.8.4.4"]),
  });
  const organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  number = (await seedNumbers(service.app, organisation, "live", 1))[0]!.id;
  const edge = await makeSwitch(service);
  const report = {
    epoch: service.app.feed.epoch(),
    boot: "first",
    agent_version: "test",
    is_complete: false,
    shards: [],
    sockets: [`${OWN}:5060`, `${OWN}:5061`],
  };
  const { status } = await service.send("POST", "/switch/v1/reports", {
    headers: bearer(edge.credential),
    body: report,
  });
  expect(status).toBe(204);
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (method: string, path: string, body: unknown): Promise<Sent> =>
  service.send(method, path, {
    headers: { ...bearer(owner.token), "idempotency-key": newId() },
    body,
  });

describe("a switch of this service", () => {
  test.each([`sip:a@${OWN}`, `sip:a@${OWN}:5060;transport=tcp`, `sips:a@${OWN}`, "sip:a@edge.example.com"])(
    "is not a destination of calls: %s",
    async (uri) => {
      const set = await send("PUT", `/v1/numbers/${number}/routing`, { mode: "sip_uri", sip_uri: uri });
      expect(set).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
      expect(set.body.detail).toContain("is a switch of this service: calls would come back to it.");
    },
  );

  test.each([{ host: OWN }, { host: OWN, transport: "tls" }, { host: "edge.example.com" }])(
    "is not a target of a connection: %s",
    async (target) => {
      const made = await send("POST", "/v1/connections", { name: JSON.stringify(target), targets: [target] });
      expect(made).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
    },
  );

  test.each([`sip:a@${OWN}:5070`, "sip:a@pbx.example.com"])("is not %s", async (uri) => {
    const set = await send("PUT", `/v1/numbers/${number}/routing`, { mode: "sip_uri", sip_uri: uri });
    expect(set.status).toBe(200);
  });
});
