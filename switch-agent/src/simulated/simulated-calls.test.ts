import { expect, test } from "vitest";
import type { HeldItem } from "../held-item.ts";
import { eventually } from "../testing/agent-bench.ts";
import { MemoryRecordService } from "../testing/memory-record-service.ts";
import { MAGIC_NUMBERS } from "./magic-numbers.ts";
import { startSimulatedCalls } from "./simulated-calls.ts";
import { SimulatedForwarding } from "./simulated-forwarding.ts";

const log = { info() {}, warn() {}, error() {} };
const route = (id: string, e164: string, mode: "sip_uri" | "unrouted" = "sip_uri"): HeldItem => ({
  kind: "route",
  id,
  shard: 0,
  generation: 1,
  value: { e164, mode, ...(mode === "sip_uri" && { sip_uri: "sip:desk@pbx.example.com" }) },
});

/** Active calls according to all reports. */
function upIn({ live }: MemoryRecordService): Map<string, number> {
  const up = new Map<string, number>();
  for (const { is_snapshot: isSnapshot, numbers } of live) {
    if (isSnapshot) up.clear();
    for (const { number_id: id, active_calls: calls } of numbers) up.set(id, calls);
  }
  return up;
}

test("calls go to numbers that lead somewhere; those that were up when it stops are hung up, and each has one record", async () => {
  const service = new MemoryRecordService();
  const held = [route("a", "+15550100"), route("b", "+15550101"), route("c", "+15550102", "unrouted")];
  const calls = startSimulatedCalls({ held: () => held, service, callsPerHour: 3_600_000, log });
  await eventually(() => (upIn(service).get("a") ?? 0) > 0 && (upIn(service).get("b") ?? 0) > 0, 40_000);
  expect([...upIn(service).keys()]).not.toContain("c");
  await calls.stop();
  expect([...upIn(service).values()]).toEqual([0, 0]);
  expect(service.records().size).toBe(service.taken.length);
  expect(service.taken.length).toBeGreaterThan(100);
  expect(service.taken.every(({ started_at, ended_at }) => started_at <= ended_at!)).toBe(true);
});

test("keeps records while the service is down", async () => {
  const service = new MemoryRecordService();
  service.line = "down";
  const calls = startSimulatedCalls({
    held: () => [route("a", "+15550100")],
    service,
    callsPerHour: 360_000,
    log,
  });
  setTimeout(() => (service.line = "up"), 1_500);
  await eventually(() => service.taken.length > 0, 40_000);
  await calls.stop();
});

test("the magic number shows every way a call can end, one after the other", async () => {
  const service = new MemoryRecordService();
  const held = [route("m", MAGIC_NUMBERS.called.e164)];
  const calls = startSimulatedCalls({ held: () => held, service, callsPerHour: 0, calledMs: 1, log });
  await eventually(() => service.live.length > 0 && upIn(service).get("m") === 2, 40_000);
  await calls.stop();
  const codes = service.taken
    .toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1))
    .map(({ code }) => code);
  expect(codes.slice(0, 7)).toEqual([200, 486, 408, 487, 603, 503, 200]);
});

test("records the destination of the call: a URI, the first target of a connection, or none", async () => {
  const service = new MemoryRecordService();
  const connected: HeldItem = {
    kind: "route",
    id: "c",
    shard: 0,
    generation: 1,
    value: { e164: "+15550102", mode: "connection", connection_id: "trunk" },
  };
  const target = (host: string, priority: number) =>
    ({ host, port: 5080, transport: "tcp", priority, weight: 1 }) as const;
  const trunk: HeldItem = {
    kind: "connection",
    id: "trunk",
    shard: 0,
    generation: 1,
    value: { targets: [target("second.example.com", 2), target("first.example.com", 1)] },
  };
  const held = [route("a", "+15550100"), connected, trunk];
  const calls = startSimulatedCalls({ held: () => held, service, callsPerHour: 3_600_000, log });
  await eventually(
    () => service.live.length > 0 && service.live.flatMap(({ numbers }) => numbers).length > 1,
    40_000,
  );
  await calls.stop();
  const ofNumber = (id: string) => service.taken.filter(({ number_id: number }) => number === id);
  for (const record of ofNumber("a")) {
    expect(record.target).toBe("sip:desk@pbx.example.com");
    expect(record.attempts).toMatchObject([{ mode: "sip_uri", host: "pbx.example.com", code: record.code }]);
  }
  for (const record of ofNumber("c")) {
    expect(record.target).toBe("sip:first.example.com:5080;transport=tcp");
    expect(record.attempts).toMatchObject([
      { mode: "connection", host: "first.example.com", transport: "tcp" },
    ]);
  }
  expect(ofNumber("c").length).toBeGreaterThan(0);
});

test("ends a forwarded call when the day's seconds are used up, and rejects the next", async () => {
  const service = new MemoryRecordService();
  const forwarding = new SimulatedForwarding();
  const limits = { callsAtOnce: null, calls: null, seconds: 1 };
  await forwarding.setAllowances([
    { organisationId: "o", version: 1, caller: "pass", identity: "keep", ...limits },
  ]);
  const e164 = MAGIC_NUMBERS.called.e164;
  const forwarded: HeldItem = {
    kind: "route",
    id: "f",
    shard: 0,
    generation: 1,
    payer: "o",
    value: { e164, mode: "forward", forward_to: "+442079460123" },
  };
  const held = () => [forwarded];
  const calls = startSimulatedCalls({ held, forwarding, service, callsPerHour: 0, calledMs: 3_000, log });
  await eventually(() => service.taken.length > 1, 40_000);
  await calls.stop();
  const [first, second] = service.taken;
  expect(first).toMatchObject({ code: 200, why: "organisation_minutes", ended_by: "switch" });
  expect(Date.parse(first!.ended_at!) - Date.parse(first!.answered_at!)).toBe(1_000);
  expect(second).toMatchObject({ code: 480, why: "organisation_minutes", attempts: [] });
});
