import { describe, expect, test } from "vitest";
import type { SwitchChange, SwitchDriver } from "../driver.ts";
import { type HeldItem, type ItemName, sumOf } from "../held-item.ts";

export interface DriverUnderTest {
  driver: SwitchDriver;
  /** Restarts the switch, which loses its memory. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const route = (id: string, shard = 0, generation = 1): HeldItem => ({
  kind: "route",
  id,
  shard,
  generation,
  value: { e164: `+1415555${id.padStart(4, "0")}`, mode: "sip_uri", sip_uri: `sip:g${generation}@192.0.2.1` },
});
const connection = (id: string): HeldItem => ({
  kind: "connection",
  id,
  shard: 0,
  generation: 1,
  value: {
    targets: [{ host: "192.0.2.1", port: 5060, transport: "udp", priority: 1, weight: 1 }],
    max_calls: 5,
    sources: ["192.0.2.0/28"],
  },
});
const set = (want: HeldItem): SwitchChange => ({ kind: want.kind, id: want.id, shard: want.shard, want });
const remove = ({ kind, id, shard }: HeldItem): SwitchChange => ({ kind, id, shard, want: null });
const name = ({ kind, id }: HeldItem): ItemName => ({ kind, id });

/** Guarantees that the agent requires of every kind of switch. */
export function describeDriver(kind: string, openDriver: () => Promise<DriverUnderTest>): void {
  describe(`a ${kind} switch`, () => {
    test.each(Object.entries(guarantees))("%s", async (_guarantee, prove) => {
      const given = await openDriver();
      try {
        await prove(given);
      } finally {
        await given.close();
      }
    });
  });
}

const guarantees: Record<string, (given: DriverUnderTest) => Promise<void>> = {
  async "responds to each change once"({ driver }) {
    const changes = [set(route("1")), set(connection("c")), remove(route("2"))];
    const answers = await applied(driver, changes);
    expect(answers).toEqual(changes.map((change) => [change, null]));
  },

  async "returns its exact value, or null if it has none"({ driver }) {
    await applied(driver, [set(route("1")), set(connection("c"))]);
    const names = [name(connection("c")), name(route("2")), name(route("1"))];
    expect(await driver.read(names)).toEqual([connection("c"), null, route("1")]);
  },

  async "returns all steps of a route, if it is able to fail over"({ driver }) {
    await driver.boot();
    if (!driver.features?.includes("failover")) return;
    const steps: HeldItem = {
      ...route("1"),
      value: {
        e164: "+14155550001",
        mode: "sip_uri",
        sip_uri: "sip:a@192.0.2.1",
        ring_seconds: 20,
        fallback: {
          mode: "webhook",
          webhook_url: "https://h.example/?a=|",
          on: ["no_answer", "busy"],
          fallback: { mode: "forward", forward_to: "+442079460000", on: ["unreachable"] },
        },
      },
    };
    await applied(driver, [set(steps)]);
    expect(await driver.read([name(steps)])).toEqual([steps]);
    expect((await driver.digests()).get(0)).toBe(driver.hash(steps));
  },

  async "holds the last of several changes to an item"({ driver }) {
    await applied(driver, [set(route("1", 0, 1)), remove(route("1")), set(route("1", 0, 2))]);
    expect(await driver.read([name(route("1"))])).toEqual([route("1", 0, 2)]);
    await applied(driver, [remove(route("1"))]);
    expect(await driver.read([name(route("1"))])).toEqual([null]);
  },

  async "lists a shard and nothing else"({ driver }) {
    await applied(driver, [set(route("1", 0)), set(connection("c")), set(route("2", 1))]);
    const held = await driver.readShard(0);
    expect(held.sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual([route("1"), connection("c")]);
    expect(await driver.readShard(7)).toEqual([]);
  },

  async "computes the same digest of a shard as the agent, in any order of changes"({ driver }) {
    await applied(driver, [set(route("9")), set(route("2")), set(connection("c")), set(route("1", 1))]);
    await applied(driver, [remove(route("9")), set(route("2", 0, 5))]);
    const sum = sumOf(driver.hash(connection("c")), driver.hash(route("2", 0, 5)));
    expect(await driver.digests()).toEqual(
      new Map([
        [0, sum],
        [1, driver.hash(route("1", 1))],
      ]),
    );
    await applied(driver, [remove(route("1", 1))]);
    expect((await driver.digests()).get(1) ?? 0n).toBe(0n);
  },

  async "computes different digests of different values"({ driver }) {
    const variants = [route("1"), route("2"), route("1", 1), route("1", 0, 2), connection("1")];
    expect(new Set(variants.map((item) => driver.hash(item))).size).toBe(variants.length);
  },

  async "has another boot and nothing in memory after a restart"({ driver, restart }) {
    await applied(driver, [set(route("1"))]);
    const before = await driver.boot();
    expect(await driver.boot()).toBe(before);
    await restart();
    expect(await driver.boot()).not.toBe(before);
    expect(await driver.read([name(route("1"))])).toEqual([null]);
    expect(await driver.digests()).toEqual(new Map());
  },

  async "reports the health and addresses of each connection's targets"({ driver }) {
    await applied(driver, [set(route("1")), set(connection("c")), set(connection("d"))]);
    await applied(driver, [remove(connection("d"))]);
    const state = expect.stringMatching(/^(up|down|unknown)$/);
    expect(await driver.health()).toEqual([
      {
        id: "c",
        targets: [
          {
            host: "192.0.2.1",
            port: 5060,
            transport: "udp",
            state,
            addresses: [{ address: "192.0.2.1:5060", state }],
          },
        ],
      },
    ]);
  },

  async "accepts thousands of changes at once"({ driver }) {
    const items = Array.from({ length: 3_000 }, (_, place) => route(String(place)));
    const answers = await applied(driver, items.map(set));
    expect(answers.filter(([, error]) => error !== null)).toEqual([]);
    expect(await driver.read(items)).toEqual(items);
  },
};

async function applied(
  driver: SwitchDriver,
  changes: SwitchChange[],
): Promise<[SwitchChange, string | null][]> {
  const answers: [SwitchChange, string | null][] = [];
  await driver.apply(changes, (change, error) => answers.push([change, error]));
  expect(answers).toHaveLength(changes.length);
  return answers;
}
