import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEED_PASSWORD } from "../../seed.ts";
import { startServer } from "../../start.ts";
import { signIn } from "../../../testing/account.ts";
import { send, type Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";
import { testConfig } from "../../../testing/test-config.ts";

const WRONG = "not the password at all";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

test("AU-03 a password is kept as argon2id with 19 MiB and two passes, and as nothing else", async () => {
  const person = await service.person();
  const [user] = await service.database.admin<{ password_hash: string }>(
    "select password_hash from users where id = $1",
    [person.userId],
  );

  expect(user!.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]+\$[^$]+$/);
});

test("AU-03 rehashes a password of weaker settings when its owner signs in, and only then", async () => {
  const person = await service.person();
  const weak = await hash(SEED_PASSWORD, { memoryCost: 4_096, timeCost: 1, parallelism: 1 });
  await service.database.admin("update users set password_hash = $1 where id = $2", [weak, person.userId]);
  const stored = async (): Promise<string> =>
    (
      await service.database.admin<{ password_hash: string }>(
        "select password_hash from users where id = $1",
        [person.userId],
      )
    )[0]!.password_hash;

  await signIn(service, person.email, WRONG);
  expect(await stored()).toBe(weak);
  expect((await signIn(service, person.email)).status).toBe(201);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await signIn(service, person.email)).status).toBe(201);
});

test("AU-04 a wrong password, an unknown, a disabled and a not yet finished account get the same answer", async () => {
  const [known, disabled, unfinished] = [
    await service.person(),
    await service.person(),
    await service.person(),
  ];
  await service.database.admin("update users set disabled_at = now() where id = $1", [disabled.userId]);
  await service.database.admin("update users set password_hash = null where id = $1", [unfinished.userId]);

  const answers = [
    await signIn(service, known.email, WRONG),
    await signIn(service, "nobody@example.com", WRONG),
    await signIn(service, disabled.email),
    await signIn(service, unfinished.email),
  ];

  expect(answers[0]).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  for (const answer of answers) expect(withoutIds(answer)).toEqual(withoutIds(answers[0]!));
});

test("AU-04 a wrong password and an unknown account take the same time", async () => {
  const known = await service.person();
  const kinds = { known: known.email, knownAgain: known.email, unknown: "nobody@example.com" };
  await signIn(service, known.email, WRONG);

  // Two samples of the same kind say how much two medians differ by chance alone.
  const isAlike = async (): Promise<boolean> => {
    const medians = await medianTimes(kinds, (email) => signIn(service, email, WRONG));
    const noise = Math.abs(medians.known - medians.knownAgain);
    return Math.abs(medians.unknown - medians.known) <= Math.max(3 * noise, medians.known * 0.3);
  };

  expect((await isAlike()) || (await isAlike())).toBe(true);
});

test("AU-05 the eleventh failure for an account is 429 with whole seconds to wait, from any address", async () => {
  await using limited = await startService({
    settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const person = await limited.person();
  const attempt = (address: string, password = WRONG): Promise<Sent> =>
    signIn(limited, person.email, password, { "x-forwarded-for": address });

  for (let failure = 1; failure <= 10; failure++)
    expect((await attempt(`192.0.2.${failure}`)).status).toBe(401);
  const refused = await attempt("192.0.2.11");
  const withRightPassword = await attempt("198.51.100.1", SEED_PASSWORD);

  expect(refused).toMatchObject({
    status: 429,
    body: { code: "rate_limited", retryable: true, policy: "sign_in_account" },
  });
  expect(refused.headers["retry-after"]).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect(withRightPassword.status).toBe(429);
  limited.clock.advance(60_000);
  expect((await attempt("198.51.100.1", SEED_PASSWORD)).status).toBe(201);
});

test("a response to a sign-in shows what is left of the address's limit, and nothing of the account's", async () => {
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10" } });
  const { email } = await limited.person();

  const failed = await signIn(limited, email, WRONG);
  expect(failed.headers["ratelimit-policy"]).toBe('"sign_in_address";q=10;w=60');
  expect(failed.headers["ratelimit"]).toBe('"sign_in_address";r=9;t=60');
  expect((await signIn(limited, email)).headers["ratelimit"]).toMatch(/"sign_in_address";r=9;t=\d+/);
  for (let failure = 1; failure < 10; failure++) await signIn(limited, email, WRONG);
  expect((await signIn(limited, email, WRONG)).headers["ratelimit"]).toMatch(/"sign_in_address";r=0;t=\d+/);
});

test("AU-05 resets no limit by another user's sign-in, and counts no successful one", async () => {
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10" } });
  const [victim, attacker] = [await limited.person(), await limited.person()];

  for (let round = 0; round < 15; round++) expect((await signIn(limited, attacker.email)).status).toBe(201);
  const statuses: number[] = [];
  for (let round = 0; round < 12; round++) {
    statuses.push((await signIn(limited, victim.email, WRONG)).status);
    await signIn(limited, attacker.email);
  }

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
});

test("AU-05 an address that is used up cannot use up other people's accounts as well", async () => {
  await using limited = await startService({
    settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const victim = await limited.person();
  const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });

  for (let failure = 0; failure < 10; failure++)
    await signIn(limited, `nobody-${failure}@example.com`, WRONG, from("192.0.2.1"));
  for (let failure = 0; failure < 12; failure++) {
    expect((await signIn(limited, victim.email, WRONG, from("192.0.2.1"))).body.policy).toBe(
      "sign_in_address",
    );
  }

  expect((await signIn(limited, victim.email, SEED_PASSWORD, from("198.51.100.1"))).status).toBe(201);
});

test("AU-05 an invented X-Forwarded-For changes nothing", async () => {
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10" } });

  const statuses: number[] = [];
  for (let failure = 1; failure <= 11; failure++) {
    const headers = {
      "x-forwarded-for": `192.0.2.${failure}`,
      forwarded: `for=192.0.2.${failure}`,
      "x-real-ip": `192.0.2.${failure}`,
    };
    statuses.push((await signIn(limited, `nobody-${failure}@example.com`, WRONG, headers)).status);
  }

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
});

test.each(["unknown", "1.2.3.4:4711", "[2001:db8::1]:4711", "_hidden", "", ",", "1.2.3.4, unknown"])(
  "a trusted proxy that forwards for %j blocks no sign-in",
  async (forwarded) => {
    await using proxied = await startService({ settings: { TRUSTED_PROXIES: "127.0.0.1/32" } });
    const person = await proxied.person();
    const headers = { "x-forwarded-for": forwarded };

    expect((await signIn(proxied, person.email, SEED_PASSWORD, headers)).status).toBe(201);
    expect((await signIn(proxied, person.email, WRONG, headers)).status).toBe(401);
    const known = { ...bearer(person.token), ...headers };
    expect((await proxied.send("GET", "/v1/me", { headers: known })).status).toBe(200);
  },
);

test("AU-05 two addresses of one IPv6 /64 share their tries, and the next /64 has its own", async () => {
  await using limited = await startService({
    settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const attempt = (address: string, at: number): Promise<Sent> =>
    signIn(limited, `nobody-${at}@example.com`, WRONG, { "x-forwarded-for": address });

  for (let failure = 0; failure < 10; failure++) await attempt(`2001:db8:1:1::${failure + 1}`, failure);

  expect((await attempt("2001:db8:1:1:ffff:ffff:ffff:ffff", 98)).status).toBe(429);
  expect((await attempt("2001:db8:1:2::1", 99)).status).toBe(401);
});

test("AU-05 the count is one for all replicas, also when all come at once", async () => {
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10" } });
  const second = await startServer(
    testConfig(limited.database.url, { LIMIT_SIGN_INS_PER_MINUTE: "10" }),
    "api",
  );
  try {
    const person = await limited.person();
    const body = { email: person.email, password: WRONG };
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        send(at % 2 === 0 ? limited.url : second.url!, "POST", "/v1/sessions", { body }),
      ),
    );

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
  } finally {
    await second.stop();
  }
});

test("AU-05 entering the password again is counted like signing in", async () => {
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "10" } });
  const person = await limited.person();
  const again = (password: string): Promise<Sent> =>
    limited.send("POST", "/v1/sessions/current/reauthentication", {
      headers: browser(person.cookie),
      body: { password },
    });

  for (let failure = 0; failure < 10; failure++) expect((await again(WRONG)).status).toBe(401);

  expect((await again(SEED_PASSWORD)).status).toBe(429);
  expect((await limited.send("GET", "/v1/me", { headers: bearer(person.token) })).status).toBe(200);
});

function withoutIds({ status, headers, body }: Sent): object {
  const { date: _date, "request-id": _id, ratelimit: _left, ...rest } = headers;
  return { status, headers: rest, body: { ...body, request_id: "", instance: "" } };
}

/** Median of each kind in milliseconds; the kinds take turns in random order, so that a slow moment hits all alike. */
async function medianTimes<Kind extends string>(
  kinds: Record<Kind, string>,
  attempt: (email: string) => Promise<Sent>,
): Promise<Record<Kind, number>> {
  const names = Object.keys(kinds) as Kind[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>;
  for (let round = 0; round < 21; round++) {
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      const startedAt = performance.now();
      await attempt(kinds[name]);
      times[name].push(performance.now() - startedAt);
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, times[name].toSorted((a, b) => a - b)[10]!]),
  ) as Record<Kind, number>;
}
