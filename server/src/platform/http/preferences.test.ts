import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { ifMatchOf, waitSecondsOf } from "./preferences.ts";

function withHeader(name: string, values: string[]): IncomingMessage {
  return { headersDistinct: values.length > 0 ? { [name]: values } : {} } as unknown as IncomingMessage;
}

describe("If-Match", () => {
  test.each<[sent: string[], tags: string[] | undefined]>([
    [[], undefined],
    [["*"], undefined],
    [[" * "], undefined],
    [['"17"'], ["17"]],
    [['""'], [""]],
    [['"17", "18" ,"19"'], ["17", "18", "19"]],
    [
      ['"17"', '"18"'],
      ["17", "18"],
    ],
    // A weak tag is well-formed and matches nothing.
    [['W/"17"'], []],
    [['W/"17", "18"'], ["18"]],
  ])("%j is read as %j", (sent, tags) => {
    expect(ifMatchOf(withHeader("if-match", sent))).toEqual(tags);
  });

  test.each([
    [""],
    [" "],
    ["17"],
    ['"17'],
    ['17"'],
    ["'17'"],
    ['"1 7"'],
    ['"a"b"'],
    ['w/"17"'],
    ['W/ "17"'],
    ['"17",'],
    [',"17"'],
    ['"17" "18"'],
    ['*, "17"'],
    ["*, *"],
    ['"17", 18'],
  ])("rejects %j", (sent) => {
    expect(() => ifMatchOf(withHeader("if-match", [sent]))).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        options: { errors: [expect.objectContaining({ header: "If-Match", code: "malformed" })] },
      }),
    );
  });
});

describe("Prefer", () => {
  test.each<[sent: string[], seconds: number | undefined]>([
    [[], undefined],
    [["wait=10"], 10],
    [["wait=0"], 0],
    [["wait=30"], 30],
    [["wait=31"], 30],
    [["wait=999999"], 30],
    [["Wait = 5"], 5],
    [['wait="5"'], 5],
    [["respond-async, wait=5"], 5],
    [["respond-async", "wait=5"], 5],
    [["wait=5; strictly"], 5],
    [["wait=5, wait=9"], 5],
    [["wait"], undefined],
    [["wait="], undefined],
    [["wait=-1"], undefined],
    [["wait=1.5"], undefined],
    [["wait=1e1"], undefined],
    [["wait=soon"], undefined],
    [["await=5"], undefined],
    [["return=minimal"], undefined],
    [["wait=99999999999999999999"], undefined],
  ])("%j is %s seconds", (sent, seconds) => {
    expect(waitSecondsOf(withHeader("prefer", sent))).toBe(seconds);
  });
});
