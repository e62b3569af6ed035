import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { LiveSwitch } from "../../testing/live-switch.ts";
import { quantile } from "../../testing/quantile.ts";
import { send } from "../../testing/send.ts";
import { startProcess } from "../../testing/server-process.ts";
import { bearer, startService } from "../../testing/service.ts";

const IDS = 200;
const PER_SECOND = 50;
const SECONDS = 60;

test("200 numbers, looked at 50 times a second for a minute while their calls change: every look is answered", async () => {
  await using service = await startService();
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const ids = (await seedNumbers(service.app, organisationId, "live", IDS)).map(({ id }) => id);
  const reporter = await LiveSwitch.add(service);
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
