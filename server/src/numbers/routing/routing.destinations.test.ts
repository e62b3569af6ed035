import { describe, expect, test } from "vitest";
import { readEgress } from "../../platform/egress-rules.ts";
import { checkForward, checkSipUri, checkTarget, readForwardPrefixes } from "./routing.destinations.ts";

const NOTHING = readEgress("");
const RULES = readEgress("127.0.0.0/8:5060-5090,10.0.0.0/8,8.8.8.8/32:443,-1.1.1.1,.corp.internal");

describe("SS-05 a SIP URI", () => {
  test.each([
    "sip:alice@pbx.example.com",
    "sip:pbx.example.com:1024",
    "sip:pbx.example.com:65535;transport=tcp",
    "sip:a@8.8.8.8",
    "sips:a@8.8.8.8:5061",
    "sip:a@[2606:4700:4700::1111]:5060",
  ])("%j is fine", (text) => {
    expect(checkSipUri(NOTHING, text)).toBeUndefined();
  });

  test.each([
    ["tel:+4930123456", "starts with sip:"],
    ["sip:a@example.com?X=y", "must not have headers"],
    ["sip:a@localhost", "localhost is not a public name"],
    ["sip:a@pbx", "pbx is not a public name"],
    ["sip:a@PBX.local", "pbx.local is not a public name"],
    ["sip:a@pbx.corp.internal", "not a public name"],
    ["sip:a@127.0.0.1", "127.0.0.1 is not a public address"],
    ["sip:a@10.0.0.1:5060", "not a public address"],
    ["sip:a@169.254.169.254:5060", "not a public address"],
    ["sip:a@[::1]", "::1 is not a public address"],
    ["sip:a@[::ffff:10.0.0.1]", "not a public address"],
    ["sip:a@[::7f00:1]", "not a public address"],
    ["sip:a@pbx.example.com:25", "Port 25 is not open"],
    ["sip:a@pbx.example.com:1023", "Port 1023 is not open"],
    ["sip:a@8.8.8.8:53", "Port 53 is not open for calls to 8.8.8.8"],
  ])("rejects %j with the reason", (text, complaint) => {
    expect(checkSipUri(NOTHING, text)).toContain(complaint);
  });

  test.each([
    ["sip:a@127.0.0.1", undefined],
    ["sip:a@127.0.0.1:5090", undefined],
    ["sip:a@127.0.0.1:5091", "Port 5091 is not open"],
    ["sip:a@10.0.0.1:25", undefined],
    ["sip:a@8.8.8.8:443", undefined],
    ["sip:a@8.8.8.8:444", "Port 444"],
    ["sip:a@8.8.4.4:443", "Port 443"],
    ["sip:a@1.1.1.1", "1.1.1.1 is not a public address"],
    ["sip:a@pbx.corp.internal", undefined],
    // A name's addresses are not known yet; so the ports opened for some address do not help it.
    ["sip:a@pbx.example.com:443", "Port 443"],
  ])("%j under the operator's rules: %j", (text, complaint) => {
    const fault = checkSipUri(RULES, text);
    if (complaint === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(complaint);
  });

  test("without a port is checked on the one it means", () => {
    const rules = readEgress("10.0.0.0/8:5061");

    expect(checkSipUri(rules, "sip:a@10.0.0.1")).toContain("Port 5060");
    expect(checkSipUri(rules, "sip:a@10.0.0.1;transport=tls")).toBeUndefined();
    expect(checkSipUri(rules, "sips:a@10.0.0.1")).toBeUndefined();
  });
});

test.each([
  [{ host: "PBX.example.com", port: 5060, transport: "udp" }, undefined],
  [{ host: "8.8.8.8", port: 5060, transport: "tcp" }, undefined],
  [{ host: "2606:4700:4700::1111", port: 5061, transport: "tls" }, undefined],
  [{ host: "10.0.0.1", port: 5060, transport: "udp" }, "not a public address"],
  [{ host: "::1", port: 5060, transport: "udp" }, "not a public address"],
  [{ host: "localhost", port: 5060, transport: "udp" }, "not a public name"],
  [{ host: "pbx.example.com", port: 80, transport: "tcp" }, "Port 80 is not open"],
  [{ host: "[2606:4700:4700::1111]", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "8.8.8.8:5060", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "pbx.example.com;maddr=10.0.0.1", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "a@pbx.example.com", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "pbx.example.com\r\n", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "127.1", port: 5060, transport: "udp" }, "host must be"],
  [{ host: "", port: 5060, transport: "udp" }, "host must be"],
] as const)("the target %j of a connection: %j", (target, complaint) => {
  const fault = checkTarget(NOTHING, target);
  if (complaint === undefined) expect(fault).toBeUndefined();
  else expect(fault).toContain(complaint);
});

describe("forwarding", () => {
  const prefixes = readForwardPrefixes("+49, +1,-1876,+44,+44844!,+870!,+881");
  const number = (e164: string, country: string | null, type: string) => ({ e164, country, type });

  test("is off if no prefix is open, with a reason", () => {
    const wanted = number("+4930123456", "DE", "local");

    expect(checkForward(readForwardPrefixes(""), wanted)).toContain("Forwarding is off");
    expect(checkForward(readForwardPrefixes("-1876"), wanted)).toContain("Forwarding is off");
  });

  test.each([
    ["+4930123456", "DE", "local", undefined],
    ["+4915123456789", "DE", "mobile", undefined],
    ["+12125550123", "US", "local", undefined],
    ["+18005551234", "US", "toll_free", undefined],
    ["+43112345678", "AT", "local", "does not allow"],
    ["+18761234567", "JM", "local", "does not allow"],
    ["+19005551234", "US", "premium", "premium-rate numbers"],
    ["+49180512345", "DE", "shared_cost", "shared-cost numbers"],
    ["+447012345678", "GB", "personal", "personal numbers"],
    ["+447640123456", "GB", "pager", "pagers"],
    ["+15551234567", null, "other", "an unknown type"],
    ["+881612345678", null, "mobile", "satellite phones"],
    ["+448441234567", "GB", "shared_cost", undefined],
    ["+870773111632", null, "mobile", undefined],
  ])("to %s (%s, %s): %j", (e164, country, type, complaint) => {
    const fault = checkForward(prefixes, number(e164, country, type));
    if (complaint === undefined) expect(fault).toBeUndefined();
    else expect(fault).toContain(complaint);
  });

  test("uses the longest matching prefix, in any order", () => {
    const wanted = number("+18765551234", "JM", "local");
    const faultUnder = (text: string) => checkForward(readForwardPrefixes(text), wanted);

    expect(faultUnder("+1,-1876")).toContain("does not allow");
    expect(faultUnder("-1876,+1")).toContain("does not allow");
    expect(faultUnder("-1876,+1876555,+1")).toBeUndefined();
  });

  test.each(["49", "+", "+0", "+49 30", "+49-30", "-1876!", "+1234567890123456", "DE", "+49;+43"])(
    "rejects the prefix %j by name",
    (entry) => {
      expect(() => readForwardPrefixes(`+43,${entry}`)).toThrow(`“${entry}” must be a prefix`);
    },
  );

  test("rejects a prefix that is listed twice", () => {
    expect(() => readForwardPrefixes("+49,+43,-49")).toThrow("49 is listed twice");
  });
});
