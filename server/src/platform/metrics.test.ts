import { expect, test } from "vitest";
import { freePort } from "./db/private-cluster.ts";
import { send } from "../../testing/send.ts";
import { bearer, startService, until } from "../../testing/service.ts";

test("serves metrics on a separate port: requests by route, pools, event loop, jobs, errors and key look-ups", async () => {
  const port = await freePort();
  await using service = await startService({ worker: true, settings: { METRICS_PORT: String(port) } });
  const organisation = await service.organisation();
  const owner = await service.person({ [organisation]: "owner" });
  const key = await service.key(owner, organisation, ["numbers"]);
  const scrape = async (): Promise<string> =>
    (await send(`http://127.0.0.1:${port}`, "GET", "/metrics")).text;

  await service.send("GET", "/v1/me", { headers: bearer(key.secret) });
  await service.send("GET", "/v1/members", { headers: bearer(owner.token) });
  await service.send("GET", "/v1/members");
  await service.send("DELETE", `/v1/members/${organisation}`, { headers: bearer(owner.token) });
  await service.send("GET", "/somewhere/else");
  const invitation = { email: "ada@example.com", role: "member" };
  for (let time = 0; time < 2; time++) {
    await service.send("POST", "/v1/invitations", {
      headers: { ...bearer(owner.token), "idempotency-key": "once" },
      body: invitation,
    });
  }
  const text = await until(async () => {
    const scraped = await scrape();
    return /job_duration_seconds_count\{name="mails\.send",outcome="done"\} 1/.test(scraped) && scraped;
  });

  for (const line of [
    'http_server_request_duration_seconds_count{method="GET",route="/v1/members",status="200"} 1',
    'http_server_request_duration_seconds_count{method="GET",route="/v1/members",status="401"} 1',
    'http_server_request_duration_seconds_count{method="DELETE",route="/v1/members/:id",status="404"} 1',
    'http_server_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1',
    'refusals_total{code="member_not_found"} 1',
    'idempotency_total{outcome="replayed"} 1',
    "api_key_cache_trusted",
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/db_client_connections\{door="organisation",state="idle"\} \d/);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).not.toContain(organisation);
  expect(text).not.toContain(owner.userId);
  expect(text).not.toContain(key.id);
});

test("CF-08 the API's port has no metrics, and the metrics' port only metrics and health", async () => {
  const port = await freePort();
  await using service = await startService({ settings: { METRICS_PORT: String(port) } });

  expect((await service.send("GET", "/metrics")).status).toBe(404);
  for (const path of ["/", "/v1/me", "/docs"])
    expect((await send(`http://127.0.0.1:${port}`, "GET", path)).status).toBe(404);
  for (const path of ["/livez", "/readyz"])
    expect((await send(`http://127.0.0.1:${port}`, "GET", path)).text).toBe("ok\n");
});
