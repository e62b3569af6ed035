import { expect, test } from "vitest";
import type { RouteStep, RouteValue } from "../control-plane.ts";
import { recordOf } from "./simulated-call.ts";
import { courseOf } from "./simulated-course.ts";
import { OUTCOMES } from "./simulated-outcome.ts";

const [answered, busy] = OUTCOMES;
const to = (host: string): RouteStep => ({ mode: "sip_uri", sip_uri: `sip:desk@${host}` });
const target = (host: string) => ({ host, port: 5080, transport: "tcp", priority: 1, weight: 1 }) as const;
const connectionWith = (id: string) => (id === "c1" ? { targets: [target("busy.example.com")] } : undefined);

function record(route: RouteStep, outcome = answered!) {
  const course = courseOf(route, { connectionWith, outcome, ringMsOf: () => 4_000 });
  const value: RouteValue = { e164: "+12025550199", ...route };
  const startedMs = Date.parse("2026-11-18T12:00:00Z");
  const decidedAtMs = startedMs + course.decidedAfterMs;
  const { attempts, ...rest } = recordOf({
    ...course,
    id: "0".repeat(32),
    numberId: "n",
    generation: 1,
    value,
    startedMs,
    decidedAtMs,
    endsAtMs: decidedAtMs + (course.outcome.isAnswered ? 10_000 : 0),
    isDecided: true,
  });
  return {
    ...rest,
    tried: attempts.map(({ step, mode, outcome: end }) => `${step} ${mode} ${end}`),
    attempts,
  };
}

test.each([
  ["down", "unreachable", 480],
  ["no-answer", "no_answer", 480],
  ["busy", "busy", 486],
  ["refused", "refused", 603],
] as const)("a host named %s fails in its own way, and the next step takes the call", (name, cause, code) => {
  const failing = to(`${name}.example.com`);
  const fallback: RouteStep = { ...to("pbx.example.com"), on: [cause] };
  expect(record({ ...failing, fallback })).toMatchObject({
    code: 200,
    mode: "sip_uri",
    tried: [`1 sip_uri ${cause}`, "2 sip_uri answered"],
    target: "sip:desk@pbx.example.com",
  });
  for (const others of [
    undefined,
    { ...fallback, on: cause === "busy" ? (["refused"] as const) : (["busy"] as const) },
  ]) {
    const route = { ...failing, ...(others && { fallback: { ...others, on: [...others.on] } }) };
    expect(record(route)).toMatchObject({ code, tried: [`1 sip_uri ${cause}`], answered_at: null });
  }
});

test("three steps show each attempt with its time", () => {
  const { attempts, ...call } = record({
    ...to("no-answer.example.com"),
    ring_seconds: 20,
    fallback: {
      mode: "connection",
      connection_id: "c1",
      on: ["no_answer"],
      fallback: { mode: "forward", forward_to: "+442079460000", on: ["busy"] },
    },
  });
  expect(call.tried).toEqual(["1 sip_uri no_answer", "2 connection busy", "3 forward answered"]);
  expect(call).toMatchObject({ gateway: "simulated", setup_ms: 0, ring_ms: 26_000 });
  expect(attempts.map(({ started_at: at }) => at.slice(17, 19))).toEqual(["00", "20", "22"]);
  expect(attempts.map(({ ended_at: at }) => at!.slice(17, 19))).toEqual(["20", "22", "26"]);
});

test("a drawn failure leads to the next step too, which answers", () => {
  const fallback: RouteStep = { ...to("other.example.com"), on: ["busy"] };
  expect(record({ ...to("pbx.example.com"), fallback }, busy)).toMatchObject({
    code: 200,
    tried: ["1 sip_uri busy", "2 sip_uri answered"],
  });
  expect(record(to("pbx.example.com"), busy)).toMatchObject({ code: 486, tried: ["1 sip_uri busy"] });
});

test("steps without a target leave no attempt", () => {
  const webhook: RouteStep = { mode: "webhook", webhook_url: "https://h.example" };
  expect(record({ ...webhook, fallback: to("pbx.example.com") })).toMatchObject({
    code: 200,
    mode: "webhook",
    tried: ["2 sip_uri answered"],
  });
  expect(record({ ...webhook, fallback: { mode: "unrouted" } })).toMatchObject({
    code: 480,
    why: "unrouted",
    tried: [],
  });
  expect(record({ mode: "connection", connection_id: "gone" })).toMatchObject({
    why: "no_address",
    tried: [],
  });
});
