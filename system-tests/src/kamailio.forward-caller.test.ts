import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type GatewayBench, openGatewayBench, TO } from "./sip/gateway-bench.ts";
import { answerWith, type Phone } from "./sip/phone.ts";
import { calleeDialogOf, type CallOptions, writeInDialog } from "./sip/sip-call.ts";
import { headerOf, headersOf, type SipMessage, uriIn } from "./sip/sip-message.ts";

/** Headers that a gateway gets about the caller and about earlier forwarding. */

const PAYER = "01a1ddd5-9839-7833-89c5-be12f8a6a618";
const CALLER = "+15550009999";
const FIXED = "+493010000001";
const TRUSTED_ASSERTED: [string, string] = ["P-Asserted-Identity", "<sip:+15550001111@carrier.invalid>"];

let bench: GatewayBench;
let gateway: Phone;
beforeAll(async () => {
  bench = await openGatewayBench(
    [
      { name: "plain", priority: 1, ping: false },
      {
        name: "trusted",
        priority: 2,
        ping: false,
        gateway: { in_trust_domain: true, history_info: true },
      },
    ],
    { installation: "north" },
    { trusts_identity: true },
  );
});
beforeEach(() => {
  gateway = bench.gateways["plain"]!;
  gateway.behave(answerWith("200 OK"));
});
afterAll(() => bench?.[Symbol.asyncDispose]());

async function present(caller: string, identity: "keep" | "drop"): Promise<string> {
  await bench.kamailio.set("org", { [PAYER]: `|||${caller}|${identity}|1` });
  return bench.forwarded(TO, PAYER);
}
const userIn = (header: string): string => /sips?:([^@]+)@/.exec(header)![1]!;
/** To the gateway in the trust domain. */
const useTrusted = (): void => {
  gateway.behave(answerWith("503 Down"));
  gateway = bench.gateways["trusted"]!;
};

async function inviteOf(number: string, options: CallOptions = {}): Promise<SipMessage> {
  const before = gateway.requests("INVITE").length;
  const call = await bench.call(number, options);
  expect(call.status).toBe(200);
  expect(await call.bye()).toBe(200);
  return gateway.requests("INVITE")[before]!;
}

describe("the caller ID", () => {
  test.each([
    ["pass", () => CALLER],
    ["called", (number: string) => number],
    [FIXED, () => FIXED],
  ])("of policy %s reaches the gateway, and the caller sees no other", async (policy, expected) => {
    const number = await present(policy, policy === "pass" ? "keep" : "drop");
    const call = await bench.call(number);
    const invite = gateway.requests("INVITE").at(-1)!;
    expect(userIn(headerOf(invite, "From"))).toBe(expected(number));
    expect(userIn(headerOf(call.final, "From"))).toBe(CALLER);
    // Requests within the call, both ways, keep what each party has seen.
    expect(await call.ask("INFO")).toBe(200);
    expect(userIn(headerOf(gateway.requests("INFO").at(-1)!, "From"))).toBe(expected(number));
    const dialog = calleeDialogOf(invite, { ...call.final, headers: call.final.headers });
    const bye = writeInDialog(gateway, { ...dialog, remote: headerOf(invite, "From") }, "BYE");
    expect((await gateway.ask(bye, bench.kamailio.at)).status).toBe(200);
    expect(userIn(headerOf(bench.caller.requests("BYE").at(-1)!, "To"))).toBe(CALLER);
    const [row] = await bench.rowsOf(call.dialog.callId, 2);
    expect(row!.caller).toBe(CALLER);
  });

  test("is changed back in a call that outlives a restart of the switch", async () => {
    const number = await present(FIXED, "drop");
    const call = await bench.call(number);
    const invite = gateway.requests("INVITE").at(-1)!;
    await bench.kamailio.kill();
    await bench.kamailio.start();
    await bench.kamailio.mark({ synced: "1", complete: "1" });
    const dialog = calleeDialogOf(invite, call.final);
    const bye = writeInDialog(gateway, { ...dialog, remote: headerOf(invite, "From") }, "BYE");
    expect((await gateway.ask(bye, bench.kamailio.at)).status).toBe(200);
    expect(userIn(headerOf(bench.caller.requests("BYE").at(-1)!, "To"))).toBe(CALLER);
  });

  test("is not to be read from the headers of a request with another", async () => {
    const invite = await inviteOf(await present("called", "drop"));
    const decoded = headersOf(invite, "Record-Route")
      .flatMap((route) => uriIn(route).split(";"))
      .map((part) => Buffer.from(part.replace(/^vsf=/, ""), "base64").toString("latin1"));
    expect([invite.startLine, ...headersOf(invite, "Record-Route"), ...decoded].join()).not.toContain(CALLER);
  });
});

describe("the asserted identity", () => {
  const identities = (invite: SipMessage): string[] => [
    ...headersOf(invite, "P-Asserted-Identity"),
    ...headersOf(invite, "Remote-Party-ID"),
  ];
  const headers: [string, string][] = [
    TRUSTED_ASSERTED,
    ["Remote-Party-ID", "<sip:+15550001111@carrier.invalid>"],
  ];

  test("is removed with another caller ID", async () => {
    expect(identities(await inviteOf(await present("called", "drop"), { headers }))).toEqual([]);
    expect(identities(await inviteOf(await present("pass", "keep"), { headers }))).toHaveLength(2);
  });

  test("still reaches a gateway in the trust domain", async () => {
    useTrusted();
    const number = await present("called", "drop");
    const invite = await inviteOf(number, { headers });
    expect(headersOf(invite, "P-Asserted-Identity")).toEqual([TRUSTED_ASSERTED[1]]);
    expect(userIn(headerOf(invite, "From"))).toBe(number);
  });

  test("in the Identity header is kept or dropped", async () => {
    const signed = {
      headers: [["Identity", "eyJ.signature;info=<https://x.invalid>"]] as [string, string][],
    };
    expect(headersOf(await inviteOf(await present("pass", "keep"), signed), "Identity")).toHaveLength(1);
    expect(headersOf(await inviteOf(await present("pass", "drop"), signed), "Identity")).toEqual([]);
  });
});

describe("the history", () => {
  const historyOf = (invite: SipMessage): string[] => headersOf(invite, "History-Info");

  test("is not added for a gateway that does not want it", async () => {
    expect(historyOf(await inviteOf(await present("pass", "keep")))).toEqual([]);
  });

  test("begins with the called number for a gateway that wants it", async () => {
    useTrusted();
    const number = await present("pass", "keep");
    const { address } = bench.kamailio.at;
    expect(historyOf(await inviteOf(number))).toEqual([
      `<sip:${number}@${address}>;index=1`,
      `<sip:${TO}@${gateway.transport.address};cause=302>;index=1.1;mp=1`,
    ]);
  });

  test("is continued for every gateway, from its last entry", async () => {
    const number = await present("pass", "keep");
    const early = "<sip:+4420700@carrier.invalid>;index=1";
    const last = `<sip:${number}@carrier.invalid;cause=302>;index=1.1;mp=1`;
    const added = (index: string, before: string): string =>
      `<sip:${TO}@${gateway.transport.address};cause=302>;index=${index};mp=${before}`;
    for (const given of [[early, last], [`${early}, ${last}`]])
      expect(
        historyOf(
          await inviteOf(number, {
            headers: given.map((value): [string, string] => ["History-Info", value]),
          }),
        ),
      ).toEqual([...given, added("1.1.1", "1.1")]);
    // The previous hop added no entry for the called number.
    expect(historyOf(await inviteOf(number, { headers: [["History-Info", early]] }))).toEqual([
      early,
      `<sip:${number}@${bench.kamailio.at.address}>;index=1.1`,
      added("1.1.1", "1.1"),
    ]);
  });

  test("keeps what it cannot continue", async () => {
    const odd = "<sip:+4420700@carrier.invalid>";
    const headers: [string, string][] = [["History-Info", odd]];
    expect(historyOf(await inviteOf(await present("pass", "keep"), { headers }))).toEqual([odd]);
  });

  test.each([
    ["486 Busy", "b", "486"],
    ["480 Away", "u", "503"],
  ])("names %s of the step before", async (status, on, cause) => {
    const first = await bench.phone();
    first.behave(answerWith(status));
    const { address, port } = first.transport;
    const number = await present("pass", "keep");
    await bench.kamailio.set("rt", {
      [number]: `U|7|1|id|sip:a@${address}:${port};transport=udp||f|${TO}|${PAYER}||${on}||||||`,
    });
    const headers: [string, string][] = [["History-Info", `<sip:${number}@a.invalid>;index=1`]];
    expect(historyOf(await inviteOf(number, { headers })).at(-1)).toContain(`;cause=${cause}>;index=1.1`);
  });
});

describe("the mark of forwarding", () => {
  test("names the installation, after those of others", async () => {
    const headers: [string, string][] = [["X-Dialplane-Forwarded", "northern"]];
    const invite = await inviteOf(await present("pass", "keep"), { headers });
    expect(headersOf(invite, "X-Dialplane-Forwarded")).toEqual(["northern", "north"]);
  });

  test.each([[["north"]], [["south", "north"]], [["south, north"]]])(
    "rejects a call with %j",
    async (marks) => {
      const number = await present("pass", "keep");
      const call = await bench.call(number, {
        headers: marks.map((mark): [string, string] => ["X-Dialplane-Forwarded", mark]),
      });
      expect(call.status).toBe(482);
    },
  );
});
