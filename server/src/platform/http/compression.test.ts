import { gunzipSync } from "node:zlib";
import Fastify, { type FastifyRequest } from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { startService } from "../../../testing/service.ts";
import { accepts, compressed } from "./compression.ts";

test.each([
  ["gzip", true],
  ["br, gzip;q=0.5", true],
  ["*", true],
  ["GZIP", true],
  ["gzip;q=0", false],
  ["gzip; q=0.0, *", false],
  ["*;q=0", false],
  ["br, deflate", false],
  ["xgzip", false],
  [undefined, false],
])("accept-encoding %j: gzip %j", (accepted, isAccepted) => {
  expect(accepts("gzip", { headers: { "accept-encoding": accepted } } as unknown as FastifyRequest)).toBe(
    isAccepted,
  );
});

const GZIP = { "accept-encoding": "gzip" };
const LONG = { text: "numbers ".repeat(200) };

describe("a response", () => {
  const http = Fastify();
  http.addHook("onSend", async (request, reply, payload) => compressed(request, reply, payload));
  http.get("/long", () => LONG);
  http.get("/short", () => ({ text: "short" }));
  http.get("/secret", { config: { hasSecret: true } }, () => LONG);
  http.get("/page", (_, reply) => reply.type("text/html").send(LONG.text));
  afterAll(() => http.close());

  test("is compressed if it is JSON over 1 kB and the client accepts gzip", async () => {
    const { headers, rawPayload } = await http.inject({ url: "/long", headers: GZIP });
    expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(LONG);
  });

  test("names the header that decides, also to clients that do not accept gzip", async () => {
    const { headers, body } = await http.inject("/long");
    expect([headers["content-encoding"], headers["vary"]]).toEqual([undefined, "accept-encoding"]);
    expect(JSON.parse(body)).toEqual(LONG);
  });

  test.each(["/short", "/secret", "/page"])("stays as it is: %s", async (url) => {
    const { headers } = await http.inject({ url, headers: GZIP });
    expect(headers["content-encoding"]).toBeUndefined();
  });
});

test("the API compresses a list for clients that accept it", async () => {
  await using service = await startService();
  const organisation = await service.organisation();
  const person = await service.person({ [organisation]: "owner" });
  const listed = async (encoding: string) => {
    const response = await fetch(`${service.url}/v1/numbers`, {
      headers: {
        authorization: `Bearer ${person.token}`,
        "x-service-environment": "test",
        "accept-encoding": encoding,
      },
    });
    return { encoding: response.headers.get("content-encoding"), body: await response.json() };
  };

  const plain = await listed("identity");
  expect(plain.encoding).toBeNull();
  expect(await listed("gzip")).toEqual({ encoding: "gzip", body: plain.body });
});
