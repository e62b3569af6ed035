import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { startServer } from "../../start.ts";
import { openEventStream } from "../../../testing/live-stream.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { quantile } from "../../../testing/quantile.ts";
import { send } from "../../../testing/send.ts";
import { startProcess } from "../../../testing/server-process.ts";
import { bearer, startService, until } from "../../../testing/service.ts";

const IDS = 200;
const PER_SECOND = 50;
const SECONDS = 60;

test("200 numbers, looked at 50 times a second for a minute while their calls change: every look is answered", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const ids = (await seedNumbers(service.app, organisationId, "live", IDS)).map(({ id }) => id);
  const reporter = await LiveSwitch.add(service);
  await reporter.confirmAll();
  await using api = await startProcess({ databaseUrl: service.database.url });
  const tookMs: number[] = [];
  const faults: string[] = [];
  const look = async (): Promise<void> => {
    const beganAtMs = performance.now();
    const { status, body } = await send(api.url, "GET", `/v1/numbers/live?ids=${ids.join()}`, {
      headers: bearer(token),
    });
    tookMs.push(performance.now() - beganAtMs);
    if (status !== 200 || body.data.length !== IDS)
      faults.push(`${status}: ${JSON.stringify(body).slice(0, 200)}`);
  };

  const looks: Promise<void>[] = [];
  const startedAtMs = performance.now();
  for (let count = 0; count < PER_SECOND * SECONDS; count++) {
    // At its time, whether those before are answered or not: a slow answer must not thin out the load.
    const dueInMs = startedAtMs + (count * 1000) / PER_SECOND - performance.now();
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
    if (count % PER_SECOND === 0)
      looks.push(reporter.tell(Object.fromEntries(ids.map((id, at) => [id, (at + count) % 7]))));
    looks.push(look());
  }
  await Promise.all(looks);
  console.log(
    `live, ${IDS} ids, ${PER_SECOND}/s for ${SECONDS} s: ${tookMs.length} looks, ${faults.length} errors, ` +
      `p50 ${quantile(tookMs, 0.5)} ms, p99 ${quantile(tookMs, 0.99)} ms`,
  );
  expect(faults).toEqual([]);
});

const ENDS = 20;

test("ends a stream within a second of its session or membership, on any replica", async () => {
  await using service = await startService();
  const replica = await startServer(service.app.config, "api", { clock: service.clock });
  await using ending = new AsyncDisposableStack();
  ending.defer(() => replica.stop());
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  const ids = (await seedNumbers(service.app, organisationId, "live", 3)).map(({ id }) => id);
  const tookMs: Record<string, number[]> = { session: [], membership: [] };
  for (let count = 0; count < ENDS; count++)
    for (const what of Object.keys(tookMs)) {
      const person = await service.person({ [organisationId]: "developer" });
      const headers = bearer(person.token);
      await using stream = await openEventStream(
        replica.url!,
        `/v1/numbers/live/stream?ids=${ids.join()}`,
        headers,
      );
      await until(() => stream.events.length > 0);
      const { status } =
        what === "session"
          ? await service.send("DELETE", "/v1/sessions/current", { headers })
          : await service.send("DELETE", `/v1/members/${person.userId}`, { headers: bearer(owner.token) });
      expect([200, 204]).toContain(status);
      const endedAtMs = performance.now();
      await until(() => stream.endedAtMs());
      tookMs[what]!.push(stream.endedAtMs()! - endedAtMs);
    }
  for (const [what, each] of Object.entries(tookMs))
    console.log(
      `stream after the end of its ${what}: p50 ${quantile(each, 0.5)} ms, longest ${Math.max(...each).toFixed(0)} ms`,
    );
  expect(Math.max(...Object.values(tookMs).flat())).toBeLessThan(1000);
});
