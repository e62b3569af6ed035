import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../platform/ids.ts";
import type { Sent, SendOptions } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { holdNumber } from "../../../testing/stock.ts";
import { advanceReleaseJob } from "./releases.jobs.ts";
import { endRests } from "./releases.restore.ts";

let service: Service;
let home: string;
let owner: Person;
beforeAll(async () => {
  service = await startService({ settings: { DATABASE_CONNECTIONS: "20" } });
  home = await service.organisation();
  owner = await service.person({ [home]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

type Key = string | string[] | undefined;
const release = (id: string, key: Key = newId(), options: SendOptions = {}): Promise<Sent> =>
  service.send("POST", `/v1/numbers/${id}/release`, {
    ...options,
    headers: {
      ...bearer(owner.token),
      ...options.headers,
      ...(key !== undefined && { "idempotency-key": key }),
    },
  });
const held = async (): Promise<string> => (await holdNumber(service.app, home, "live")).id;
const statusOf = async (id: string): Promise<string> =>
  (await service.send("GET", `/v1/numbers/${id}`, { headers: bearer(owner.token) })).body.status;
const resting = async (): Promise<string> => {
  const id = await held();
  await advanceReleaseJob.run(service.app, { id: (await release(id)).body.job_id });
  expect(await statusOf(id)).toBe("quarantined");
  return id;
};
/** Counts of the records of a number. */
const traces = async (id: string): Promise<typeof ONCE> => {
  const [row] = await service.database.admin<typeof ONCE>(
    `select (select count(*) from releases where holding_id = $1)::int as releases,
       (select count(*) from jobs where number_id = $1)::int as jobs,
       (select count(*) from events where subject = $1::text and type = 'number.releasing')::int as events`,
    [id],
  );
  return row!;
};
const NOTHING = { releases: 0, jobs: 0, events: 0 };
const ONCE = { releases: 1, jobs: 1, events: 1 };

describe("the key of a release", () => {
  test("must be there", async () => {
    const id = await held();
    const headers = bearer(owner.token);

    const refused = await service.send("POST", `/v1/numbers/${id}/release`, { headers });

    expect(refused).toMatchObject({ status: 400, body: { code: "idempotency_key_missing" } });
    expect(await statusOf(id)).toBe("active");
    expect(await traces(id)).toEqual(NOTHING);
  });

  test.each([[""], ["ä"], ["x".repeat(256)], ['"unclosed'], [["one", "two"]]])(
    "must not be malformed, as %j is",
    async (key) => {
      const id = await held();

      expect(await release(id, key)).toMatchObject({
        status: 400,
        body: { code: "idempotency_key_invalid" },
      });
      expect(await traces(id)).toEqual(NOTHING);
    },
  );

  test("belongs to one number: for another it is rejected, and that number stays", async () => {
    const [one, other, key] = [await held(), await held(), newId()];
    const first = await release(one, key);

    const refused = await release(other, key);

    expect(refused).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
    expect(await statusOf(other)).toBe("active");
    expect(await traces(other)).toEqual(NOTHING);
    expect((await release(one, key)).text).toBe(first.text);
  });

  test("of another organisation is another key", async () => {
    const elsewhere = await service.organisation();
    const stranger = await service.person({ [elsewhere]: "owner" });
    const { id } = await holdNumber(service.app, elsewhere, "live");
    const key = newId();
    await release(await held(), key);

    expect(await release(id, key, { headers: bearer(stranger.token) })).toMatchObject({
      status: 202,
      body: { number_id: id },
    });
  });

  test("that a missing number was tried with is free again", async () => {
    const [id, key] = [await held(), newId()];

    expect(await release(newId(), key)).toMatchObject({ status: 404, body: { code: "number_not_found" } });
    expect(await release(id, key)).toMatchObject({ status: 202, body: { number_id: id } });
  });

  test("is the same request without a body, with an empty one and with an empty object", async () => {
    const [id, key] = [await held(), newId()];
    const json = { headers: { "content-type": "application/json" } };
    const first = await release(id, key);
    const others = [
      await release(id, key, { body: "" }),
      await release(id, key, { ...json, body: "" }),
      await release(id, key, { body: {} }),
      await release(id, key, { ...json, body: " { }\n" }),
    ];

    expect(first.status).toBe(202);
    for (const again of others) {
      expect(again).toMatchObject({ status: 202, text: first.text });
      expect(again.headers["idempotency-replayed"]).toBe("true");
      expect(again.headers.location).toBe(first.headers.location);
    }
    expect(await traces(id)).toEqual(ONCE);
  });

  test("with a body that has content is rejected, and not stored", async () => {
    const [id, key] = [await held(), newId()];

    expect(await release(id, key, { body: { at: "tomorrow" } })).toMatchObject({ status: 400 });
    expect(await release(id, key)).toMatchObject({ status: 202 });
  });
});

const ROUNDS = 10;

describe("two at once", () => {
  test("with one key release once; the other gets the same response or must wait", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [id, key] = [await held(), newId()];

      const answers = await Promise.all([release(id, key), release(id, key)]);

      const accepted = answers.filter(({ status }) => status === 202);
      expect(accepted.filter(({ headers }) => !headers["idempotency-replayed"])).toHaveLength(1);
      for (const answer of answers)
        if (answer.status === 202) expect(answer.text).toBe(accepted[0]!.text);
        else
          expect(answer).toMatchObject({
            status: 409,
            body: { code: "idempotency_in_progress", retryable: true },
            headers: { "retry-after": "1" },
          });
      expect((await release(id, key)).text).toBe(accepted[0]!.text);
      expect(await traces(id)).toEqual(ONCE);
    }
  });

  test("with two keys release once; the other gets the job", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await held();

      const answers = await Promise.all([release(id), release(id)]);

      const [accepted, refused] = answers.toSorted((a, b) => a.status - b.status) as [Sent, Sent];
      expect(accepted).toMatchObject({ status: 202, body: { number_id: id, status: "releasing" } });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: "release_in_progress", job_id: accepted.body.job_id },
      });
      expect(await traces(id)).toEqual(ONCE);
    }
  });
});

describe("an error is stored", () => {
  /** Until it can be released after all. */
  const REASONS: Record<
    string,
    { number(): Promise<string>; code: string; mend(id: string): Promise<unknown> }
  > = {
    locked: {
      async number() {
        const id = await held();
        await setLock(id, true);
        return id;
      },
      code: "release_blocked",
      mend: (id) => setLock(id, false),
    },
    "being released": {
      async number() {
        const id = await held();
        await release(id);
        return id;
      },
      code: "release_in_progress",
      async mend(id) {
        const jobs = "select id from jobs where number_id = $1";
        const [job] = await service.database.admin<{ id: string }>(jobs, [id]);
        await advanceReleaseJob.run(service.app, { id: job!.id });
      },
    },
    quarantined: { number: resting, code: "number_not_active", mend: restore },
    released: { number: gone, code: "number_not_active", mend: async () => {} },
  };

  test.each(Object.keys(REASONS))(
    "of a number that is %s: to the byte, even after the cause of the error has gone",
    async (state) => {
      const { number, code, mend } = REASONS[state]!;
      const [id, key] = [await number(), newId()];
      const { releases } = await traces(id);
      const refused = await release(id, key);
      expect(refused).toMatchObject({ status: 409, body: { code } });
      expect(refused.headers["idempotency-replayed"]).toBeUndefined();

      await mend(id);
      const again = await release(id, key);

      expect(again).toMatchObject({ status: 409, text: refused.text });
      expect(again.headers).toMatchObject({
        "idempotency-replayed": "true",
        "content-type": refused.headers["content-type"],
      });
      expect((await traces(id)).releases).toBe(releases);
    },
  );

  test("for its own key only: with another one the number can be released later", async () => {
    const { number, mend } = REASONS["locked"]!;
    const [id, key] = [await number(), newId()];
    await release(id, key);
    await mend(id);

    expect((await release(id, key)).status).toBe(409);
    expect((await release(id)).status).toBe(202);
  });

  async function setLock(id: string, release_lock: boolean): Promise<void> {
    const answer = await service.send("PATCH", `/v1/numbers/${id}`, {
      headers: bearer(owner.token),
      body: { release_lock },
    });
    expect(answer.status).toBe(200);
  }

  async function restore(id: string): Promise<void> {
    const { body } = await service.send("POST", `/v1/numbers/${id}/restore`, {
      headers: bearer(owner.token),
    });
    await advanceReleaseJob.run(service.app, { id: body.job_id });
    expect(await statusOf(id)).toBe("active");
  }

  async function gone(): Promise<string> {
    const id = await resting();
    await service.database.admin(
      "update releases set quarantined_until = now() - interval '1 second' where holding_id = $1",
      [id],
    );
    await endRests(service.app);
    expect(await statusOf(id)).toBe("released");
    return id;
  }
});
