import { describe, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, startService } from "../../../testing/service.ts";
import { networkOf } from "./limits.ts";
import { TokenBuckets } from "./token-bucket.ts";

describe("a bucket", () => {
  test("allows its burst at once, then its rate, and reports the remaining requests", () => {
    const buckets = new TokenBuckets("requests", 10, 3);

    const taken = [0, 0, 0, 0].map((at) => buckets.take("one", at));

    expect(taken.map(({ hasEnded }) => hasEnded)).toEqual([false, false, false, true]);
    expect(taken.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
    expect(taken[3]).toMatchObject({ policy: "requests", quota: 3, windowSeconds: 1, resetSeconds: 1 });
    expect(buckets.take("one", 99).hasEnded).toBe(true);
    expect(buckets.take("one", 200).hasEnded).toBe(false);
    expect(buckets.take("two", 200)).toMatchObject({ hasEnded: false, remaining: 2 });
  });

  test("does not overflow after a long idle time, nor run backwards with the clock", () => {
    const buckets = new TokenBuckets("requests", 10, 3);
    buckets.take("one", 1_000);

    expect(buckets.take("one", 999_999_999).remaining).toBe(2);
    expect(buckets.take("one", 0).remaining).toBe(1);
  });

  test("forgets the oldest of a flood of subjects instead of growing without end", () => {
    const buckets = new TokenBuckets("address", 1, 1);
    buckets.take("first", 0);
    expect(buckets.take("first", 0).hasEnded).toBe(true);

    for (let at = 0; at < 100_000; at++) buckets.take(`subject ${at}`, 0);

    expect(buckets.take("first", 0).hasEnded).toBe(false);
  });
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["/run/socket", "/run/socket"],
])("AU-05 the address %s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe("limits", () => {
  async function repeat(count: number, attempt: () => Promise<Sent>): Promise<Sent[]> {
    const answers: Sent[] = [];
    for (let at = 0; at < count; at++) answers.push(await attempt());
    return answers;
  }

  test("RL-01 counts requests of an organisation together, and of no other with them", async () => {
    await using service = await startService({
      settings: { LIMIT_REQUESTS_PER_SECOND: "1", LIMIT_REQUEST_BURST: "4" },
    });
    const [organisation, other] = [await service.organisation(), await service.organisation()];
    const [one, two, stranger] = [
      await service.person({ [organisation]: "owner" }),
      await service.person({ [organisation]: "admin" }),
      await service.person({ [other]: "owner" }),
    ];
    const list = (token: string): Promise<Sent> =>
      service.send("GET", "/v1/members", { headers: bearer(token) });

    const answers = [
      await list(one.token),
      await list(two.token),
      await list(one.token),
      await list(two.token),
    ];
    const refused = await list(one.token);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[0]!.headers["ratelimit-policy"]).toBe('"address";q=200000;w=2, "requests";q=4;w=4');
    expect(answers[0]!.headers["ratelimit"]).toMatch(/^"address";r=\d+;t=0, "requests";r=3;t=0$/);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "rate_limited", retryable: true, policy: "requests" },
    });
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.headers["ratelimit"]).toMatch(/"requests";r=0;t=1$/);
    expect((await list(stranger.token)).status).toBe(200);
    service.clock.advance(1_000);
    expect((await list(two.token)).status).toBe(200);
  });

  test("RL-01 counts a key separately if no organisation is involved", async () => {
    await using service = await startService({
      settings: { LIMIT_REQUESTS_PER_SECOND: "1", LIMIT_REQUEST_BURST: "3" },
    });
    const organisation = await service.organisation();
    const owner = await service.person({ [organisation]: "owner" });
    const [first, second] = [
      await service.key(owner, organisation, ["numbers"]),
      await service.key(owner, organisation, ["numbers"]),
    ];
    const me = (secret: string): Promise<Sent> => service.send("GET", "/v1/me", { headers: bearer(secret) });

    const statuses = (await repeat(4, () => me(first.secret))).map(({ status }) => status);

    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await me(second.secret)).status).toBe(200);
  });

  test("RL-01 changes have a narrower limit, which leaves reading alone", async () => {
    await using service = await startService({ settings: { LIMIT_WRITES_PER_SECOND: "1" } });
    const organisation = await service.organisation();
    const { token } = await service.person({ [organisation]: "owner" });
    let people = 0;
    const invite = (): Promise<Sent> =>
      service.send("POST", "/v1/invitations", {
        headers: bearer(token),
        body: { email: `invited-${++people}@example.com`, role: "member" },
      });

    const answers = await repeat(3, invite);

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
    expect(answers[2]).toMatchObject({
      body: { code: "rate_limited", policy: "writes" },
      headers: { "retry-after": "1" },
    });
    expect((await service.send("GET", "/v1/members", { headers: bearer(token) })).status).toBe(200);
    const [row] = await service.database.admin<{ count: number }>(
      "select count(*)::int as count from invitations",
    );
    expect(row!.count).toBe(2);
  });

  test("RL-01 limits are divided among the replicas", async () => {
    await using service = await startService({
      settings: { REPLICAS: "4", LIMIT_REQUESTS_PER_SECOND: "8", LIMIT_REQUEST_BURST: "12" },
    });
    const { token } = await service.person();

    const { headers } = await service.send("GET", "/v1/me", { headers: bearer(token) });

    expect(headers["ratelimit-policy"]).toContain('"requests";q=3;w=2');
  });

  test("RL-01 an address that floods is stopped on every route, also where anyone may call", async () => {
    await using service = await startService({
      settings: { LIMIT_FLOOD_PER_SECOND: "2", TRUSTED_PROXIES: "127.0.0.1/32" },
    });
    const { token } = await service.person();
    const reset = (address: string): Promise<Sent> =>
      service.send("POST", "/v1/password-resets", {
        headers: { "x-forwarded-for": address },
        body: { email: "nobody@example.com" },
      });
    const me = (address: string): Promise<Sent> =>
      service.send("GET", "/v1/me", { headers: { ...bearer(token), "x-forwarded-for": address } });

    const answers = await repeat(5, () => reset("2001:db8:1:1::1"));

    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 429]);
    expect(answers[4]).toMatchObject({
      body: { code: "rate_limited", policy: "address" },
      headers: { "retry-after": "1" },
    });
    expect((await me("2001:db8:1:1::2")).status).toBe(429);
    expect((await me("2001:db8:1:2::1")).status).toBe(200);
  });

  test("RL-01 stops a flood of invalid credentials before any look-up", async () => {
    await using service = await startService({ settings: { LIMIT_FLOOD_PER_SECOND: "2" } });

    const answers = await repeat(5, () =>
      service.send("GET", "/v1/me", { headers: bearer("svc_cli_made-up") }),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429]);
  });

  test("RL-01 asking for reset links is counted exactly, and per address", async () => {
    await using service = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "3" } });
    const reset = (): Promise<Sent> =>
      service.send("POST", "/v1/password-resets", { body: { email: "nobody@example.com" } });

    const statuses = (await repeat(4, reset)).map(({ status }) => status);

    expect(statuses).toEqual([202, 202, 202, 429]);
  });

  test("RL-01 a body of 256 KiB is read and one byte more is 413, also when its length is not announced", async () => {
    await using service = await startService();
    const headers = { "content-type": "application/json" };
    const bodyOf = (bytes: number): string => `"${"x".repeat(bytes - 2)}"`;
    const post = (bytes: number): Promise<Sent> =>
      service.send("POST", "/v1/password-resets", { headers, body: bodyOf(bytes) });
    const chunked = await fetch(`${service.url}/v1/password-resets`, {
      method: "POST",
      headers,
      body: new Blob([bodyOf(300_000)]).stream(),
      duplex: "half",
    });

    expect((await post(262_144)).status).toBe(400);
    expect(await post(262_145)).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect([chunked.status, await chunked.json()]).toMatchObject([413, { code: "body_too_large" }]);
  });

  test("RL-01 a page holds at most a thousand, and at least one", async () => {
    await using service = await startService();
    const organisation = await service.organisation();
    const { token } = await service.person({ [organisation]: "owner" });
    const list = (limit: string): Promise<Sent> =>
      service.send("GET", `/v1/members?limit=${limit}`, { headers: bearer(token) });

    expect([(await list("1")).status, (await list("1000")).status]).toEqual([200, 200]);
    for (const limit of ["0", "1001", "-1", "1.5", "1e9", "all", "", "5&limit=6"]) {
      expect(await list(limit), limit).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ parameter: "limit" }] },
      });
    }
  });
});
