import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startTwoEdges, type TwoEdges } from "./service/two-edges.ts";
import { uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, openPhone, type Phone, type Reply } from "./sip/phone.ts";
import { placeCall } from "./sip/sip-call.ts";
import type { Peer } from "./sip/sip-transport.ts";
import { until } from "./sip/until.ts";

/** Probe calls through two real switches. A phone is the carrier: it takes a probe at the gateway and delivers it. */

const CALLER = "+4930555000111";
const SETUP_MS = 400_000;
const PATIENCE_MS = 120_000;
const LONG_MS = 600_000;

interface Link {
  link: string;
  name: string | null;
  status: string;
  detail: string;
  expected: string | null;
  found: string | null;
}
interface Probe {
  id: string;
  status: string;
  summary: string;
  links: Link[];
}

let all: TwoEdges;
let callee: Phone;
let stranger: Phone;
/** Switch and phone of the carrier's deliveries. Undefined if it delivers no calls. */
let delivery: { from: Phone; to: Peer; before?(): Promise<unknown> } | undefined;
/** Replies of another party to the carrier's call. */
let elsewhere: Reply[] | undefined;
const running = new AsyncDisposableStack();
beforeAll(async () => {
  all = running.use(await startTwoEdges(6));
  callee = running.use(await openPhone(newAddress()));
  stranger = running.use(await openPhone(newAddress()));
  await all.service.operator("grant", "owner@northwind.example");
  const { asPerson, organisationId } = all.customer;
  await asPerson("PUT", `/operator/v1/organisations/${organisationId}/probes`, { probes_per_day: 100 });
  const groups = await asPerson<{ data: { id: string; name: string }[] }>(
    "GET",
    "/operator/v1/switch-groups",
  );
  const { id } = groups.data.find(({ name }) => name === "default")!;
  await asPerson("PUT", `/operator/v1/switch-groups/${id}/probe-caller`, { trunk: "gate", caller: CALLER });
  all.gateway.behave((request) => {
    if (request.method !== "INVITE") return [{ status: "200 OK" }];
    const called = /^INVITE sip:(\+\d+)@/.exec(request.startLine)![1]!;
    if (delivery) deliveries.push(Promise.allSettled([deliver(called, delivery)]));
    return elsewhere ?? [{ status: "404 Not Found", afterMs: delivery ? 500 : 0 }];
  });
  for (const number of all.numbers)
    await all.customer.route(number, { mode: "sip_uri", sip_uri: uriOf(callee) });
}, SETUP_MS);
/** Calls of the carrier. A probe can end before its call does, and the call needs its phone until then. */
const deliveries: Promise<unknown>[] = [];
afterAll(async () => {
  await Promise.all(deliveries);
  await running.disposeAsync();
}, SETUP_MS);
async function deliver(called: string, { from, to, before }: NonNullable<typeof delivery>): Promise<void> {
  await before?.();
  await placeCall(from, to, called, { from: CALLER });
}
beforeEach(() => {
  elsewhere = undefined;
  delivery = { from: all.caller, to: all.edges[0].kamailio.at };
});

async function probe(place: number, body: object): Promise<Probe> {
  const number = encodeURIComponent(all.numbers[place]!);
  const placed = await all.customer.asPerson<Probe>("POST", `/v1/numbers/${number}/probes`, body);
  return until(
    "the end of the probe",
    async () => {
      const seen = await all.customer.asPerson<Probe>("GET", `/v1/probes/${placed.id}`);
      return seen.status === "running" ? undefined : seen;
    },
    PATIENCE_MS,
  );
}
const throughCarrier = (place: number): Promise<Probe> => probe(place, { via: "carrier" });
const brokenIn = ({ links }: Probe): Link[] => links.filter(({ status }) => status === "broken");

test(
  "proves a good chain, with and without the carrier, and no phone rings",
  async () => {
    const carried = await throughCarrier(0);
    expect(carried).toMatchObject({ status: "proved", links: [{ link: "carrier" }, { name: "edge-1" }, {}] });
    const { address, port } = callee.transport;
    expect(carried.summary).toMatch(new RegExp(`^carrier → edge-1 → ${address}:${port}, 200 after \\d+ ms$`));
    const own = await probe(0, {});
    expect(own).toMatchObject({ status: "proved" });
    expect(own.links.map(({ link, name }) => (link === "switch" ? name : link))).toEqual([
      "edge-1",
      "destination",
      "edge-2",
      "destination",
    ]);
    expect(callee.requests("INVITE")).toEqual([]);
    expect(callee.requests("OPTIONS").length).toBeGreaterThan(0);
  },
  LONG_MS,
);

test(
  "names the carrier that delivers a number elsewhere",
  async () => {
    delivery = undefined;
    const lost = await throughCarrier(1);
    expect(lost.summary).toBe("carrier gate: No switch received the call. It got status 404.");
    // Another party takes the call: the probe hangs up.
    elsewhere = [{ status: "200 OK" }];
    expect((await throughCarrier(1)).summary).toContain("It got status 200.");
    expect(all.gateway.requests("BYE")).toHaveLength(1);
    elsewhere = [{ status: "180 Ringing" }];
    expect((await throughCarrier(1)).summary).toContain("It got no final response after ringing.");
    expect(all.gateway.requests("CANCEL").length).toBeGreaterThan(0);
  },
  LONG_MS,
);

test(
  "names a route that was changed on a switch, with both values",
  async () => {
    const number = all.numbers[2]!;
    const { rpc } = all.edges[0].kamailio;
    const row = JSON.stringify(await rpc("htable.get", ["rt", number]));
    const held = /"value":\s*"([^"]+)"/.exec(row)![1]!;
    const other = held.replace(uriOf(callee), "sip:old@192.0.2.7:5060");
    // The agent repairs it within ten seconds.
    delivery = { ...delivery!, before: () => rpc("htable.sets", ["rt", number, other]) };
    const drifted = await throughCarrier(2);
    expect(brokenIn(drifted)).toMatchObject([
      {
        link: "switch",
        name: "edge-1",
        detail: "The switch holds another route than it should.",
        expected: expect.stringContaining(uriOf(callee)),
        found: expect.stringContaining("sip:old@192.0.2.7:5060"),
      },
    ]);
  },
  LONG_MS,
);

test(
  "names a target that does not respond, and one that takes no calls",
  async () => {
    const away = await openPhone(newAddress());
    await all.customer.route(all.numbers[3]!, { mode: "sip_uri", sip_uri: uriOf(away) });
    await away.close();
    const { address, port } = away.transport;
    const dead = await throughCarrier(3);
    expect(brokenIn(dead)).toMatchObject([
      { link: "destination", name: `${address}:${port}`, detail: "It did not respond to OPTIONS." },
    ]);
    callee.behave(() => [{ status: "503 Service Unavailable" }]);
    expect(brokenIn(await throughCarrier(4))).toMatchObject([{ detail: "It replied 503 to OPTIONS." }]);
    callee.behave(answerWith("200 OK"));
  },
  LONG_MS,
);

test(
  "names a switch that rejects the carrier's call, with the reason",
  async () => {
    delivery = { from: stranger, to: all.edges[1].kamailio.at };
    const rejected = await throughCarrier(5);
    expect(brokenIn(rejected)).toMatchObject([
      { link: "switch", name: "edge-2", detail: "The switch rejected the call with 403 (unknown_source)." },
    ]);
  },
  LONG_MS,
);

test(
  "counts no probe as a call",
  async () => {
    const call = await placeCall(all.caller, all.edges[0].kamailio.at, all.numbers[0]!, {
      from: "+4930555000222",
    });
    expect(call.status).toBe(200);
    await call.bye();
    const calls = await until(
      "the record of the call",
      async () => {
        const page = await all.customer.asPerson<{ data: { caller: string }[] }>("GET", "/v1/calls");
        return page.data.length > 0 ? page.data : undefined;
      },
      PATIENCE_MS,
    );
    expect(calls.map(({ caller }) => caller)).toEqual(["+4930555000222"]);
    const operators = await all.customer.asPerson<{ data: object[] }>("GET", "/operator/v1/calls");
    expect(operators.data).toHaveLength(1);
  },
  LONG_MS,
);

test(
  "names a switch that is dead",
  async () => {
    const [, dead] = all.edges;
    const switches = await all.customer.asPerson<{ data: { id: string }[] }>("GET", "/operator/v1/switches");
    for (const { id } of switches.data)
      await all.customer.asPerson("PATCH", `/operator/v1/switches/${id}`, { unreachable_after_seconds: 6 });
    delivery = { from: all.caller, to: dead.kamailio.at };
    await dead.kamailio.kill();
    await until(
      "the switch to be unreachable",
      async () => {
        const list = await all.customer.asPerson<{ data: { name: string; state: string }[] }>(
          "GET",
          "/operator/v1/switches",
        );
        return list.data.some(({ name, state }) => name === dead.name && state === "unreachable");
      },
      PATIENCE_MS,
    );
    const lost = await throughCarrier(0);
    expect(brokenIn(lost)).toMatchObject([
      { link: "switch", name: "edge-2", detail: "The switch is unreachable." },
    ]);
  },
  LONG_MS,
);
