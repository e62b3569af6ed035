import { expect, test } from "vitest";
import { FairSlots, NoSlot } from "./fair-slots.ts";

/** Takes slots and notes who got one, in order. */
function desk(options: { slots: number; share: number; waitMs?: number }): {
  slots: FairSlots;
  served: string[];
  free: Map<string, (() => void)[]>;
  ask(key: string): Promise<void>;
} {
  const slots = new FairSlots({ waitMs: 1_000, ...options });
  const served: string[] = [];
  const free = new Map<string, (() => void)[]>();
  return {
    slots,
    served,
    free,
    async ask(key) {
      const slot = await slots.take(key);
      served.push(key);
      free.set(key, [...(free.get(key) ?? []), () => slot[Symbol.dispose]()]);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("gives a key its share and leaves the rest to others", async () => {
  const { slots, served, ask } = desk({ slots: 4, share: 2 });
  for (let at = 0; at < 5; at++) void ask("a").catch(() => {});
  await settled();
  expect([served, slots.waiting]).toEqual([["a", "a"], 3]);

  await ask("b");
  await ask("c");
  expect(served).toEqual(["a", "a", "b", "c"]);
});

test("serves waiting keys in turn, however many wait for each", async () => {
  const { served, free, ask } = desk({ slots: 2, share: 2 });
  await Promise.all([ask("a"), ask("a")]);
  for (let at = 0; at < 10; at++) void ask("a").catch(() => {});
  for (const key of ["b", "b", "c"]) void ask(key).catch(() => {});

  for (let at = 0; at < 6; at++) {
    const key = [...free.keys()].find((one) => free.get(one)!.length > 0)!;
    free.get(key)!.shift()!();
    await settled();
  }

  expect(served.slice(2, 6).toSorted()).toEqual(["a", "a", "b", "c"].toSorted());
});

test("skips a key that has its share and serves the next", async () => {
  const { served, free, ask } = desk({ slots: 3, share: 2 });
  await Promise.all([ask("a"), ask("a"), ask("b")]);
  void ask("a").catch(() => {});
  void ask("c").catch(() => {});

  free.get("b")!.shift()!();
  await settled();

  expect(served).toEqual(["a", "a", "b", "c"]);
});

test("rejects after the waiting time, and forgets who gave up", async () => {
  const { slots, served, free, ask } = desk({ slots: 1, share: 1, waitMs: 30 });
  await ask("a");

  await expect(ask("a")).rejects.toBeInstanceOf(NoSlot);
  expect(slots.waiting).toBe(0);
  free.get("a")!.shift()!();
  await ask("b");
  expect(served).toEqual(["a", "b"]);
});
