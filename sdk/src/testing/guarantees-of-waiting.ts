import {
  type Client,
  createClient,
  type DialplaneEvent,
  type Job,
  JobFailedError,
  NotAppliedError,
  WaitTimeoutError,
} from "../index.ts";
import { assertEqual, assertThat, failureOf } from "./assertions.ts";
import type { Scene } from "./scene.ts";

export const WAIT_GUARANTEES: Record<string, (scene: Scene) => Promise<void>> = {
  "a routing set with wait is applied when the promise resolves": async (scene) => {
    const { routing } = client(scene, "live");
    const sip_uri = `sip:applied-${Date.now()}@pbx.example.com`;
    const set = await routing.set(scene.numberIds[2]!, { mode: "sip_uri", sip_uri }, { wait: true });
    assertEqual(
      [set.status, set.applied?.sip_uri, set.applied?.generation],
      ["in_sync", sip_uri, set.desired.generation],
    );
  },
  "a routing that the switch refuses throws, with the switch's words": async (scene) => {
    const { numbers, routing } = client(scene, "test");
    const refusing = (await numbers.list({ q: "12025550102" })).data[0]!;
    const sip_uri = `sip:refused-${scene.areaCode}@pbx.example.com`;
    const failure = await failureOf(routing.set(refusing.id, { mode: "sip_uri", sip_uri }, { wait: 45 }));
    assertThat(failure instanceof NotAppliedError, `NotAppliedError instead of ${String(failure)}`);
    assertEqual(failure.routing.number_id, refusing.id);
  },
  "a routing that takes longer than the wait throws, and is still set": async (scene) => {
    const { numbers, routing } = client(scene, "test");
    const silent = (await numbers.list({ q: "12025550104" })).data[0]!;
    const sip_uri = `sip:slow-${scene.areaCode}-${Date.now()}@pbx.example.com`;
    const failure = await failureOf(
      routing.set(silent.id, { mode: "sip_uri", sip_uri }, { wait: 1, timeoutMs: 100_000 }),
    );
    assertThat(failure instanceof WaitTimeoutError || failure instanceof NotAppliedError, String(failure));
  },
  "placeAndWait resolves with the numbers, telling how far it is": async (scene) => {
    const seen: Job[] = [];
    const order = await client(scene, "test").orders.placeAndWait(
      { numbers: [`+1${scene.areaCode}5550130`, `+1${scene.areaCode}5550110`], label: "Two" },
      { onProgress: (job) => seen.push(job) },
    );
    assertEqual(
      order.items.map(({ status }) => status),
      ["succeeded", "succeeded"],
    );
    assertEqual([seen.at(-1)!.status, seen.at(-1)!.progress.succeeded], ["succeeded", 2]);
    assertEqual(new Set(seen.map((job) => JSON.stringify(job))).size, seen.length);
    const { numbers } = client(scene, "test");
    const job = await numbers.releaseAndWait(order.items[0]!.number_id!);
    assertEqual([job.type, job.status], ["number_release", "succeeded"]);
    assertEqual((await numbers.get(order.items[0]!.number_id!)).status, "quarantined");
    await numbers.restoreAndWait(order.items[0]!.number_id!);
    assertEqual((await numbers.get(order.items[0]!.number_id!)).status, "active");
  },
  "an order of which nothing was had throws, with the order": async (scene) => {
    const body = { numbers: [`+1${scene.areaCode}5550112`] };
    const failure = await failureOf(client(scene, "test").orders.placeAndWait(body));
    assertThat(failure instanceof JobFailedError, `JobFailedError instead of ${String(failure)}`);
    assertEqual([failure.job.status, failure.order?.items[0]?.status], ["failed", "failed"]);
  },
  "a job that is not over in time throws, and goes on": async (scene) => {
    const { orders, jobs } = client(scene, "test");
    const { job_id } = await orders.place({ numbers: [`+1${scene.areaCode}5550111`] });
    const failure = await failureOf(jobs.wait(job_id, { timeoutMs: 100 }));
    assertThat(failure instanceof WaitTimeoutError, `WaitTimeoutError instead of ${String(failure)}`);
    assertEqual((await jobs.wait(job_id)).status, "succeeded");
  },
  "live numbers are read, and followed until the caller has enough": async (scene) => {
    const { live } = client(scene, "live");
    const { data, missing } = await live.read(scene.numberIds);
    assertEqual([data.length, missing], [scene.numberIds.length, []]);
    const hangUp = new AbortController();
    for await (const { data: first } of live.follow(scene.numberIds, { signal: hangUp.signal })) {
      assertEqual(first.length, scene.numberIds.length);
      break;
    }
    hangUp.abort("enough");
    assertEqual(await failureOf(live.follow(scene.numberIds, { signal: hangUp.signal }).next()), "enough");
  },
  "many numbers are planned, then changed": async (scene) => {
    const { bulkChanges, numbers } = client(scene, "live");
    const ids = scene.numberIds.slice(3);
    const tag = `t${scene.areaCode}`;
    const plan = await bulkChanges.plan({ select: { ids }, change: { tags: { add: [tag] } } });
    assertEqual([plan.status, (await numbers.get(ids[0]!)).tags.includes(tag)], ["planned", false]);
    assertEqual((await bulkChanges.applyAndWait(plan.id)).status, "finished");
    const outcomes: string[] = [];
    for await (const { outcome } of bulkChanges.listItems(plan.id)) outcomes.push(outcome);
    assertEqual(
      outcomes,
      ids.map(() => "set"),
    );
    assertThat((await numbers.get(ids[0]!)).tags.includes(tag), "tagged");
  },
  "events are followed as they happen, each once, until the caller has enough": async (scene) => {
    const { connections, events } = client(scene, "live");
    let last: DialplaneEvent | undefined;
    for await (const event of events.list({ limit: 1000 })) last = event;
    const enough = new AbortController();
    const seen: DialplaneEvent[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of events.follow({ after: last!.id, pollMs: 50, signal: enough.signal }))
        seen.push(event);
    };
    const following = follow().catch((error: unknown) => error);
    const { id } = await connections.create({
      name: `e-${scene.areaCode}`,
      targets: [{ host: "e.example.com" }],
    });
    await connections.delete(id);
    const deadline = performance.now() + 20_000;
    while (seen.filter(({ subject }) => subject === id).length < 2 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    enough.abort("enough");
    assertEqual(await following, "enough");
    const mine = seen.filter(({ subject }) => subject === id).map(({ type }) => type);
    assertEqual(mine, ["connection.created", "connection.deleted"]);
  },
};

function client({ baseUrl, ownerToken }: Scene, environment: "live" | "test"): Client {
  return createClient({ baseUrl, credential: ownerToken, environment });
}
