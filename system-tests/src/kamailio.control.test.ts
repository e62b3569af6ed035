import { createHash } from "node:crypto";
import { get } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBench } from "./sip/call-bench.ts";
import type { CallBench } from "./sip/call-bench.ts";
import { newAddress } from "./sip/loopback.ts";
import { openStream } from "./sip/sip-transport.ts";
import { until } from "./sip/until.ts";

let bench: CallBench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.[Symbol.asyncDispose]());

/** Contribution of a row to its shard's digest: Kamailio's core_hash of the row's MD5. */
function hashOf(row: string): number {
  const bytes = Buffer.from(createHash("md5").update(row).digest("hex"));
  let hash = 0;
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.readUInt32BE(at);
    hash = (hash + ((word ^ (word >>> 3)) >>> 0)) >>> 0;
  }
  return (hash + (hash >>> 11) + (hash >>> 13) + (hash >>> 23)) & 0x3fff_ffff;
}

const row = (index: number): [string, string] => [
  `+1555${String(1_000_000 + index)}`,
  `u|${index}|${index % 3}|id-${index}|sip:a%7C${index}@127.0.0.1:5080||||`,
];

/** All pages of a shard. */
async function readShard(shard: number): Promise<string[][]> {
  const pages: string[][] = [];
  for (let skip: string | undefined = "0"; skip !== undefined;) {
    const page: string[] = (await bench.kamailio.get(`/shard?tbl=rt&shard=${shard}&skip=${skip}`))
      .trim()
      .split("\n");
    skip = /^more (\d+)$/.exec(page.at(-1)!)?.[1];
    pages.push(skip === undefined ? page : page.slice(0, -1));
  }
  return pages;
}

const chunked = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

test("what is set is read back as it is, and is gone when it is taken away", async () => {
  const [key, value] = row(1);
  expect(await bench.kamailio.control("S", "rt", [`${key} ${value}`])).toEqual(["S 3 1"]);
  expect(await bench.kamailio.control("G", "rt", [key, "+1"])).toEqual(["G 4", `${key} ${value}`, "+1"]);
  expect(await bench.kamailio.control("H", "rt", [key, "+1"])).toEqual([
    "H 5",
    String(hashOf(`${key} ${value}`)),
    "-",
  ]);
  await bench.kamailio.control("S", "rt", [key]);
  expect(await bench.kamailio.control("G", "rt", [key])).toEqual(["G 7", key]);
});

test("replies to a keep-alive with the boot and the synced mark", async () => {
  const [answer] = await bench.kamailio.control("P", "", []);
  expect(answer).toMatch(/^P \d+ [0-9a-f-]{36} 1 cfg=5$/);
  await bench.kamailio.mark({ synced: "0" });
  const [later] = await bench.kamailio.control("P", "", []);
  expect(later!.split(" ").slice(2)).toEqual([answer!.split(" ")[2], "0", "cfg=5"]);
  await bench.kamailio.mark({ synced: "1" });
});

test("a digest counts and sums up each shard, and a shard is read page by page", async () => {
  const rows = Array.from({ length: 3600 }, (_, index) => row(index));
  for (let at = 0; at < rows.length; at += 100)
    await bench.kamailio.set("rt", Object.fromEntries(rows.slice(at, at + 100)));
  const expected = [0, 1, 2].map((shard) => {
    const texts = rows.filter((_, index) => index % 3 === shard).map((pair) => pair.join(" "));
    const sum = texts.reduce((total, text) => (total + hashOf(text)) % 2 ** 30, 0);
    return { texts, line: `${shard} ${texts.length} ${sum}` };
  });
  const digest = (await bench.kamailio.get("/digest?tbl=rt")).trim().split("\n").sort();
  expect(digest).toEqual(expected.map(({ line }) => line));

  expect((await readShard(1)).flat().sort()).toEqual(expected[1]!.texts.sort());
  await bench.kamailio.set("cn", { "connection-1": "1|5|0|0|31=11|x" });
  expect(await bench.kamailio.get("/digest?tbl=cn")).toBe(`5 1 ${hashOf("connection-1 1|5|0|0|31=11|x")}\n`);
  expect(await bench.kamailio.get("/digest?tbl=nothing")).toBe("");
});

test("a shard with long rows is read in pages that fit the switch's buffer", async () => {
  const long = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `+4940${1_000_000 + at}`,
      `w|1|9|id-${at}|https://hooks.example.com/${"x".repeat(850)}||n||`,
    ]),
  );
  for (const some of chunked(Object.entries(long), 10))
    await bench.kamailio.set("rt", Object.fromEntries(some));
  const pages = await readShard(9);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().sort()).toEqual(
    Object.entries(long)
      .map((pair) => pair.join(" "))
      .sort(),
  );
});

test("two audits at the same time do not disturb each other", async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => bench.kamailio.get("/digest?tbl=rt")));
  expect(new Set(answers.map((text) => text.trim().split("\n").sort().join())).size).toBe(1);
});

test("the agent's HTTP is on its own port alone, and SIP is not spoken there", async () => {
  const { address } = bench.kamailio.at;
  const status = await new Promise((resolve) => {
    get({ host: address, port: 5060, path: "/rpc" }, (response) => resolve(response.statusCode));
  });
  expect(status).toBe(403);
  const heard: string[] = [];
  const wire = await openStream(newAddress(), 0, (text) => heard.push(text));
  const options = [
    "OPTIONS sip:x SIP/2.0",
    `Via: SIP/2.0/TCP ${wire.address}:${wire.port};branch=z9hG4bK1`,
    "From: <sip:a@b>;tag=1",
    "To: <sip:a@b>",
    "Call-ID: 1",
    "CSeq: 1 OPTIONS",
    "Content-Length: 0",
    "",
    "",
  ].join("\r\n");
  const there = { address: "127.0.0.1", port: bench.kamailio.rpcPort };
  await wire.send(options, there);
  // Sent second on the same connection: a response to the OPTIONS would come first.
  await wire.send("GET /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", there);
  await until("an answer", () => heard.length > 0);
  expect(heard[0]).toMatch(/^HTTP/);
  await wire.close();
});
