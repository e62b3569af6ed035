import { describe, expect, test } from "vitest";
import { byeRow, endBySwitchRow, inviteRow, writtenCall } from "../testing/acc-rows.ts";
import { readRow } from "./acc-row.ts";

const INVITE =
  "INVITE|11035t1|1x11033|1-11035@127.0.0.3|200|OK|1794737945|1794737945.286401|d1d65e35312d4db28306db0d41a81a3a~0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11~u~7~1794737945.277656~acme~+4930901820|+15550009999|sip:alice@127.0.0.9:5080|bb4b0bfe-2a29-40c2-9ebb-82f4f259674f|";
const NO_EVENTS = { attempts: [], q850: null, asserted: null };

test("a row of a switch is read to the microsecond", () => {
  expect(readRow(INVITE)).toEqual({
    isTorn: false,
    row: {
      kind: "invite",
      isBySwitch: false,
      fromTag: "11035t1",
      rid: "d1d65e35312d4db28306db0d41a81a3a",
      code: 200,
      atUs: 1_794_737_945_286_401,
      startedUs: 1_794_737_945_277_656,
      numberId: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11",
      called: "+4930901820",
      mode: "sip_uri",
      generation: 7,
      trunk: "acme",
      caller: "+15550009999",
      target: "sip:alice@127.0.0.9:5080",
      sipCallId: "1-11035@127.0.0.3",
      why: null,
      events: NO_EVENTS,
    },
  });
});

test("a call that the switch ended has an end, without the tags and Call-ID that its dialog module makes up", () => {
  const { row, isTorn } = readRow(endBySwitchRow(writtenCall("long")).trimEnd())!;
  expect(isTorn).toBe(false);
  expect(row).toMatchObject({
    kind: "end",
    isBySwitch: true,
    fromTag: null,
    sipCallId: null,
    why: "max_length",
  });
});

test("events tell every target that was tried, when it rang and how it ended", () => {
  const events = [
    "a %2B4930123456",
    "t c - 192.0.2.1~5060~udp rweight=1;duid=3-192.0.2.1:5060;host=pbx.example.com",
    "r 1794737945.300000",
    "r 1794737945.400000",
    "e 1794737946.5 t",
    "t u 1794737946.600000 192.0.2.2~5061~tls sip:a,b~c@sip.example.com;transport=tls",
    "e 1794737948.600000 s",
    "t f 1794737949.000000 192.0.2.3~5060~udp acme",
    "e 1794737949.100000 503",
    "q 41",
    "unheard of",
    "t broken",
    "",
  ].join("^");
  const call = writtenCall("tried", { code: 480, events });
  const { row } = readRow(inviteRow(call).trimEnd())!;
  expect(row.events).toMatchObject({
    asserted: "+4930123456",
    q850: 41,
    attempts: [
      {
        mode: "connection",
        host: "pbx.example.com",
        address: "192.0.2.1:5060",
        transport: "udp",
        startedUs: call.startedUs,
        ringingUs: 1_794_737_945_300_000,
        end: { atUs: 1_794_737_946_000_005, how: "timed_out", code: null },
      },
      { mode: "sip_uri", host: "sip.example.com", transport: "tls", end: { how: "silent" } },
      { mode: "forward", host: null, gateway: "acme", end: { how: "replied", code: 503 } },
    ],
  });
});

test("events hold nothing that the service would reject, whatever a callee or carrier writes", () => {
  const read = (events: string) => readRow(inviteRow(writtenCall("odd", { events })).trimEnd())!.row.events;
  expect(read("q 200^").q850).toBeNull();
  expect(read("q 127^").q850).toBe(127);
  expect(read("a %00+49%0a30^").asserted).toBe("+4930");
  expect(read("a %ff^").asserted).toBe("%ff");
});

test("a call that a gateway got twice, the second time with a password, is one attempt", () => {
  const events =
    "t f - 192.0.2.3~5060~udp acme^t f 1794737946.000000 192.0.2.3~5060~udp acme^r 1794737947.000000^";
  const { row } = readRow(inviteRow(writtenCall("asked", { events })).trimEnd())!;
  expect(row.events.attempts).toMatchObject([
    { startedUs: row.startedUs, ringingUs: 1_794_737_947_000_000, gateway: "acme" },
  ]);
});

test("sets the missing fields of a rejected call to null", () => {
  const row =
    "INVITE|t||c|403|Forbidden|1794737945|1794737945.000001|d1d65e35312d4db28306db0d41a81a3a~~~~1794737945.000000~~||||unknown_source";
  expect(readRow(row)?.row).toMatchObject({
    code: 403,
    why: "unknown_source",
    numberId: null,
    called: null,
    mode: null,
    generation: null,
    trunk: null,
    caller: null,
    target: null,
  });
});

describe("a row that was cut off", () => {
  test("anywhere does not take the row behind it along", () => {
    const torn = inviteRow(writtenCall("torn")).trimEnd();
    const whole = byeRow(writtenCall("whole")).trimEnd();
    for (let at = 1; at <= torn.length; at++) {
      const found = readRow(torn.slice(0, at) + whole);
      expect([at, found?.row.rid, found?.row.kind, found?.isTorn]).toEqual([
        at,
        writtenCall("whole").rid,
        "end",
        true,
      ]);
    }
  });

  test("and without further columns is not a row", () => {
    for (let at = 0; at < INVITE.length - 1; at++) expect(readRow(INVITE.slice(0, at))).toBeUndefined();
  });
});

test.each([
  ["another method", INVITE.replace("INVITE", "SUBSCRIBE")],
  ["an id that is none", INVITE.replace("d1d65e35312d4db28306db0d41a81a3a", "<null>")],
  ["a moment that is none", INVITE.replace("1794737945.277656", "0")],
  ["a code that is none", INVITE.replace("|200|", "||")],
  ["nothing", ""],
  ["bars alone", "|".repeat(12)],
])("does not read a line with %s as a row", (_, line) => {
  expect(readRow(line)).toBeUndefined();
});

test("a called number may have in it what parts a call's fields", () => {
  expect(readRow(INVITE.replace("+4930901820", "a~b~"))!.row).toMatchObject({
    called: "a~b~",
    trunk: "acme",
  });
});

test("what callers made up is kept without anything that would trouble a database, and no longer than it may be", () => {
  const strange = INVITE.replace("+15550009999", `a%7Cb\u0007\u0000\t${"x".repeat(600)}😀`);
  const { caller } = readRow(strange)!.row;
  expect(caller).toHaveLength(255);
  expect(caller!.startsWith("a|bxxx")).toBe(true);
  const cut = readRow(INVITE.replace("+15550009999", `${"x".repeat(254)}😀`))!.row.caller;
  expect(cut).toBe("x".repeat(254));
});
