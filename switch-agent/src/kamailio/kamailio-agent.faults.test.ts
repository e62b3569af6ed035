import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { HeldItem } from "../held-item.ts";
import { eventually } from "../testing/agent-bench.ts";
import { type ControlLineProxy, type Fate, openControlLineProxy } from "../testing/control-line-proxy.ts";
import { openDnsServer } from "../testing/dns-server.ts";
import {
  changeAll,
  CONNECTION,
  id,
  isApplied,
  type KamailioBench,
  number,
  openKamailioBench,
  route,
  target,
  until,
} from "../testing/kamailio-bench.ts";

async function openFaultyBench(): Promise<{ bench: KamailioBench; line: ControlLineProxy }> {
  const bench = await openKamailioBench();
  const line = await openControlLineProxy(bench.kamailio.settings.control_port);
  onTestFinished(() => line[Symbol.asyncDispose]());
  return { bench, line };
}

/** Numbers of a shard in the file that the switch reads when its memory is not whole. */
function countStored({ kamailio }: KamailioBench, shard: number): number {
  using db = new DatabaseSync(join(kamailio.settings.data_dir, "switch.sqlite"), { readOnly: true });
  const sql = "select count(*) as count from rows where tbl = 'rt' and shard = ?";
  return (db.prepare(sql).get(shard) as { count: number }).count;
}

function findStored({ kamailio }: KamailioBench, key: string): string | undefined {
  using db = new DatabaseSync(join(kamailio.settings.data_dir, "switch.sqlite"), { readOnly: true });
  const row = db.prepare("select value from rows where tbl = 'rt' and key = ?").get(key);
  return (row as { value: string } | undefined)?.value;
}

/** By the file, which counts while memory is not whole. */
function isMarkedComplete({ kamailio }: KamailioBench): boolean {
  using db = new DatabaseSync(join(kamailio.settings.data_dir, "switch.sqlite"), { readOnly: true });
  return db.prepare("select 1 from marks where name = 'complete' and value = '1'").get() !== undefined;
}

test("replies 404 only after every shard was received", async () => {
  const bench = await openKamailioBench();
  changeAll(bench);
  const rest = Promise.withResolvers<void>();
  const held = (name: string) => bench.held("sys", name);
  bench.start(
    {},
    {},
    {
      report: (report) => bench.control.report(report),
      async *follow(position, signal) {
        for await (const message of bench.control.follow(position, signal)) {
          if ("shard" in message && message.shard === 1) await rest.promise;
          yield message;
        }
      },
    },
  );
  await eventually(() => bench.control.reported.get(0)?.version === bench.control.versionOf(0));
  // Long enough for several signs of life.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([await held("synced"), await held("complete"), await bench.held("rt", number(1))]).toEqual([
    "0",
    "0",
    undefined,
  ]);
  expect(isMarkedComplete(bench)).toBe(false);
  rest.resolve();
  await until(async () => (await held("synced")) === "1");
  expect([await held("complete"), isMarkedComplete(bench)]).toEqual(["1", true]);
  expect(await bench.held("rt", number(1))).toContain("sip:a@192.0.2.1");
});

test("that memory is whole is never said to a switch that has restarted since, and is empty", async () => {
  const { bench, line } = await openFaultyBench();
  changeAll(bench);
  let [isBroken, hasRestarted, wasEmpty] = [false, false, false];
  line.decide(async (frame) => {
    if (hasRestarted) {
      const [synced, row] = [await bench.held("sys", "synced"), await bench.held("rt", number(1))];
      if (synced === "1" && row === undefined) wasEmpty = true;
      return "pass";
    }
    if (isBroken) return "break";
    if (!frame.includes("\nsynced 1")) return "pass";
    isBroken = true;
    await bench.kamailio.restart();
    hasRestarted = true;
    return "break";
  });
  bench.start({}, { controlPort: line.port });
  await until(async () => hasRestarted && (await bench.held("sys", "synced")) === "1");
  expect(await bench.held("rt", number(1))).toContain("sip:a@192.0.2.1");
  expect(wasEmpty).toBe(false);
});

test("a switch that restarts while it is read costs the file nothing", async () => {
  const { bench, line } = await openFaultyBench();
  changeAll(bench);
  bench.start({}, { controlPort: line.port });
  await until(async () => (await bench.held("sys", "synced")) === "1");
  expect(countStored(bench, 0)).toBe(150);
  let asked = 0;
  line.decide(async (frame) => {
    if (!frame.startsWith("G ") || ++asked !== 2) return "pass";
    await bench.kamailio.restart();
    return "break";
  });
  await expect(bench.driver().readShard(0)).rejects.toThrow();
  expect([asked > 2, countStored(bench, 0)]).toEqual([true, 150]);
});

test("a route that could not be taken away is not said to be gone", async () => {
  const { bench, line } = await openFaultyBench();
  changeAll(bench, 4);
  bench.start({}, { controlPort: line.port });
  await eventually(() => isApplied(bench));
  const lost: string[] = [];
  line.decide((frame) => {
    if (!frame.startsWith("S ")) return "pass";
    lost.push(frame);
    return "lose";
  });
  bench.control.change(0, [{ id: id(2), value: null }]);
  const shown = () => bench.control.reported.get(0)!.exceptions;
  await eventually(() => shown().some((one) => one.id === id(2) && one.state === "failed"));
  // It is retried, too, and still not believed.
  const before = lost.length;
  await eventually(() => lost.length > before);
  expect(await bench.held("rt", number(2))).toContain("sip:a@192.0.2.1");
  expect(shown()).toMatchObject([{ id: id(2), applied: { value: route(2) } }]);
  line.decide(() => "pass");
  await eventually(() => isApplied(bench));
  expect(await bench.held("rt", number(2))).toBeUndefined();
});

test.each([
  ["whole", "1"],
  ["not yet whole", "0"],
])(
  "an agent that died while it changed weights takes no target from the calls of a switch whose memory is %s",
  async (_memory, synced) => {
    const { bench, line } = await openFaultyBench();
    const { kamailio, control } = bench;
    changeAll(bench, 2);
    bench.start({}, { controlPort: line.port });
    await until(async () => (await bench.held("sys", "synced")) === "1");
    const setInUse = async (): Promise<string> => (await bench.held("cn", CONNECTION))!.split("|")[4]!;
    const listed = async (): Promise<string[]> => {
      const answer = (await kamailio.rpc("dispatcher.list")) as {
        RECORDS: { SET: { ID: number; TARGETS: unknown[] } }[];
      };
      return answer.RECORDS.flatMap(({ SET: { ID: set, TARGETS: targets } }) =>
        targets.map(() => `${set}=11`),
      );
    };
    const former = await setInUse();
    let lost = 0;
    line.decide((frame) => {
      if (!/^S \d+ cn\n/.test(frame)) return "pass";
      lost += 1;
      return "lose";
    });
    const targets = [target("192.0.2.1", 5), target("192.0.2.2", 3)];
    control.change(0, [{ kind: "connection", id: CONNECTION, value: { targets } }]);
    await eventually(() => lost > 0);
    await bench.stop();
    await kamailio.rpc("htable.sets", ["sys", "synced", synced]);
    lost = 0;
    bench.start({}, { controlPort: line.port });
    // It has compared by now what is there, and may not tell.
    await eventually(() => lost > 0);
    expect(await setInUse()).toBe(former);
    expect((await listed()).filter((set) => set === former)).toHaveLength(2);

    line.decide(() => "pass");
    await until(async () => (await setInUse()) !== former);
    await eventually(() => isApplied(bench));
    await bench.driver().digests();
    expect(await listed()).toEqual(Array(2).fill(await setInUse()));
  },
);

/** The service returns with another holder of a number. Returns each later update of the number. */
async function changeHolder(
  { control }: KamailioBench,
  line: ControlLineProxy,
  fate: Fate,
): Promise<string[]> {
  const told: string[] = [];
  line.decide((frame) => {
    const lines = /^S \d+ rt\n/.test(frame) ? frame.split("\n").slice(1) : [];
    told.push(...lines.filter((text) => text.startsWith(number(1))));
    return lines.length > 0 ? fate : "pass";
  });
  control.startEpoch("epoch-2", (shards) => {
    const { items } = shards.get(1)!;
    items.delete(`route/${id(1)}`);
    items.set(`route/${id(5)}`, {
      kind: "route",
      id: id(5),
      version: 1,
      generation: 9,
      value: route(1, "b"),
    });
  });
  await eventually(() => told.length > 0);
  return told;
}

test("a number that another holds by now goes over at once, in memory and file", async () => {
  const { bench, line } = await openFaultyBench();
  changeAll(bench, 2);
  bench.start({}, { controlPort: line.port });
  await until(async () => (await bench.held("sys", "synced")) === "1");
  const told = await changeHolder(bench, line, "pass");
  await eventually(() => isApplied(bench));
  expect(await bench.held("rt", number(1))).toContain(`|${id(5)}|sip:b@`);
  expect(findStored(bench, number(1))).toBe(await bench.held("rt", number(1)));
  expect(told.filter((text) => !text.includes(id(5)))).toEqual([]);
  const shown = bench.control.reports.flatMap(({ shards }) => shards.flatMap(({ exceptions }) => exceptions));
  expect(shown.filter(({ state }) => state === "failed")).toEqual([]);
});

test("the former route of a number that could not go over is not said to be gone", async () => {
  const { bench, line } = await openFaultyBench();
  changeAll(bench, 2);
  bench.start({}, { controlPort: line.port });
  await until(async () => (await bench.held("sys", "synced")) === "1");
  line.decide((frame) => (frame.startsWith("S ") ? "lose" : "pass"));
  const next = { kind: "route", id: id(5), shard: 1, generation: 9, value: route(1, "b") } as const;
  const changes = [{ ...next, want: next }, { kind: "route", id: id(1), shard: 1, want: null } as const];
  const errors: (string | null)[] = [];
  await bench.driver().apply(changes, (_change, error) => void errors.push(error));
  const words = "The switch did not respond on its control connection within 4 s.";
  expect(errors).toEqual([words, words]);
  const read = (): Promise<(HeldItem | null)[]> => bench.driver().read([{ kind: "route", id: id(1) }]);
  await until(async () => (await read().catch(() => [])).some((item) => item?.id === id(1)));
  line.decide(() => "pass");
  await bench.driver().apply(changes, () => undefined);
  expect(await read()).toEqual([null]);
  expect(await bench.held("rt", number(1))).toContain(id(5));
});

test("deletes unused addresses of a name from memory and file after a while, and adds them again", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  for (const name of ["a.example", "b.example"]) dns.zone.set(name, [{ type: "A", address: "127.0.0.5" }]);
  const bench = await openKamailioBench();
  bench.start({ auditMs: 200 }, { dnsServers: [dns.address], egressAllow: "127.0.0.0/8" });
  const at = (host: string) =>
    ({ e164: number(1), mode: "sip_uri", sip_uri: `sip:a@${host}:5060;transport=udp` }) as const;
  const change = async (host: string, targets: string[]): Promise<void> => {
    bench.control.change(0, [
      { id: id(1), value: at(host) },
      { kind: "connection", id: CONNECTION, value: { targets: targets.map((name) => target(name)) } },
    ]);
    await eventually(() => isApplied(bench));
  };
  const held = (host: string) => bench.held("host", `${host}:5060;udp`);
  await change("a.example", ["a.example"]);
  await change("b.example", ["a.example"]);
  expect([await held("a.example"), await held("b.example")]).toEqual(Array(2).fill("127.0.0.5:5060;udp"));
  await change("b.example", ["b.example"]);
  // A call may wait for its program in the meantime, and fall back to it.
  for (let look = 0; look < 3; look++) await bench.driver().digests();
  expect(await held("a.example")).toBe("127.0.0.5:5060;udp");
  await until(async () => (await held("a.example")) === undefined);
  await bench.kamailio.restart();
  await until(async () => (await bench.held("sys", "synced")) === "1");
  expect([await held("a.example"), await held("b.example")]).toEqual([undefined, "127.0.0.5:5060;udp"]);
  await change("a.example", ["b.example"]);
  expect(await held("a.example")).toBe("127.0.0.5:5060;udp");
});

test("resolves a name again that was dropped during its look-up", async () => {
  const dns = await openDnsServer();
  onTestFinished(() => dns.close());
  dns.zone.set("a.example", [{ type: "A", address: "127.0.0.5" }]);
  dns.isSilent = true;
  const bench = await openKamailioBench();
  bench.start({}, { dnsServers: [dns.address], egressAllow: "127.0.0.0/8" });
  const at = (host: string) =>
    ({ e164: number(1), mode: "sip_uri", sip_uri: `sip:a@${host}:5060;transport=udp` }) as const;
  bench.control.change(0, [{ id: id(1), value: at("a.example") }]);
  await eventually(() => dns.asked.includes("a.example"));
  bench.control.change(0, [{ id: id(1), value: at("127.0.0.6") }]);
  await until(async () => (await bench.held("rt", number(1)))?.includes("127.0.0.6") === true);
  dns.isSilent = false;
  // The second look-up of the first name gets a response, but no route uses the name now.
  await eventually(() => dns.asked.filter((name) => name === "a.example").length >= 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  bench.control.change(0, [{ id: id(1), value: at("a.example") }]);
  await eventually(() => isApplied(bench));
  expect(await bench.held("host", "a.example:5060;udp")).toBe("127.0.0.5:5060;udp");
});
