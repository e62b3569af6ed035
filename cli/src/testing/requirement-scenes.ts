import { vi } from "vitest";
import type { CliScene, Stage } from "./cli-scene.ts";

const TEST = ["-e", "test"];
/** The carrier of the test environment needs an address for it. */
const REGULATED = "+16285550150";

interface WithId {
  id: string;
}
interface Requirement {
  status: string;
}

const firstOf = async ({ ask }: Stage, noun: string): Promise<string> =>
  (await ask<WithId[]>(noun, "list", ...TEST))[0]!.id;

/** An order that waits for an address. */
async function waitingOrder({ ask }: Stage): Promise<string> {
  const { id } = await ask<WithId>("order", "--number", REGULATED, "--no-wait", ...TEST);
  await vi.waitFor(
    async () => {
      const rows = await ask<{ items: { requirements: Requirement[] }[] }>("orders", "show", id, ...TEST);
      if (rows.items[0]!.requirements.length === 0) throw new Error("Not waiting yet.");
    },
    { timeout: 20_000, interval: 200 },
  );
  return id;
}
let order: Promise<string> | undefined;
const orderOf = (stage: Stage): Promise<string> => (order ??= waitingOrder(stage));

export const REQUIREMENT_SCENES: CliScene[] = [
  {
    name: "addresses create",
    args: () => [
      "--name",
      "Northwind Telecom Inc.",
      "--street",
      "500 Howard Street",
      "--city",
      "San Francisco",
      "--postal-code",
      "94105",
      "--region",
      "California",
      "--country",
      "us",
      ...TEST,
    ],
  },
  { name: "addresses list", args: () => TEST },
  { name: "addresses show", args: async (stage) => [await firstOf(stage, "addresses"), ...TEST] },
  {
    name: "documents upload",
    args: ({ file }) => [file("%PDF-1.7\n"), "--kind", "identity", "--name", "passport.pdf", ...TEST],
  },
  { name: "documents list", args: () => TEST },
  { name: "documents show", args: async (stage) => [await firstOf(stage, "documents"), ...TEST] },
  {
    name: "documents delete",
    args: async (stage) => [await firstOf(stage, "documents"), ...TEST],
    isOnce: true,
  },
  { name: "orders requirements", args: async (stage) => [await orderOf(stage), ...TEST] },
  {
    name: "orders submit",
    args: async (stage) => {
      const address = await firstOf(stage, "addresses");
      return [await orderOf(stage), "address", "--address", address, ...TEST];
    },
    isOnce: true,
  },
  {
    name: "addresses delete",
    async args({ ask }) {
      const { id } = await ask<WithId>(
        "addresses",
        "create",
        "--name",
        "Former",
        "--street",
        "1 Main Street",
        "--city",
        "Oakland",
        "--postal-code",
        "94607",
        "--country",
        "us",
        ...TEST,
      );
      return [id, ...TEST];
    },
    isOnce: true,
  },
];
