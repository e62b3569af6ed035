import { afterAll, beforeAll, expect, test } from "vitest";
import { isLong } from "./service/test-length.ts";
import { startTwoEdges, type TwoEdges } from "./service/two-edges.ts";
import { LoadCaller } from "./sip/load-caller.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, openPhone, type Phone } from "./sip/phone.ts";
import { placeCall } from "./sip/sip-call.ts";
import { until } from "./sip/until.ts";

/** An operator changes the trunks of two switches while both take calls. */

const [rounds, perSecond] = isLong ? [20, 100] : [1, 24];
const FORWARD_TO = "+442079460000";
const PATIENCE_MS = 120_000;
const SETUP_MS = 400_000;
const LONG_MS = isLong ? 3_600_000 : 600_000;

interface State {
  name: string;
  status: string;
  found: Record<string, unknown> | null;
  expected: Record<string, unknown> | null;
}
interface Trunk extends Record<string, unknown> {
  name: string;
  status: string;
  states: State[];
}
interface TrunkList {
  revision: number;
  is_managed: boolean;
  status: string;
  trunks: Trunk[];
  switches: { name: string; source: string; file_trunks: { name: string }[] | null }[];
}

let all: TwoEdges;
let load: LoadCaller;
let [otherGateway, newcomer]: [Phone, Phone] = [] as never;
let path = "";
const running = new AsyncDisposableStack();
beforeAll(async () => {
  all = running.use(await startTwoEdges(10));
  otherGateway = running.use(await openPhone(newAddress(), { port: 5080 }));
  newcomer = running.use(await openPhone(newAddress()));
  for (const gateway of [all.gateway, otherGateway]) gateway.behave(answerWith("200 OK"));
  const plan = { ringMs: 0, talkMs: 500, hangsUp: "caller" } as const;
  load = running.use(await LoadCaller.open(all.loadFrom.address, () => plan));
  await all.service.operator("grant", "owner@northwind.example");
  for (const number of all.numbers)
    await all.customer.route(number, { mode: "forward", forward_to: FORWARD_TO });
  const groups = await all.customer.asPerson<{ data: { id: string; name: string }[] }>(
    "GET",
    "/operator/v1/switch-groups",
  );
  path = `/operator/v1/switch-groups/${groups.data.find(({ name }) => name === "default")!.id}/trunks`;
}, SETUP_MS);
afterAll(() => running.disposeAsync(), SETUP_MS);

const shown = (): Promise<TrunkList> => all.customer.asPerson("GET", path);
const put = (body: object, name?: string): Promise<TrunkList> =>
  all.customer.asPerson("PUT", name === undefined ? path : `${path}/${name}`, body);
const carrier = () => ({
  direction: "in",
  sources: [all.caller.transport.address, all.loadFrom.address],
  transport: "udp",
  trusts_identity: true,
});
const gate = ({ transport }: Phone) => ({
  direction: "out",
  transport: "udp",
  gateway: { host: transport.address, port: 5080 },
});

async function applied(): Promise<TrunkList> {
  await until(
    "both switches to apply the trunks",
    async () => (await shown()).status === "applied",
    PATIENCE_MS,
  );
  const list = await shown();
  for (const { states } of list.trunks) {
    expect(states.map(({ name }) => name)).toEqual(["edge-1", "edge-2"]);
    for (const { found, expected } of states) expect(found).toEqual(expected);
  }
  return list;
}

/** Status of a call from this phone through each switch. */
const callsFrom = (phone: Phone): Promise<number[]> =>
  Promise.all(
    all.edges.map(async ({ kamailio }) => {
      const call = await placeCall(phone, kamailio.at, all.numbers[0]!);
      if (call.status === 200) await call.bye();
      return call.status;
    }),
  );

test("shows the trunks of the switches' files until the service has a list", async () => {
  await until(
    "reports",
    async () => (await shown()).switches.every(({ file_trunks: own }) => own?.length === 2),
    PATIENCE_MS,
  );
  expect(await shown()).toMatchObject({
    revision: 0,
    is_managed: false,
    switches: [{ source: "file" }, { source: "file" }],
  });
});

test(
  `${rounds * 5} changes of trunks under ${perSecond} calls/s are applied and read back by both switches, and no call fails`,
  async () => {
    const trunks = [
      { name: "carrier", ...carrier() },
      { name: "gate", ...gate(all.gateway) },
    ];
    const forwarding = {
      gateways: [{ trunk: "gate", ping: true }],
      prefixes: ["+44"],
      calls_per_minute: 60_000,
      calls_at_once: 1_000,
    };
    const confirmed = { confirmed_networks: carrier().sources };
    await expect(put({ revision: 0, trunks, forwarding, confirmed_networks: [] })).rejects.toThrow(
      "networks_not_confirmed",
    );
    let isOver = false;
    const placed = all.edges.map(async ({ kamailio }) => {
      while (!isOver)
        await load.place({
          to: kamailio.at,
          numbers: all.numbers,
          perSecond: perSecond / 2,
          calls: perSecond / 2,
        });
    });
    let changes = 0;
    try {
      await put({ revision: 0, trunks, forwarding, ...confirmed });
      await applied();
      for (let round = 0; round < rounds; round++) changes += await changeEverything();
    } finally {
      isOver = true;
      await Promise.all(placed);
    }
    await until("calls to end", async () => load.up().length === 0, PATIENCE_MS);
    const rows = all.edges.flatMap(({ kamailio }) => kamailio.rows());
    const invites = rows.filter(({ method, kind }) => method === "INVITE" && kind !== "unknown_source");
    const failed = invites.filter(({ code }) => code !== "200");
    console.log(`${changes} changes during ${invites.length} calls, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(invites.length).toBeGreaterThan(perSecond);
  },
  LONG_MS,
);

/** A network is opened, a gateway moves, limits change, the network is closed, the gateway comes back. */
async function changeEverything(): Promise<number> {
  const { address } = newcomer.transport;
  expect(await callsFrom(newcomer)).toEqual([403, 403]);
  const wider = { trunk: { ...carrier(), sources: [...carrier().sources, address] } };
  await expect(put(wider, "carrier")).rejects.toThrow("networks_not_confirmed");
  expect(await callsFrom(newcomer)).toEqual([403, 403]);
  await put({ ...wider, confirmed_networks: [address] }, "carrier");
  await applied();
  expect(await callsFrom(newcomer)).toEqual([200, 200]);

  await put({ trunk: gate(otherGateway) }, "gate");
  await applied();
  const before = otherGateway.requests("INVITE").length;
  expect(await callsFrom(all.caller)).toEqual([200, 200]);
  expect(otherGateway.requests("INVITE").length).toBeGreaterThanOrEqual(before + 2);

  await put({ trunk: { ...gate(otherGateway), max_calls: 5_000 } }, "gate");
  await applied();
  await put({ trunk: carrier() }, "carrier");
  await applied();
  expect(await callsFrom(newcomer)).toEqual([403, 403]);
  await put({ trunk: gate(all.gateway) }, "gate");
  await applied();
  return 5;
}

test(
  "a trunk that is changed on a switch is found, shown with both values, and set again",
  async () => {
    const [first] = all.edges;
    const { address } = all.gateway.transport;
    await first.kamailio.rpc("htable.sets", ["trunk", "gate", "out|192.0.2.66~5080~udp|0|0|0|0"]);
    const drifted = await until(
      "the difference to be shown",
      async () => {
        const gateTrunk = (await shown()).trunks.find(({ name }) => name === "gate")!;
        return gateTrunk.states.find(({ status }) => status === "drifted");
      },
      PATIENCE_MS,
    );
    expect(drifted).toMatchObject({
      name: "edge-1",
      found: { gateway: { host: "192.0.2.66" } },
      expected: { gateway: { host: address } },
    });
    await applied();
    expect(await callsFrom(all.caller)).toEqual([200, 200]);
    const audit = await all.service.query<{ count: number }>(
      "select count(*)::int as count from audit_entries where action = 'trunks.drifted'",
    );
    expect(audit).toEqual([{ count: 1 }]);
  },
  LONG_MS,
);
