import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { bearer, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { sweepFeedJob } from "./feed.jobs.ts";

const CHANGES = 12;

test("while a switch is dead, a number keeps its newest version and those that switches hold, and shows the same", async () => {
  await using service = await startService();
  const { database } = service;
  const organisation = await service.organisation();
  const { token } = await service.person({ [organisation]: "owner" });
  const [number, quiet] = (await seedNumbers(service.app, organisation, "live", 2)).map(({ id }) => id);
  const [dead, slow] = [await makeSwitch(service), await makeSwitch(service)];
  const path = `/v1/numbers/${number}/routing`;
  const versions: number[] = [];
  for (let at = 0; at < CHANGES; at++) {
    const body = { mode: "sip_uri", sip_uri: `sip:${at}@pbx.example.com` };
    const headers = { ...bearer(token), "idempotency-key": randomUUID() };
    expect((await service.send("PUT", path, { headers, body })).status).toBe(200);
    const [row] = await database.admin<{ version: string }>(
      "select version from routings where holding_id = $1",
      [number],
    );
    versions.push(Number(row!.version));
  }
  for (const [{ id }, at] of [
    [dead, 2],
    [slow, 7],
  ] as const)
    await database.admin(
      `insert into applied_watermarks (switch_id, shard, epoch, version, observed_at, instance)
       select $1, r.shard, e.epoch, $3, now(), database_instance() from routings r, feed_epoch e where r.holding_id = $2`,
      [id, number, versions[at]],
    );
  const kept = async (of: string): Promise<number[]> =>
    (
      await database.admin<{ version: string }>(
        "select version from feed_items where item_id = $1 order by version",
        [of],
      )
    ).map(({ version }) => Number(version));
  const shown = async (): Promise<unknown> =>
    (await service.send("GET", path, { headers: bearer(token) })).body;
  const before = await shown();

  await sweepFeedJob.run(service.app);
  expect(await kept(number!)).toHaveLength(CHANGES + 1);
  service.clock.advance(660_000);
  await sweepFeedJob.run(service.app);

  expect(await kept(number!)).toEqual([versions[2], versions[7], versions.at(-1)]);
  expect(await kept(quiet!)).toHaveLength(1);
  expect(await shown()).toEqual(before);
});
