import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { startService } from "../../../testing/service.ts";
import { serveProbes } from "../../../testing/walls/probe-operations.ts";
import { securityHeaders } from "./security-headers.ts";

test("CS-05 a request that is not HTTP gets a problem with the same headers, and the connection ends", async () => {
  await using service = await startService();
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  socket.end("INVITE sip:bob@example.com SIP/2.0\r\n\r\n");
  await once(socket, "close");

  const [head, body] = answer.split("\r\n\r\n") as [string, string];
  const problem = JSON.parse(body) as Record<string, unknown>;
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  expect(head).toContain("application/problem+json");
  expect(head).toContain(`Request-Id: ${String(problem["request_id"])}`);
  expect(problem).toMatchObject({ status: 400, code: "invalid_request" });
  for (const [name, value] of Object.entries(securityHeaders("api")))
    expect(head.split("\r\n")).toContain(`${name}: ${value}`);
});

/** First line of the response and code of the problem, once the connection has ended. */
async function answerOn(
  socket: Socket,
): Promise<[status: string, code: string | undefined, detail: string | undefined]> {
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  await once(socket, "close");
  const said = (name: string): string | undefined => new RegExp(`"${name}":"([^"]+)"`).exec(answer)?.[1];
  return [answer.split("\r\n", 1)[0]!, said("code"), said("detail")];
}

test.each([
  ["different", "evil.example", "HTTP/1.1 400 Bad Request"],
  ["equal", "localhost", "HTTP/1.1 400 Bad Request"],
])("RL-06 two Host lines are rejected, also if they are %s", async (_, second, status) => {
  await using service = await startService();
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.write(`GET /livez HTTP/1.1\r\nHost: localhost\r\nHost: ${second}\r\nConnection: close\r\n\r\n`);
  expect(await answerOn(socket)).toEqual([status, "invalid_request", "Send one Host header."]);
});

test.each([
  ["a length and chunks", "Content-Length: 4\r\nTransfer-Encoding: chunked"],
  ["two lengths", "Content-Length: 4\r\nContent-Length: 5"],
  ["chunks that are not last", "Transfer-Encoding: chunked, identity"],
])("RL-06 a request whose end can be read in two ways is rejected: %s", async (_, lines) => {
  await using service = await startService();
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.write(`POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n\r\n0\r\n\r\n`);
  const [status, code] = await answerOn(socket);
  expect([status, code]).toEqual(["HTTP/1.1 400 Bad Request", "invalid_request"]);
});

test("RL-06 chunks in HTTP/1.0 are rejected, with whatever follows on the connection", async () => {
  await using service = await startService();
  const made = "select count(*)::int as count from device_sign_ins";
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  const type = "Content-Type: application/json";
  const body = JSON.stringify({ client_name: "smuggled" });
  socket.write(
    `POST /v1/device-sign-ins HTTP/1.0\r\nConnection: keep-alive\r\n${type}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n` +
      `POST /v1/device-sign-ins HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await once(socket, "close");
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  expect(answer).toContain("cannot have a Transfer-Encoding");
  expect(await service.database.admin(made)).toEqual([{ count: 0 }]);
});

test("a request of HTTP/1.0 needs no Host line, as health checks send it", async () => {
  await using service = await startService();
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  socket.write("GET /livez HTTP/1.0\r\n\r\n");
  expect(await answerOn(socket)).toEqual(["HTTP/1.1 200 OK", undefined, undefined]);
});

test("RL-06 a body that comes drop by drop ends with the time that a request may take", async () => {
  await using service = await startService();
  const { token } = await service.person({ [await service.organisation()]: "owner" });
  await using probes = await serveProbes(service, { requestTimeoutMs: 2_000 });
  const socket = connect(Number(new URL(probes.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const beganAt = performance.now();
  socket.write(
    `PUT /v1/probes/keyed/01890a5d-ac96-774b-bcce-b302099a8057 HTTP/1.1\r\nHost: localhost\r\n` +
      `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  );
  let isOpen = true;
  const dripping = (async () => {
    while (isOpen) {
      socket.write(" ");
      await sleep(100);
    }
  })();
  const [status, , detail] = await answerOn(socket);
  isOpen = false;
  await dripping;
  expect([status, detail]).toEqual(["HTTP/1.1 400 Bad Request", "The request did not arrive in time."]);
  // Without a shorter interval, Node looks every 30 seconds.
  expect(performance.now() - beganAt).toBeLessThan(15_000);
});
