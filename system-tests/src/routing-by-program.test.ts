import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, type Routing, signUp } from "./service/customer.ts";
import { type CustomerProgram, openCustomerProgram, says } from "./service/customer-program.ts";
import type { Program } from "./service/program.ts";
import { type RunningService, startService } from "./service/running-service.ts";
import { uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, openPhone, type Phone } from "./sip/phone.ts";
import { type Call, placeCall } from "./sip/sip-call.ts";
import { headerOf } from "./sip/sip-message.ts";
import { placeCalls } from "./sip/sipp.ts";
import { startSwitch, type SwitchProcess } from "./sip/switch-process.ts";
import { until } from "./sip/until.ts";

const NUMBER = "+4930901820";
const PATIENCE_MS = 60_000;

/** API, worker, agent and Kamailio as programs, and a program of the customer's that they ask. */
let service: RunningService;
let kamailio: SwitchProcess;
let agent: Program;
let customer: Customer;
let program: CustomerProgram;
/** Starts the agent of the switch. */
let startAgent: () => Program;
let [caller, office, fallback, gateway]: [Phone, Phone, Phone, Phone] = [] as never;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  const phone = async (port?: number): Promise<Phone> =>
    running.use(await openPhone(newAddress(), port === undefined ? {} : { port }));
  [caller, office, fallback, gateway] = [await phone(), await phone(), await phone(), await phone(5080)];
  program = running.use(await openCustomerProgram());
  const trunks = [
    { name: "carrier", direction: "in", sources: ["127.0.0.0/8"], transport: "udp" },
    {
      name: "gate",
      direction: "out",
      transport: "udp",
      gateway: { host: gateway.transport.address, port: 5080 },
    },
  ];
  const start = async <One extends AsyncDisposable>(starting: Promise<One>): Promise<One> =>
    running.use(await starting);
  [service, kamailio] = await Promise.all([
    start(startService({ more: { FORWARD_PREFIXES: "+44" } })),
    start(startSwitch([], { trunks, forward: { gateway: "gate", prefixes: ["+44"] } })),
  ]);
  const [told, signedUp] = await Promise.all([
    service.operator("create-switch", "edge-1"),
    signUp(service, NUMBER),
  ]);
  customer = signedUp;
  const trusting = { NODE_EXTRA_CA_CERTS: program.certificateFile };
  const credential = /svc_switch_\S+/.exec(told)![0];
  startAgent = () => running.use(service.startAgent(credential, kamailio.folder, trusting));
  agent = startAgent();
  const { status, applied } = await customer.asPerson<Routing>(
    "PUT",
    `/v1/numbers/${customer.numberId}/routing`,
    {
      mode: "webhook",
      webhook_url: program.url,
      fallback: { mode: "sip_uri", sip_uri: uriOf(fallback, "fallback") },
    },
  );
  expect({ status, applied }, agent.output()).toMatchObject({
    status: "in_sync",
    applied: { mode: "webhook", webhook_url: program.url },
  });
}, 300_000);
afterAll(() => running.disposeAsync(), 60_000);

const call = (): Promise<Call> => {
  agent.assertRunning();
  return placeCall(caller, kamailio.at, NUMBER);
};
const rang = (phone: Phone, { dialog }: Call): boolean =>
  phone.requests("INVITE").some((request) => headerOf(request, "Call-ID") === dialog.callId);

/** Places a call and returns the phones that rang. */
async function callees(): Promise<{ status: number; rang: string[] }> {
  const made = await call();
  if (made.status === 200) await made.bye();
  const phones = Object.entries({ office, fallback, gateway });
  return { status: made.status, rang: phones.flatMap(([name, phone]) => (rang(phone, made) ? [name] : [])) };
}

const FELL_BACK = { status: 200, rang: ["fallback"] };

test("sends a request signed with the organisation's secret, routes the call by its response, and records the same ID", async () => {
  program.answers(says({ action: "dial", sip_uri: uriOf(office) }));
  const made = await call();
  expect([made.status, rang(office, made), rang(fallback, made)], agent.output()).toEqual([200, true, false]);
  expect(await made.bye()).toBe(200);
  const { secret } = await customer.asPerson<{ secret: string }>("GET", "/v1/routing-webhook-secret");
  const { body, headers } = program.questions.at(-1)!;
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    number_id: customer.numberId,
    to: NUMBER,
    from: "+15550009999",
    call_id: headers["webhook-id"],
    at: expect.any(String),
  });
  const recorded = async (): Promise<object[] | undefined> => {
    const found = await service.query<{ mode: string; result: string }>(
      `select mode, result from call_records where id = '${headers["webhook-id"]}'`,
    );
    return found.length > 0 ? found : undefined;
  };
  const records = await until("the call's record", recorded, PATIENCE_MS);
  expect(records).toEqual([{ mode: "webhook", result: "answered" }]);
});

test("the program can have a call forwarded, and reject one", async () => {
  program.answers(says({ action: "forward", forward_to: "+442079460000" }));
  expect(await callees()).toEqual({ status: 200, rang: ["gateway"] });
  program.answers(says({ action: "reject", code: 603 }));
  expect(await callees()).toEqual({ status: 603, rang: [] });
});

test.for([
  ["500", says({ action: "reject", code: 486 }, 500)],
  ["no JSON", (response) => response.end("sip:a@b")],
  ["a code that is not for customers to say", says({ action: "reject", code: 503 })],
  ["more than anybody reads", says({ action: "reject", code: 486, more: "x".repeat(100_000) })],
  ["a redirect", (response) => response.writeHead(307, { location: program.url }).end()],
  ["an address inside", says({ action: "dial", sip_uri: "sip:a@10.0.0.1" })],
  ["a barred prefix", says({ action: "forward", forward_to: "+8821234567" })],
  ["the number that was called", says({ action: "forward", forward_to: NUMBER })],
  ["nothing", () => {}],
] as [string, Parameters<CustomerProgram["answers"]>[0]][])(
  "a call goes to its fallback when the program says %s",
  async ([, answer]) => {
    program.answers(answer);
    const before = program.questions.length;
    expect(await callees()).toEqual(FELL_BACK);
    expect(program.questions.length).toBe(before + 1);
  },
);

test("a program that says nothing is waited for 2 seconds", async () => {
  program.answers(() => {});
  const startMs = performance.now();
  expect(await callees()).toEqual(FELL_BACK);
  const tookMs = performance.now() - startMs;
  expect(tookMs).toBeGreaterThan(1_900);
  // After 3 s the switch itself would have lost patience.
  expect(tookMs).toBeLessThan(2_900);
});

test("of many calls at once as many as allowed wait for a silent program, and all reach the fallback", async () => {
  program.answers(() => {});
  // Sends no 180 before the 200: of two messages sent at once the second may overtake the first, which sipp
  // does not accept.
  fallback.behave(answerWith("200 OK"));
  const from = { address: newAddress(), port: 5062 };
  const load = { from, to: kamailio.at, numbers: [NUMBER], perSecond: 80, calls: 80 };
  expect(await placeCalls(load)).toMatchObject({ successful: 80, failed: 0 });
  expect(program.mostOpen()).toBeGreaterThan(0);
  expect(program.mostOpen()).toBeLessThanOrEqual(50);
});

test("with a new secret, questions verify by the new one and the old one", async () => {
  program.answers(says({ action: "reject", code: 486 }));
  const old = await customer.asPerson<{ secret: string }>("GET", "/v1/routing-webhook-secret");
  const next = await customer.asPerson<{ secret: string }>("POST", "/v1/routing-webhook-secret/rotate");
  const isSignedTwice = async (): Promise<boolean> => {
    await call();
    return program.questions.at(-1)!.headers["webhook-signature"]!.split(" ").length === 2;
  };
  await until("the switch to have the new secret", isSignedTwice, PATIENCE_MS);
  const { body, headers } = program.questions.at(-1)!;
  for (const { secret } of [old, next]) new Webhook(secret).verify(body, headers);
});

interface CallOfApi {
  result: string;
  mode: string;
  step: number;
  misrouted: boolean;
  attempts: { step: number; mode: string; outcome: string }[];
}

/** The record of a call, as the API shows it. */
async function recordOf({ dialog }: Call): Promise<CallOfApi> {
  const query = `sip_call_id=${encodeURIComponent(dialog.callId)}`;
  const find = async (): Promise<{ id: string } | undefined> =>
    (await customer.asPerson<{ data: { id: string }[] }>("GET", `/v1/calls?${query}`)).data[0];
  const { id } = await until("the call's record", find, PATIENCE_MS);
  return customer.asPerson<CallOfApi>("GET", `/v1/calls/${id}`);
}

test("calls ring the mobile while the office is unplugged, and the record says why, also after kills", async () => {
  const unplugged = { mode: "sip_uri", sip_uri: `sip:office@${newAddress()}:5060` };
  const before = await customer.asPerson<{ desired: object }>(
    "GET",
    `/v1/numbers/${customer.numberId}/routing`,
  );
  const set = await customer.asPerson<Routing>("PUT", `/v1/numbers/${customer.numberId}/routing`, {
    ...unplugged,
    fallback: { mode: "forward", forward_to: "+442079460000", on: ["unreachable"] },
  });
  expect(set.status, agent.output()).toBe("in_sync");

  const first = await call();
  expect([first.status, rang(gateway, first), await first.bye()]).toEqual([200, true, 200]);
  expect(await recordOf(first)).toMatchObject({
    result: "answered",
    mode: "sip_uri",
    step: 2,
    misrouted: false,
    attempts: [
      { step: 1, mode: "sip_uri", outcome: "unreachable" },
      { step: 2, mode: "forward", outcome: "answered" },
    ],
  });

  const second = await call();
  await Promise.all([agent.kill(), kamailio.kill()]);
  await kamailio.start();
  expect(await second.bye()).toBe(200);
  agent = startAgent();
  expect(await recordOf(second)).toMatchObject({ result: "answered", step: 2, misrouted: false });
  const { mode, webhook_url, fallback: instead } = before.desired as Record<string, unknown>;
  const back = { mode, webhook_url, fallback: instead };
  await customer.asPerson("PUT", `/v1/numbers/${customer.numberId}/routing`, back);
});

test("an agent that is stopped, or gone, costs no call", async () => {
  program.answers(says({ action: "dial", sip_uri: uriOf(office) }));
  agent.signal("SIGSTOP");
  expect(await callees()).toEqual(FELL_BACK);
  expect(await callees()).toEqual(FELL_BACK);
  agent.signal("SIGCONT");
  const isRetryable = async (): Promise<boolean> => (await callees()).rang.includes("office");
  await until("the agent to be asked again", isRetryable, PATIENCE_MS);
  await agent[Symbol.asyncDispose]();
  expect((await placeCall(caller, kamailio.at, NUMBER)).status).toBe(200);
});
