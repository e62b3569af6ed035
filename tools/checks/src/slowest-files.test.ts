import { expect, test } from "vitest";
import { describeSlowest } from "./slowest-files.ts";

test("the ten slowest files are shown, the slowest first", () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ file: `${at}.test.ts`, seconds: at * 1.5 }));
  const lines = describeSlowest(files);
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("   16.5 s  11.test.ts");
  expect(lines[9]).toBe("    3.0 s  2.test.ts");
});
