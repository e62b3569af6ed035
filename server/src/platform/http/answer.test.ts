import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send, type SendOptions, type Sent } from "../../../testing/send.ts";
import { bearer, until } from "../../../testing/service.ts";
import { withoutNames } from "../../../testing/walls/foreign-ids.ts";
import { type Neighbours, openNeighbours, type Tenant } from "../../../testing/walls/neighbours.ts";
import { probed, REFUSED, SETTLED_ID } from "../../../testing/walls/probe-answers.ts";
import { serveProbes } from "../../../testing/walls/probe-operations.ts";
import { newId } from "../ids.ts";

let neighbours: Neighbours;
let probes: Awaited<ReturnType<typeof serveProbes>>;

beforeAll(async () => {
  neighbours = await openNeighbours();
  probes = await serveProbes(neighbours.service);
});
afterAll(async () => {
  await probes[Symbol.asyncDispose]();
  await neighbours[Symbol.asyncDispose]();
});

function ask(method: string, path: string, { headers, ...rest }: SendOptions = {}, by = neighbours.home) {
  return send(probes.url, method, path, { headers: { ...bearer(by.owner.token), ...headers }, ...rest });
}

describe("If-Match", () => {
  test.each<[sent: string | string[], tags: string[] | null]>([
    ['"17"', ["17"]],
    ['"17", "18"', ["17", "18"]],
    [
      ['"17"', '"18"'],
      ["17", "18"],
    ],
    ['W/"17"', []],
    ["*", null],
  ])("%j reaches the handler as %j", async (sent, tags) => {
    const answer = await ask("PUT", "/v1/probes/conditional", { headers: { "if-match": sent } });

    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: { tags } });
  });

  test("rejects a malformed entity tag by name", async () => {
    const answer = await ask("PUT", "/v1/probes/conditional", { headers: { "if-match": "17" } });

    expect(answer).toMatchObject({
      status: 400,
      body: { code: "invalid_request", errors: [{ header: "If-Match", code: "malformed" }] },
    });
  });

  test("is not looked at where nothing is conditional", async () => {
    expect((await ask("GET", "/v1/probes/text", { headers: { "if-match": "17" } })).status).toBe(200);
  });
});

describe("Prefer: wait", () => {
  const wish = (more: Record<string, string> = {}, by: Tenant = neighbours.home): Promise<Sent> =>
    ask(
      "PUT",
      `/v1/probes/settling/${SETTLED_ID}`,
      { headers: { "idempotency-key": newId(), ...more }, body: { value: 1 } },
      by,
    );
  const waiting = (count: number): Promise<boolean> => until(() => probed.waiting === count);
  const settle = () => probed.events.emit("settle");

  test("returns the state after waiting, and Preference-Applied", async () => {
    const asked = wish({ prefer: "wait=30" });
    await waiting(1);
    settle();

    expect(await asked).toMatchObject({
      status: 200,
      headers: { "preference-applied": "wait=30" },
      body: { is_settled: true },
    });
  });

  test("returns the current state at the timeout", async () => {
    expect(await wish({ prefer: "wait=1" })).toMatchObject({
      status: 200,
      headers: { "preference-applied": "wait=1" },
      body: { is_settled: false },
    });
  });

  test.each([{}, { prefer: "wait=0" }, { prefer: "wait=soon" }, { prefer: "return=minimal" }])(
    "%j waits for nothing",
    async (headers) => {
      const answer = await wish(headers);

      expect(answer.body).toEqual({ is_settled: false });
      expect(answer.headers).not.toHaveProperty("preference-applied");
    },
  );

  test("waits for a replay as for the first, and not for an error", async () => {
    const key = { "idempotency-key": newId() };
    await wish(key);
    const again = wish({ ...key, prefer: "wait=30" });
    await waiting(1);
    settle();
    expect(await again).toMatchObject({
      headers: { "idempotency-replayed": "true", "preference-applied": "wait=30" },
      body: { is_settled: true },
    });

    const refused = await ask("PUT", `/v1/probes/settling/${SETTLED_ID}`, {
      headers: { "idempotency-key": newId(), prefer: "wait=30" },
      body: { value: REFUSED },
    });
    expect(refused).toMatchObject({ status: 409, body: { code: "number_not_active" } });
    expect(refused.headers).not.toHaveProperty("preference-applied");
  });

  test("lets twenty requests of an organisation wait, responds to the next at once, and to others after waiting", async () => {
    const held = Array.from({ length: 20 }, () => wish({ prefer: "wait=30" }));
    await waiting(20);

    const next = await wish({ prefer: "wait=30" });
    expect(next).toMatchObject({ status: 200, body: { is_settled: false } });
    expect(next.headers).not.toHaveProperty("preference-applied");
    const neighbour = wish({ prefer: "wait=30" }, neighbours.other);
    await waiting(21);

    settle();
    for (const { body } of await Promise.all([...held, neighbour])) expect(body.is_settled).toBe(true);
    const after = wish({ prefer: "wait=30" });
    await waiting(1);
    settle();
    expect((await after).headers["preference-applied"]).toBe("wait=30");
  });

  test("frees the slot of a client that disconnects", async () => {
    const leaving = httpRequest(new URL(`/v1/probes/settling/${SETTLED_ID}`, probes.url), {
      method: "PUT",
      agent: false,
      headers: {
        ...bearer(neighbours.home.owner.token),
        "content-type": "application/json",
        "idempotency-key": newId(),
        prefer: "wait=30",
      },
    });
    leaving.on("error", () => {});
    leaving.end('{"value":1}');
    await waiting(1);
    leaving.destroy();

    await waiting(0);
  });
});

describe("work that keeps its key itself", () => {
  const put = (id: string, key: string, value = 1): Promise<Sent> =>
    ask("PUT", `/v1/probes/settling/${id}`, { headers: { "idempotency-key": key }, body: { value } });

  test("is done once, and answers again byte for byte", async () => {
    const key = newId();
    const first = await put(SETTLED_ID, key);
    const again = await put(SETTLED_ID.toUpperCase(), key);

    expect(again.text).toBe(first.text);
    expect([first, again].map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true"]);
  });

  test("stores a deterministic error", async () => {
    const key = newId();
    const first = await put(SETTLED_ID, key, REFUSED);
    const again = await put(SETTLED_ID, key, REFUSED);

    expect(first).toMatchObject({ status: 409, body: { code: "number_not_active" } });
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotency-replayed"]).toBe("true");
  });

  test("returns the error of an unknown ID for a malformed one, with a new and a used key", async () => {
    const used = newId();
    await put(SETTLED_ID, used);
    for (const key of [newId(), used]) {
      const [unknown, malformed] = [await put(newId(), key), await put("malformed", key)];
      expect(unknown.body.code).toBe("not_found");
      expect(withoutNames(malformed)).toBe(withoutNames(unknown));
    }
  });

  test("replays the response after the resource is deleted, and returns 404 to another request", async () => {
    const key = newId();
    const first = await put(SETTLED_ID, key);
    probed.isGone = true;
    try {
      expect(await put(SETTLED_ID, key)).toMatchObject({
        status: 200,
        text: first.text,
        headers: { "idempotency-replayed": "true" },
      });
      expect(await put(SETTLED_ID, key, 2)).toMatchObject({ status: 404, body: { code: "not_found" } });
    } finally {
      probed.isGone = false;
    }
  });

  test("nothing is kept of what was not found", async () => {
    const key = newId();
    await put("malformed", key);

    expect((await put(SETTLED_ID, key)).status).toBe(200);
  });
});

describe("answers that are text already", () => {
  test("are sent as they are", async () => {
    const answer = await ask("GET", "/v1/probes/text");

    expect([answer.text, answer.headers["content-type"]]).toEqual([
      '{"line" : 1}',
      "application/json; charset=utf-8",
    ]);
  });

  test("go without a body by HEAD", async () => {
    expect(await ask("HEAD", "/v1/probes/text")).toMatchObject({ status: 200, text: "" });
  });
});

describe("streams", () => {
  test("come line by line, with their own media type and the headers of every response", async () => {
    const answer = await ask("GET", "/v1/probes/stream");

    expect(answer).toMatchObject({
      status: 200,
      text: '{"line":1}\n{"line":2}\n',
      headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
    });
    expect(answer.headers["request-id"]).toBeDefined();
    await until(() => probed.openStreams === 0);
  });

  test("aborts the connection if one fails midway, so that it does not look complete", async () => {
    await expect(ask("GET", "/v1/probes/stream?ending=fail")).rejects.toMatchObject({ code: "ECONNRESET" });
    await until(() => probed.openStreams === 0);
    expect((await ask("GET", "/v1/probes/text")).status).toBe(200);
  });

  test("one whose reader leaves is ended", async () => {
    const answer = await ask("GET", "/v1/probes/stream?ending=go_on", { isEndless: true });

    expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^\{"line":1\}\n/) });
    await until(() => probed.openStreams === 0);
  });

  test("none is opened for HEAD that stays open", async () => {
    expect(await ask("HEAD", "/v1/probes/stream?ending=go_on")).toMatchObject({ status: 200, text: "" });
    await until(() => probed.openStreams === 0);
  });
});
