import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { guardedFetch } from "./egress-fetch.ts";
import { readEgress } from "./egress-rules.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = guardedFetch(readEgress("127.0.0.0/8:1024-65535+http"));
const GET = { method: "GET", headers: { accept: "application/json" } };

test("sends the request and responds as fetch does", async () => {
  const url = await serve(
    (request, response) =>
      void text(request).then((body) =>
        response
          .writeHead(201, { "content-type": "application/json", "x-two": ["a", "b"] })
          .end(JSON.stringify({ method: request.method, accept: request.headers.accept, body })),
      ),
  );

  const posted = await open(url, { ...GET, method: "POST", body: new URLSearchParams({ a: "ä b" }) });
  const got = await open(url, { ...GET, body: null });

  expect([posted.status, posted.headers.get("x-two")]).toEqual([201, "a, b"]);
  expect(await posted.json()).toEqual({ method: "POST", accept: "application/json", body: "a=%C3%A4+b" });
  expect(await got.json()).toMatchObject({ method: "GET", body: "" });
  await expect(open(url, { ...GET, body: new Uint8Array(1) })).rejects.toThrow("Only text is sent.");
});

test("SS-01 asks nothing inside", async () => {
  await expect(guardedFetch(readEgress(""))("https://127.0.0.1/", GET)).rejects.toMatchObject({
    reason: "refused",
  });
});

test("SS-03 follows no redirect", async () => {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url!);
    response.writeHead(302, { location: "/secret" }).end();
  });

  expect((await open(`${url}/`, GET)).status).toBe(302);
  expect(asked).toEqual(["/"]);
});

test("SS-04 takes no answer that is too long, and can do with none", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/none") response.writeHead(204).end();
    else response.end("x".repeat(300_000));
  });

  await expect(open(`${url}/long`, GET)).rejects.toMatchObject({ reason: "too_large" });
  expect((await open(`${url}/none`, GET)).status).toBe(204);
});
