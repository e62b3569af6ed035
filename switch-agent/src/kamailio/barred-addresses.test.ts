import { expect, test } from "vitest";
import { readAddressRules } from "./address-rules.ts";
import { barredUris } from "./barred-addresses.ts";

const isBarred = barredUris(readAddressRules("10.0.0.0/8:5061, -198.41.0.5"));

test.each([
  "sip:a@198.41.0.4",
  "sip:198.41.0.4:5080;transport=tcp",
  "sip:+491@198.41.0.4;user=phone",
  "sips:a@10.0.0.1",
  "sip:a@[2606:4700::1]",
])("calls may go to %s", (uri) => expect(isBarred(uri)).toBe(false));

test.each([
  ["an address inside", "sip:a@10.0.0.1"],
  ["one that the operator barred", "sip:a@198.41.0.5"],
  ["a port of others", "sip:a@198.41.0.4:53"],
  ["this machine", "sip:a@[::1]:5060"],
  ["what is read in two ways", "sip:a@0127.0.0.1"],
  ["what cannot be read", "sip:a@198.41.0.4;maddr=10.0.0.1"],
  ["what has two hosts", "sip:10.0.0.1;a@198.41.0.4"],
  ["what has two hosts, the other way round", "sip:a@198.41.0.4;a@10.0.0.1"],
  ["a name that nobody looked up", "sip:a@pbx.example"],
])("calls may not go to %s", (_what, uri) => expect(isBarred(uri)).toBe(true));
