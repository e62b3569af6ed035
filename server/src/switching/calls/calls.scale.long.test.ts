import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quantile } from "../../../testing/quantile.ts";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { seedManyNumbers } from "../../seed-many-numbers.ts";
import { seedManyCalls } from "./testing/many-calls.ts";

const NUMBERS = 1_000_000;
const CALLS = 10_000_000;
const ROUNDS = 60;
const DAYS = 85;
/** A list of 50 numbers without a filter. All others are compared with it. */
const PLAIN = "/v1/numbers?limit=50";

let service: Service;
let headers: Record<string, string>;
let connectionId: string;
let numberIds: string[];

beforeAll(async () => {
  service = await startService({
    settings: { LIMIT_REQUESTS_PER_SECOND: "10000", LIMIT_REQUEST_BURST: "10000" },
  });
  const { admin } = service.database;
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  headers = bearer(owner.token);
  const body = { name: "Head office", targets: [{ host: "pbx.example.com" }] };
  connectionId = (await service.send("POST", "/v1/connections", { headers, body })).body.id as string;
  await seedManyNumbers((sql) => admin(sql), { organisationIds: [organisationId], count: NUMBERS });
  await admin(
    `update routings set mode = 'connection', connection_id = $1 where holding_id in (
       select holding_id from routings where environment = 'live' and mode = 'unrouted' limit $2)`,
    [connectionId, Math.floor(NUMBERS / 20)],
  );
  // As the worker does.
  await admin("select add_number_counts(1000000)");
  const switches = [await makeSwitch(service), await makeSwitch(service)];
  await seedManyCalls((sql) => admin(sql), {
    organisationIds: [organisationId],
    switchIds: switches.map(({ id }) => id),
    count: CALLS,
    days: DAYS,
  });
  await admin("vacuum (analyze)");
  const rows = await admin<{ id: string }>("select id from holdings order by random() limit 100");
  numberIds = rows.map(({ id }) => id);
}, 7_200_000);
afterAll(() => service[Symbol.asyncDispose]());

const uuidOf = (text: string): string =>
  createHash("md5")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Other values in each round, so that no request repeats one before. */
const PATHS: Record<string, (round: number) => string> = {
  "numbers by connection": () => `/v1/numbers?limit=50&connection_id=${connectionId}`,
  "numbers by a written number": (round) =>
    `/v1/numbers?limit=50&q=${encodeURIComponent(`030 ${4_000_000 + round * 7_919}`)}`,
  "numbers by destination": () => "/v1/numbers?limit=50&destination=pbx.example",
  overview: () => "/v1/overview",
  timeline: (round) => `/v1/numbers/${numberIds[round % numberIds.length]}/timeline?limit=50`,
  calls: () => "/v1/calls?limit=50",
  "calls of a window": (round) => `/v1/calls?limit=50&from=${daysAgo(round + 2)}&to=${daysAgo(round + 1)}`,
  "calls by q": (round) => `/v1/calls?limit=50&q=${encodeURIComponent(`+44 20 ${1_000 + round}`)}`,
  "calls by number": (round) => `/v1/calls?limit=50&number_id=${uuidOf(`number ${round}`)}`,
  "calls by caller": () => `/v1/calls?limit=50&caller=${encodeURIComponent("+33100000001")}`,
  "calls by result": () => "/v1/calls?limit=50&result=failed",
  "calls by code": () => "/v1/calls?limit=50&code=503",
  "calls by connection": () => `/v1/calls?limit=50&connection_id=${uuidOf("connection")}`,
  "calls by Call-ID": (round) => `/v1/calls?limit=50&sip_call_id=${round * 100_003}@sip.example.com`,
  "calls by duration": () => "/v1/calls?limit=50&min_seconds=3600",
  "an unknown call": () => `/v1/calls?limit=50&sip_call_id=${randomUUID()}`,
};

test(`at ${NUMBERS} numbers and ${CALLS} calls, each search takes at most five times as long as a list of 50`, async () => {
  const tookMs = new Map<string, number[]>(["list", ...Object.keys(PATHS)].map((name) => [name, []]));
  for (let round = -3; round < ROUNDS; round++) {
    for (const [name, took] of tookMs) {
      const path = PATHS[name]?.(Math.abs(round)) ?? PLAIN;
      const began = performance.now();
      const { status, text } = await service.send("GET", path, { headers });
      if (status !== 200) throw new Error(`${path}: ${text}`);
      if (round >= 0) took.push(performance.now() - began);
    }
  }
  const [, list] = [...tookMs][0]!;
  const floor = quantile(list, 0.95);
  const report = [...tookMs].map(([name, took]) => ({
    name,
    p50: quantile(took, 0.5).toFixed(1),
    p95: quantile(took, 0.95).toFixed(1),
    ratio: Number((quantile(took, 0.95) / floor).toFixed(2)),
  }));
  console.log(
    report.map(({ name, p50, p95, ratio }) => `${name}: p50 ${p50} p95 ${p95} ms, ${ratio} x`).join("\n"),
  );
  expect(report.filter(({ ratio }) => ratio > 5)).toEqual([]);
}, 600_000);

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
