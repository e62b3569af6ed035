import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askCli } from "./service/cli.ts";
import { isLong } from "./service/test-length.ts";
import { type Edge, startTwoEdges, type TwoEdges } from "./service/two-edges.ts";
import { uriOf } from "./sip/call-bench.ts";
import { LoadCaller } from "./sip/load-caller.ts";
import { newAddress } from "./sip/loopback.ts";
import { answerWith, openPhone } from "./sip/phone.ts";
import type { RecordRow } from "./sip/record-rows.ts";
import { placeCall, writeInvite } from "./sip/sip-call.ts";
import { until } from "./sip/until.ts";

/** Decisions of an operator on two switches: limits of forwarding, and a switch that is retired. */

const FORWARD_TO = "+442079460000";
const [calls, minutes, atOnce, talkSeconds, perSecond] = isLong
  ? [3_000, 1_000, 400, 40, 12]
  : [80, 1, 20, 2, 8];
const LIMIT_SECONDS = minutes * 60;
const LONG_MS = isLong ? 3_600_000 : 600_000;
const PATIENCE_MS = 120_000;
const DAY_SECONDS = 86_400;

let all: TwoEdges;
let load: LoadCaller;
const running = new AsyncDisposableStack();
beforeAll(async () => {
  all = running.use(await startTwoEdges(10));
  all.gateway.behave(answerWith("200 OK"));
  const plan = { ringMs: 0, talkMs: talkSeconds * 1000, hangsUp: "caller" } as const;
  load = running.use(await LoadCaller.open(all.loadFrom.address, () => plan));
  await all.service.operator("grant", "owner@northwind.example");
}, 400_000);
afterAll(() => running.disposeAsync(), 400_000);

interface Use {
  calls_at_once: number;
  calls: number;
  seconds: number;
}
interface Shown {
  used: Use;
  switches: { name: string; status: string; calls_at_once: number; seconds: number; used: Use }[];
}
const path = (): string => `/operator/v1/organisations/${all.customer.organisationId}/forwarding`;
const shown = (): Promise<Shown> => all.customer.asPerson<Shown>("GET", path());
const shareOf = (now: Shown, { name }: Edge) => now.switches.find((one) => one.name === name)!;
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Counters of a switch. */
async function countedBy({ kamailio }: Edge): Promise<{ calls: number; seconds: number; now: number }> {
  const lines = await kamailio.control("G", "used", [all.customer.organisationId]);
  const [, calls = 0, seconds = 0, now = 0] = lines.at(-1)!.split(" ")[1]!.split("|").map(Number);
  return { calls, seconds, now };
}

/** Answered calls in the switch's rows, and the length of those that have ended. */
function callsOf({ kamailio }: Edge): { answered: RecordRow[]; seconds: number[]; reasons: string[] } {
  const byRecord = Map.groupBy(kamailio.rows(), ({ record }) => record);
  const answered = [...byRecord.values()].flatMap((rows) =>
    rows.filter(({ method, code }) => method === "INVITE" && code === "200"),
  );
  const seconds = answered.flatMap(({ record, us }) => {
    const end = byRecord.get(record)!.find(({ method }) => method === "BYE" || method === "OPTIONS");
    return end ? [Number(end.us) - Number(us)] : [];
  });
  const rejected = kamailio.rows().filter(({ method, code }) => method === "INVITE" && code !== "200");
  return { answered, seconds, reasons: [...new Set(rejected.map(({ kind }) => kind))] };
}

const place = (edge: Edge, share: number): Promise<void> =>
  load.place({ to: edge.kamailio.at, numbers: all.numbers, perSecond: perSecond / 2, calls: share });
const areQuiet = (): boolean => load.up().length === 0;

/** A day that ends during the test would start with nothing used. */
async function waitForMidnight(): Promise<void> {
  const left = DAY_SECONDS - ((Date.now() / 1000) % DAY_SECONDS);
  if (left < (isLong ? 1_200 : 180)) await new Promise((resolve) => setTimeout(resolve, (left + 1) * 1000));
}

test(
  `${calls} forwarded calls do not exceed ${minutes} minutes a day on two switches, with the service stopped half-way`,
  async () => {
    await waitForMidnight();
    for (const number of all.numbers)
      await all.customer.route(number, { mode: "forward", forward_to: FORWARD_TO });
    const set = { calls_at_once: atOnce, minutes_per_day: minutes };
    await all.customer.asPerson("PUT", path(), set);
    await until(
      "both switches to hold their part",
      async () => (await shown()).switches.every(({ status }) => status === "applied"),
      PATIENCE_MS,
    );
    const [first, second] = all.edges;

    // The first switch gets two thirds of the calls.
    await Promise.all([place(first, Math.floor(calls / 3)), place(second, Math.floor(calls / 6))]);
    await all.service.killServer();
    await Promise.all([place(first, Math.floor(calls / 6)), place(second, Math.floor(calls / 12))]);

    // The agent restores the counters from the rows of calls.
    await until("calls to end", areQuiet, PATIENCE_MS);
    const before = await countedBy(first);
    await Promise.all([first.kamailio.kill(), first.agent.kill()]);
    await first.kamailio.start();
    expect(await countedBy(first)).toMatchObject({ calls: 0, seconds: 0 });
    const credential = readFileSync(join(first.kamailio.folder, "credential"), "utf8");
    first.agent = running.use(
      all.service.startAgent(credential, first.kamailio.folder, { AUDIT_SECONDS: "10" }),
    );
    await until("the counters", async () => (await countedBy(first)).calls >= before.calls, PATIENCE_MS);
    const after = await countedBy(first);
    expect(after.calls).toBe(before.calls);
    // Both count whole seconds of the clock, and read it a moment apart.
    expect(Math.abs(after.seconds - before.seconds)).toBeLessThanOrEqual(2 + before.calls / 20);

    const rest = Math.floor(calls / 8);
    await Promise.all([place(first, rest), place(second, rest)]);
    await until("calls to end", areQuiet, PATIENCE_MS);
    all.service.startServer();
    await all.service.ready();
    await until(
      "the service to know the use",
      async () => {
        const counted = await Promise.all(all.edges.map(countedBy));
        return (await shown()).used.seconds === sum(counted.map(({ seconds }) => seconds));
      },
      PATIENCE_MS,
    );

    const end = await shown();
    for (const edge of all.edges) {
      const { seconds: part, used } = shareOf(end, edge);
      const { answered, seconds, reasons } = callsOf(edge);
      console.log(
        `${edge.name}: ${answered.length} calls, ${Math.round(sum(seconds))} s measured, ${used.seconds} s counted, part ${part} s, rejections ${reasons.join(", ")}`,
      );
      expect(used.calls).toBe(answered.length);
      expect(Math.abs(used.seconds - sum(seconds))).toBeLessThanOrEqual(2 + answered.length / 10);
      expect(reasons.every((reason) => /^organisation_(minutes|full)$/.test(reason))).toBe(true);
    }
    // Each call in progress may last as long as the time that was left when it began.
    expect(end.used.seconds).toBeLessThanOrEqual(LIMIT_SECONDS + atOnce * talkSeconds);
    expect(sum(end.switches.map(({ seconds }) => seconds))).toBeLessThanOrEqual(LIMIT_SECONDS);
    // The test reached the limit, otherwise it would prove nothing.
    expect(end.used.seconds).toBeGreaterThanOrEqual(LIMIT_SECONDS);
    const late = await Promise.all(all.edges.map((edge) => place(edge, 3)));
    expect(late).toHaveLength(2);
    await until("the rejections", () => callsOf(first).reasons.includes("organisation_minutes"), PATIENCE_MS);
  },
  LONG_MS,
);

const askOptions = async ({ kamailio }: Edge): Promise<number> =>
  (await all.caller.ask(writeInvite(all.caller, "x").replaceAll("INVITE", "OPTIONS"), kamailio.at)).status!;

async function ring({ kamailio }: Edge): Promise<number> {
  const call = await placeCall(all.caller, kamailio.at, all.numbers[0]!);
  if (call.status === 200) expect(await call.bye()).toBe(200);
  return call.status;
}

test("a switch that was retired takes no call before it has read back what was decided without it", async () => {
  const [, edge] = all.edges;
  const [before, after] = [
    running.use(await openPhone(newAddress())),
    running.use(await openPhone(newAddress())),
  ];
  const { data } = await all.customer.asPerson<{ data: { id: string; name: string }[] }>(
    "GET",
    "/operator/v1/switches",
  );
  const { id } = data.find(({ name }) => name === edge.name)!;
  const decide = (state: string) => all.customer.asPerson("PATCH", `/operator/v1/switches/${id}`, { state });
  expect((await all.customer.routeTo(uriOf(before))).routing.status).toBe("in_sync");
  expect(await ring(edge)).toBe(200);

  await decide("retired");
  await until("the switch to refuse calls", async () => (await askOptions(edge)) === 503);
  edge.agent.signal("SIGSTOP");
  expect((await all.customer.routeTo(uriOf(after))).routing.status).toBe("in_sync");
  // Its own file still holds the old routing.
  await edge.kamailio.kill();
  await edge.kamailio.start();
  expect(await ring(edge)).toBe(503);
  await decide("active");
  expect(await ring(edge)).toBe(503);
  const rungBefore = before.requests("INVITE").length;
  edge.agent.signal("SIGCONT");
  await until("calls to be taken again", async () => (await ring(edge)) === 200);

  expect(before.requests("INVITE")).toHaveLength(rungBefore);
  expect(after.requests("INVITE")).toHaveLength(1);
  expect((await all.customer.routing()).status).toBe("in_sync");
});

test("a mobile takes the call of an office that is unplugged, and the CLI says why it rang", async () => {
  const [edge] = all.edges;
  const [, number] = all.numbers;
  const office = await openPhone(newAddress());
  const routing = await all.customer.asPerson<{ status: string }>("PUT", `/v1/numbers/${number}/routing`, {
    mode: "sip_uri",
    sip_uri: uriOf(office),
    fallback: { mode: "forward", forward_to: FORWARD_TO },
  });
  expect(routing.status).toBe("in_sync");
  await all.customer.asPerson("PUT", path(), {});
  await until(
    "the switch to have no limits",
    async () => (await shown()).switches.every((one) => one.status === "applied"),
    PATIENCE_MS,
  );
  await office.close();
  const from = "+15550007777";
  const call = await placeCall(all.caller, edge.kamailio.at, number!, { from });
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);

  const access = { url: all.service.url, key: all.customer.credentials.key };
  const [record] = await until(
    "the record",
    async () => {
      const found = await askCli<{ id: string }[]>(["calls", "list", "--caller", from], access);
      return found.length > 0 && found;
    },
    PATIENCE_MS,
  );
  expect(await askCli(["calls", "show", record!.id], access)).toMatchObject({
    result: "answered",
    step: 2,
    attempts: [
      { step: 1, mode: "sip_uri", outcome: "unreachable" },
      { step: 2, mode: "forward", outcome: "answered", code: 200 },
    ],
  });
});
