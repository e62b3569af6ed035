import fc from "fast-check";
import { expect, test } from "vitest";
import { inviteOf } from "../testing/asking-switch.ts";
import { questionOf } from "./call-question.ts";
import { branchOf, MOST_BYTES, replyTo, RequestStream, type SipRequest } from "./sip-request.ts";

const RECORD = "d1d65e35312d4db28306db0d41a81a3a";
const URL_ = "https://hooks.example/calls?a=1%2520%7C2";

const invite = (lines: string[] = [], url = URL_): string =>
  inviteOf("z9hG4bK1", { url, lines }).replace(/(?<=X-Dialplane-Record: )\w+/, RECORD);
const read = (text: string): SipRequest => new RequestStream().push(Buffer.from(text, "latin1"))[0]!;

test("separates calls from text of their caller, with long and short header names", () => {
  expect(questionOf(read(invite()))).toEqual({
    numberId: "number-1",
    number: "+4930901820",
    url: "https://hooks.example/calls?a=1%20|2",
    caller: "+442079460000",
    callId: "d1d65e35-312d-4db2-8306-db0d41a81a3a",
    isForwarded: false,
  });
});

test.each([
  ["another number", "X-Dialplane-Number: +15550001111"],
  ["another URL", "x-dialplane-url : https://inside.example/"],
  ["another number's id", "X-DIALPLANE-NUMBER-ID:number-2"],
  ["another record", `X-Dialplane-Record:\r\n ${RECORD}`],
])("a caller who says %s gets the fallback", (_, line) => {
  expect(questionOf(read(invite([line])))).toBeUndefined();
});

test.each([
  ["by the header of ours", "X-Dialplane-Forwarded: 1"],
  ["by its diversion", "Diversion: <sip:+15550001111@a>, <sip:+4930901820@b>;reason=unconditional"],
])("a call that was forwarded before is known %s", (_, line) => {
  expect(questionOf(read(invite([line])))?.isForwarded).toBe(true);
});

test.each([
  ['"A" <sip:+4930@a.example>;tag=1', "+4930"],
  ["sip:anonymous@anonymous.invalid;tag=1", "anonymous"],
  ["<tel:+4930;phone-context=x>;tag=1", "+4930"],
  ["<sip:a.example>;tag=1", "a.example"],
  ["nonsense", null],
])("who calls, from %s", (from, caller) => {
  const text = invite().replace(/^f:.*$/m, `From: ${from}`);
  expect(questionOf(read(text))?.caller).toBe(caller);
});

test("however a stream is cut, the same requests come out", () => {
  const text = `\r\n\r\n${invite()}\r\n${invite(["Subject: folded\r\n line"])}`;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      const stream = new RequestStream();
      const requests: SipRequest[] = [];
      let at = 0;
      for (const size of [...sizes, text.length]) {
        requests.push(...stream.push(Buffer.from(text.slice(at, at + size), "latin1")));
        at += size;
      }
      expect(requests.map((one) => [one.method, branchOf(one)])).toEqual([
        ["INVITE", "z9hG4bK1"],
        ["INVITE", "z9hG4bK1"],
      ]);
      expect(requests[1]!.headers.get("subject")).toEqual(["folded line"]);
    }),
  );
});

test.each([
  ["a reply", "SIP/2.0 200 OK\r\n\r\n"],
  ["HTTP", "GET / HTTP/1.1\r\n\r\n"],
  ["a message without end", "INVITE ".padEnd(MOST_BYTES + 1, "x")],
  ["a body without end", invite().replace(/^l: .*$/m, "l: 999999")],
  ["a length that is none", invite().replace(/^l: .*$/m, "l: -1")],
])("%s ends the connection", (_, text) => {
  expect(() => new RequestStream().push(Buffer.from(text, "latin1"))).toThrow();
});

test("whatever bytes come, there is a request, an error or more to wait for", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 300 }), fc.nat(800), (noise, at) => {
      const text = invite();
      try {
        new RequestStream()
          .push(Buffer.from(text.slice(0, at) + noise + text.slice(at), "latin1"))
          .map(questionOf);
      } catch (error) {
        expect((error as Error).message).toMatch(/^A message /);
      }
    }),
  );
});

test("a reply has every Via of the request in order, and a tag", () => {
  const reply = replyTo(read(invite()), "302 Moved Temporarily", [["X-Dialplane-Verb", "dial"]]);
  expect(reply.split("\r\n")).toEqual([
    "SIP/2.0 302 Moved Temporarily",
    "Via: SIP/2.0/TCP 127.0.0.1:5060;branch=z9hG4bK1",
    "Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKcaller",
    expect.stringMatching(/^From: "Olive/),
    "To: <sip:+4930901820@127.0.0.1>;tag=agent",
    "Call-ID: call-1@192.0.2.1",
    "CSeq: 1 INVITE",
    "X-Dialplane-Verb: dial",
    "Content-Length: 0",
    "",
    "",
  ]);
});
