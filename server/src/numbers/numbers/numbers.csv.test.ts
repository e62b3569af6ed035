import { describe, expect, test } from "vitest";
import { CsvFault, csvLine, readCsv } from "./numbers.csv.ts";

const rows = (text: string): string[][] => [...readCsv(text)].map(({ cells }) => cells);

describe("reading", () => {
  test.each([
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["\uFEFFa,b", [["a", "b"]]],
    ['"a,b","c ""d"""', [["a,b", 'c "d"']]],
    ['"a\r\nb",c', [["a\r\nb", "c"]]],
    [
      "a,\n,",
      [
        ["a", ""],
        ["", ""],
      ],
    ],
    ["", []],
  ])("%j is %j", (text, expected) => {
    expect(rows(text)).toEqual(expected);
  });

  test("a row knows on which line it begins", () => {
    expect([...readCsv('a\n"b\nc"\nd')].map(({ line }) => line)).toEqual([1, 2, 4]);
  });

  test.each(['a"b', '"a"b', '"a', "a\rb"])("rejects %j", (text) => {
    expect(() => rows(`x\n${text}`)).toThrow(CsvFault);
  });
});

describe("writing", () => {
  test.each([
    ["=1+1", "'=1+1"],
    ["+SUM(A1)", "'+SUM(A1)"],
    ["-2", "'-2"],
    ["@x", "'@x"],
    ["\tx", "'\tx"],
    ["\rx", '"\'\rx"'],
    ["+4930901820", "+4930901820"],
    ['say "hi", now', '"say ""hi"", now"'],
    [null, ""],
    [true, "true"],
  ])("%j is written as %j", (value, expected) => {
    expect(csvLine([value])).toBe(`${expected}\r\n`);
  });
});
