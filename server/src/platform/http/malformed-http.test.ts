import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startService } from "../../testing/service.ts";

test("what is no HTTP is answered with a problem too, and the connection ends", async () => {
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
});
