import { afterAll, beforeAll, expect, test } from "vitest";
import { bearer, type Service, startService } from "../../../testing/service.ts";
import { systemAuthor } from "../audit/audit.ts";
import { type Change, recordChanges } from "./events.ts";

let service: Service;
beforeAll(async () => void (service = await startService()));
afterAll(() => service[Symbol.asyncDispose]());

const WRITERS = 8;
const TRANSACTIONS = 25;

test("returns every event once and in order, page by page, while others write", async () => {
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const headers = bearer(token);
  const read: { id: string; subject: string; type: string }[] = [];
  const readOn = async (): Promise<boolean> => {
    const after = read.at(-1)?.id;
    const query = after === undefined ? "?limit=7" : `?limit=7&after=${after}`;
    const { body } = await service.send("GET", `/v1/events${query}`, { headers });
    read.push(...body.data);
    // If there are more, the cursor is the last event of the page.
    if (body.next_cursor !== null) expect(body.next_cursor).toBe(body.data.at(-1).id);
    return body.data.length > 0;
  };

  let isWriting = true;
  const written = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(organisationId, writer)));
  const reading = (async () => {
    while (isWriting) await readOn();
    while (await readOn());
  })();
  await written.finally(() => (isWriting = false));
  await reading;

  const rows = await service.database.admin<{ id: string; sequence: string; environment: string | null }>(
    "select id, sequence, environment from events where organisation_id = $1 order by sequence",
    [organisationId],
  );
  expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, at) => at + 1));
  const ofSide = rows.filter(({ environment }) => environment !== "test");
  expect(read.map(({ id }) => id)).toEqual(ofSide.map(({ id }) => id));
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = read.filter(({ subject }) => subject.startsWith(`${writer}/`)).map(({ subject }) => subject);
    expect(own).toEqual(
      Array.from({ length: TRANSACTIONS }, (_, nth) => [`${writer}/${nth}/a`, `${writer}/${nth}/b`]).flat(),
    );
  }
});

test("newest first is the same list backwards, page by page", async () => {
  const organisationId = await service.organisation();
  const { token } = await service.person({ [organisationId]: "owner" });
  const headers = bearer(token);
  const changes = Array.from({ length: 5 }, (_, at): Change => ({
    type: "number.changed",
    organisationId,
    environment: "live",
    subject: `${at}`,
  }));
  await service.app.db.forSystem("operator", (tx) =>
    recordChanges(tx, systemAuthor("test"), service.clock.now(), changes),
  );
  const forwards = (await service.send("GET", "/v1/events", { headers })).body.data;

  const backwards = [];
  for (let path: string | undefined = "/v1/events?order=newest&limit=3"; path;) {
    const answer = await service.send("GET", path, { headers });
    backwards.push(...answer.body.data);
    const next = /<(.*)>/.exec(String(answer.headers["link"] ?? ""))?.[1];
    path = next?.slice(next.indexOf("/v1/"));
  }

  expect(backwards).toEqual(forwards.toReversed());
  expect(backwards.length).toBeGreaterThan(5);
});

/** Transactions of two events; every third is undone at the end and leaves no gap. Some linger before the commit. */
async function write(organisationId: string, writer: number): Promise<void> {
  for (let nth = 0; nth < TRANSACTIONS; nth++) {
    const change = (end: string): Change => ({
      type: "number.changed",
      organisationId,
      environment: "live",
      subject: `${writer}/${nth}/${end}`,
    });
    const attempt = (isUndone: boolean) =>
      service.app.db.forSystem("operator", async (tx) => {
        await recordChanges(tx, systemAuthor("test"), service.clock.now(), [change("a"), change("b")]);
        await tx.query("select pg_sleep($1)", [(writer % 3) / 1_000]);
        if (isUndone) throw new Error("undone");
      });
    if (nth % 3 === 0) await attempt(true).catch(() => {});
    await attempt(false);
  }
}
