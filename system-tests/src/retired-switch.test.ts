import { afterAll, beforeAll, expect, test } from "vitest";
import { type Edge, startTwoEdges, type TwoEdges } from "./service/two-edges.ts";
import { uriOf } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { openPhone, type Phone } from "./sip/phone.ts";
import { placeCall, writeInvite } from "./sip/sip-call.ts";
import { until } from "./sip/until.ts";

let all: TwoEdges;
let [before, after]: [Phone, Phone] = [] as never;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  all = running.use(await startTwoEdges(2));
  [before, after] = [running.use(await openPhone(newAddress())), running.use(await openPhone(newAddress()))];
});
afterAll(() => running.disposeAsync());

const askOptions = async ({ kamailio }: Edge): Promise<number> =>
  (await all.caller.ask(writeInvite(all.caller, "x").replaceAll("INVITE", "OPTIONS"), kamailio.at)).status!;

async function ring({ kamailio }: Edge): Promise<number> {
  const call = await placeCall(all.caller, kamailio.at, all.numbers[0]!);
  if (call.status === 200) expect(await call.bye()).toBe(200);
  return call.status;
}

test("a switch that was retired takes no call before it has read back what was decided without it", async () => {
  const [, edge] = all.edges;
  await all.service.operator("grant", "owner@northwind.example");
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
