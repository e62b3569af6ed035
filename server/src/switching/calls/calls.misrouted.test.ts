import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { copyDatabase, type TestDatabase } from "../../../testing/test-database.ts";

interface RoutedCall {
  target: string | null;
  attempts: { step: number; mode: string; host: string | null }[];
  /** Desired routing of the call's generation. */
  destination: object | null;
  /** Hosts of the connection, if it has not changed since the call. */
  hosts: string[] | null;
}

let database: TestDatabase;
beforeAll(async () => {
  database = await copyDatabase(inject("clusterUrl"));
});
afterAll(() => database[Symbol.asyncDispose]());

const CALL: RoutedCall = { target: "sip:a@pbx.example.com", attempts: [], destination: null, hosts: null };
const SIP_URI = { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com" };
const tried = (host: string, mode = "connection"): Partial<RoutedCall> => ({
  destination: { mode: "connection" },
  attempts: [{ step: 1, mode, host }],
});
const failedOver = (step: number): RoutedCall["attempts"] => [
  { step: 1, mode: "connection", host: "a.example.com" },
  { step, mode: "sip_uri", host: "pbx.example.com" },
];

test.each<[string, Partial<RoutedCall>, boolean | null]>([
  ["an unknown generation", {}, null],
  ["no target", { target: null, destination: SIP_URI }, null],
  ["the SIP URI of the generation", { destination: SIP_URI }, false],
  ["another SIP URI", { destination: { ...SIP_URI, sip_uri: "sip:b@pbx.example.com" } }, true],
  [
    "the number of the generation",
    { target: "+49301", destination: { mode: "forward", forward_to: "+49301" } },
    false,
  ],
  ["another number", { target: "+49302", destination: { mode: "forward", forward_to: "+49301" } }, true],
  ["a target of an unrouted number", { destination: { mode: "unrouted" } }, true],
  ["a target that the customer's server chose", { destination: { mode: "webhook" } }, null],
  ["a host of the connection", { ...tried("a.example.com"), hosts: ["a.example.com"] }, false],
  [
    "another host than those of the connection",
    { ...tried("b.example.com"), hosts: ["a.example.com"] },
    true,
  ],
  ["a connection that has changed since", tried("b.example.com"), null],
  [
    "the fallback after a failover",
    { destination: { mode: "connection", fallback: SIP_URI }, attempts: failedOver(2) },
    false,
  ],
  [
    "the fallback although the first destination took the call",
    { destination: { mode: "forward", forward_to: "+49301", fallback: SIP_URI }, attempts: failedOver(1) },
    true,
  ],
  ["a step that the routing does not have", { destination: SIP_URI, attempts: failedOver(2) }, true],
  ["an attempt outside the connection", tried("b.example.com", "sip_uri"), true],
  [
    "the second fallback, which the routing names",
    {
      destination: { mode: "connection", fallback: { mode: "webhook", fallback: SIP_URI } },
      attempts: failedOver(3),
    },
    false,
  ],
  ["a connection without attempts", { destination: { mode: "connection" }, hosts: ["a.example.com"] }, null],
])("%s", async (_, call, expected) => {
  const { target, attempts, destination, hosts } = { ...CALL, ...call };
  const [row] = await database.admin<{ found: boolean | null }>(
    "select is_misrouted($1, $2::jsonb, $3::jsonb, $4) as found",
    [target, JSON.stringify(attempts), destination && JSON.stringify(destination), hosts],
  );
  expect(row!.found).toBe(expected);
});
