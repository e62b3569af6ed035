import { expect, test } from "vitest";
import type { FeedMessage } from "./control-plane.ts";
import { ControlPlaneError, isDenied } from "./control-plane-error.ts";
import { httpControlPlane, linesOf } from "./http-control-plane.ts";
import { simulatedSwitch } from "./simulated/simulated-switch.ts";
import { startAgent } from "./switch-agent.ts";
import { eventually, routeTo } from "./testing/agent-bench.ts";
import { CREDENTIAL, openHttpService } from "./testing/http-service.ts";
import { MemoryControlPlane } from "./testing/memory-control-plane.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

test("an agent follows and reports over HTTP, through a snapshot of megabytes", async () => {
  const control = new MemoryControlPlane([0]);
  await using service = await openHttpService(control);
  const items = Array.from({ length: 8_000 }, (_, place) => ({
    id: `n${place}`,
    value: routeTo(`${"é".repeat(200)}${place}`),
  }));
  const first = control.change(0, items);
  const driver = simulatedSwitch();
  const agent = startAgent({
    control: httpControlPlane({ url: `${service.url}/`, credential: CREDENTIAL }),
    driver,
    storePath: ":memory:",
    log: silent,
  });
  try {
    await eventually(() => control.reported.get(0)?.version === first);
    const second = control.change(0, [{ id: "n0", value: routeTo("new") }]);
    await eventually(() => control.reported.get(0)?.version === second);
    expect(driver.held({ kind: "route", id: "n0" })?.value).toEqual(routeTo("new"));
    expect(driver.held({ kind: "route", id: "n7999" })?.value).toEqual(items[7_999]!.value);
  } finally {
    await agent.stop();
  }
});

test("distinguishes a rejected credential, with the service's message", async () => {
  await using service = await openHttpService(new MemoryControlPlane());
  const control = httpControlPlane({ url: service.url, credential: "wrong" });
  const report = { epoch: "e", boot: "b", agent_version: "0", is_complete: false, shards: [] };
  const refusals = [
    control.report(report),
    control
      .follow({ epoch: null, versions: {} }, new AbortController().signal)
      [Symbol.asyncIterator]()
      .next(),
  ];
  for (const rejection of refusals) {
    const error: unknown = await rejection.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ControlPlaneError);
    expect(error).toMatchObject({ status: 401, code: "not_authenticated" });
    expect(isDenied(error)).toBe(true);
    expect(String(error)).toContain("No such credential.");
  }
});

test("aborting ends the stream at the service too", async () => {
  const plane = new MemoryControlPlane();
  await using service = await openHttpService(plane);
  const control = httpControlPlane({ url: service.url, credential: CREDENTIAL });
  const line = new AbortController();
  const heard: FeedMessage["type"][] = [];
  const ended = (async () => {
    for await (const message of control.follow({ epoch: null, versions: {} }, line.signal))
      heard.push(message.type);
  })();
  await eventually(() => heard.includes("ready"));
  expect(plane.openLines()).toBe(1);
  line.abort();
  await expect(ended).rejects.toThrow();
  await eventually(() => plane.openLines() === 0);
});

test.each([
  { name: "several in one piece", pieces: ["a\nb\n"], lines: ["a", "b"] },
  { name: "one in several pieces", pieces: ["a", "b", "c\nd", "\n"], lines: ["abc", "d"] },
  {
    name: "a letter cut in two",
    pieces: [Buffer.from("é\n").subarray(0, 1), Buffer.from("é\n").subarray(1)],
    lines: ["é"],
  },
  { name: "empty lines", pieces: ["\n\na\n\n"], lines: ["a"] },
  { name: "an end cut off", pieces: ["a\nhalf"], lines: ["a"] },
])("lines: $name", async ({ pieces, lines }) => {
  async function* chunks() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const read: string[] = [];
  for await (const line of linesOf(chunks())) read.push(line);
  expect(read).toEqual(lines);
});
