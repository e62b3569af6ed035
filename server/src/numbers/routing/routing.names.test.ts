import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openNames } from "../../platform/egress-names.ts";
import { readEgress } from "../../platform/egress-rules.ts";
import type { Resolver } from "../../platform/egress.ts";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService, until } from "../../../testing/service.ts";

const ADDRESSES: Record<string, string[]> = {
  "public.example.com": ["192.0.3.1"],
  "inside.example.com": ["192.0.3.1", "10.0.0.1"],
  "opened.example.com": ["10.1.0.1"],
};
const resolver: Resolver = async (host) => ADDRESSES[host] ?? [];

let service: Service;
let owner: Person;
let organisation: string;
beforeAll(async () => {
  service = await startService({ resolver, settings: { EGRESS_ALLOW: "10.1.0.0/16:5060-5090" } });
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (method: string, path: string, body: unknown): Promise<Sent> =>
  service.send(method, path, {
    headers: { ...bearer(owner.token), "idempotency-key": randomUUID() },
    body,
  });

async function newNumber(): Promise<string> {
  const [number] = await seedNumbers(service.app, organisation, "live", 1);
  return number!.id;
}

const sip = (host: string): object => ({ mode: "sip_uri", sip_uri: `sip:calls@${host}` });
const set = async (routing: object): Promise<Sent> =>
  send("PUT", `/v1/numbers/${await newNumber()}/routing`, routing);
const connect = (host: string): Promise<Sent> =>
  send("POST", "/v1/connections", {
    name: randomUUID(),
    targets: [{ host: "public.example.com" }, { host }],
  });

/** Every way to say where calls shall go. */
const WAYS: [way: string, go: (host: string) => Promise<Sent>][] = [
  ["a SIP URI", (host) => set(sip(host))],
  ["a webhook", (host) => set({ mode: "webhook", webhook_url: `https://${host}/calls` })],
  [
    "a webhook's fallback",
    (host) => set({ mode: "webhook", webhook_url: "https://public.example.com/calls", fallback: sip(host) }),
  ],
  ["a connection's target", connect],
  [
    "a connection's new target",
    async (host) => {
      const { body } = await connect("public.example.com");
      return send("PATCH", `/v1/connections/${body.id}`, { targets: [{ host }] });
    },
  ],
  [
    "a bulk change",
    async (host) =>
      send("POST", "/v1/numbers/bulk", {
        select: { ids: [await newNumber()] },
        change: { routing: sip(host) },
      }),
  ],
];

describe.each(WAYS)("SS-01 %s", (_, go) => {
  test("rejects a public name that resolves to a private address, without showing the address", async () => {
    const refused = await go("inside.example.com");

    expect(refused).toMatchObject({ status: 422, body: { code: "destination_not_allowed" } });
    expect(refused.body.detail).toMatch(
      /^(Fallback 1: )?inside\.example\.com resolves to an address that is not allowed\.$/,
    );
  });

  test("whose name is public, or has no address yet, is taken", async () => {
    for (const host of ["public.example.com", "srv-only.example.com"])
      expect((await go(host)).status).toBeLessThan(300);
  });
});

test("the operator's openings hold for what a name leads to", async () => {
  expect((await set(sip("opened.example.com:5070"))).status).toBe(200);
  expect((await set(sip("opened.example.com:6000"))).body.code).toBe("destination_not_allowed");
});

test("rejects a rollback to a name that now resolves to a private address", async () => {
  const id = await newNumber();
  const path = `/v1/numbers/${id}/routing`;
  ADDRESSES["moves.example.com"] = ["192.0.3.1"];
  await send("PUT", path, sip("moves.example.com"));
  await send("PUT", path, { mode: "unrouted" });
  ADDRESSES["moves.example.com"] = ["10.0.0.1"];
  service.clock.advance(10_000);

  expect(await send("POST", `${path}/rollback`, { generation: 2 })).toMatchObject({
    status: 422,
    body: { code: "destination_not_allowed" },
  });
});

test("while a nameserver is silent, no transaction waits for it: more can ask than there are connections", async () => {
  const { promise: silence, resolve: speak } = Promise.withResolvers<string[]>();
  let [asked, answered] = [0, 0];
  await using silent = await startService({
    settings: { DATABASE_CONNECTIONS: "2" },
    resolver: () => {
      asked++;
      return silence;
    },
  });
  const org = await silent.organisation();
  const { token } = await silent.person({ [org]: "owner" });
  const created = Array.from({ length: 8 }, async (_, at) => {
    const { status } = await silent.send("POST", "/v1/connections", {
      headers: bearer(token),
      body: { name: `c${at}`, targets: [{ host: `${at}.example.com` }] },
    });
    answered++;
    return status;
  });

  await until(() => asked === 8 || answered > 0);

  expect([asked, answered]).toEqual([8, 0]);
  speak([]);
  expect(new Set(await Promise.all(created))).toEqual(new Set([201]));
});

describe("a look-up", () => {
  let now = 0;
  let asked = 0;
  const counting = (answer: Resolver) =>
    openNames({
      clock: { now: () => new Date(now) },
      egress: readEgress(""),
      resolver: (host) => {
        asked++;
        return answer(host);
      },
    });

  test("of the same name is one question in ten seconds, however many ask", async () => {
    const names = counting(resolver);
    const ask = (): Promise<(string | undefined)[]> =>
      Promise.all(Array.from({ length: 50 }, () => names.faultOf("inside.example.com", 5060)));

    expect(new Set(await ask())).toEqual(
      new Set(["inside.example.com resolves to an address that is not allowed."]),
    );
    await ask();
    expect(asked).toBe(1);
    now += 10_000;
    await ask();
    expect(asked).toBe(2);
  });

  test("accepts the name if the look-up fails or times out", async () => {
    const failing = counting(() => Promise.reject(new Error("SERVFAIL")));
    const endless = counting(() => new Promise(() => {}));

    expect(await failing.faultOf("public.example.com", undefined)).toBeUndefined();
    expect(await endless.faultOf("public.example.com", undefined)).toBeUndefined();
  });
});
