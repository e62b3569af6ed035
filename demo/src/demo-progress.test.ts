import { expect, test } from "vitest";
import { showProgress } from "./demo-progress.ts";

test("repeats a step that takes long, and stops when it is finished", async () => {
  const lines: string[] = [];
  const progress = showProgress((text) => void lines.push(text.replace(/^ *\d+\.\d s {2}/, "")), 5);
  progress.step("Starting PostgreSQL");
  await expect.poll(() => lines.length).toBeGreaterThan(2);
  progress.finish("Ready");
  const shown = [...lines];
  expect(shown.slice(0, 2)).toEqual(["Starting PostgreSQL\n", "Starting PostgreSQL (in progress)\n"]);
  expect(shown.at(-1)).toBe("Ready\n");
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(lines).toEqual(shown);
});
