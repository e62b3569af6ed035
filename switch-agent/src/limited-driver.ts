import type { SwitchDriver } from "./driver.ts";
import type { HeldItem } from "./held-item.ts";

/** Reading a whole shard, or summing up the whole table, takes a busy switch seconds. */
const WHOLE_TABLE_FACTOR = 6;

/** The same driver, whose questions end with an error when the switch is silent. */
export function limitWaiting(driver: SwitchDriver, waitMs: number): SwitchDriver {
  return {
    ...(driver.sockets && { sockets: driver.sockets }),
    get features() {
      return driver.features ?? [];
    },
    boot: () => within(waitMs, driver.boot()),
    apply: (changes, answer) => driver.apply(changes, answer),
    read: (names) => within(waitMs, driver.read(names)),
    digests: () => within(waitMs * WHOLE_TABLE_FACTOR, driver.digests()),
    hash: (item) => driver.hash(item),
    readShard: (shard) => within(waitMs * WHOLE_TABLE_FACTOR, driver.readShard(shard)),
    health: () => within(waitMs, driver.health()),
    watch: (restarted) => driver.watch?.(restarted),
    // These need no timeout: the driver limits each of their steps.
    refill: async () => driver.refill?.(),
    ...(driver.load && { load: (listItems: () => HeldItem[]) => driver.load!(listItems) }),
    markComplete: async () => driver.markComplete?.() ?? true,
    drain: (isDraining) => driver.drain?.(isDraining),
  };
}

async function within<Value>(waitMs: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${waitMs / 1000} s.`)), waitMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
