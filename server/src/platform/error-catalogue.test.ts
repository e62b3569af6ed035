import { soldFindingOf } from "../../testing/walls/made-things.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLink, tokenOfLink } from "../people/one-time-links/one-time-links.ts";
import { tokenOfInvitation } from "../people/invitations/invitations.ts";
import { signIn } from "../../testing/account.ts";
import { rejectedCarriers } from "./testing/rejected-carriers.ts";
import { rejectedTrunks } from "./testing/rejected-trunks.ts";
import { refusedSavedStates } from "./testing/rejected-saved-states.ts";
import { refusedSignIns } from "./testing/rejected-sign-ins.ts";
import { send, type Sent } from "../../testing/send.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../testing/service.ts";
import { makeSwitch } from "../../testing/walls/switch-callers.ts";
import { PROBED_ID, serveProbes } from "../../testing/walls/probe-operations.ts";
import { restingNumber } from "../../testing/resting-number.ts";
import { holdManyNumbers, holdNumber } from "../../testing/stock.ts";
import { seedNumbers } from "../seed.ts";
import { type ErrorCode, ERRORS } from "./error-catalogue.ts";
import { newId } from "./ids.ts";
import { featureProducers } from "../../testing/feature-producers.ts";

const SOME_ID = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";
const JSON_TYPE = { "content-type": "application/json" };

let service: Service;
let probes: AsyncDisposable & { url: string };
let organisation: string;
let owner: Person;
let member: Person;
let both: Person;
beforeAll(async () => {
  service = await startService({
    settings: { FORWARD_PREFIXES: "+49", EGRESS_ALLOW: "127.0.0.0/8:1024-65535+http" },
  });
  probes = await serveProbes(service);
  organisation = await service.organisation();
  const second = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
  member = await service.person({ [organisation]: "member" });
  both = await service.person({ [organisation]: "owner", [second]: "owner" });
});
afterAll(async () => {
  await probes[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

type Headers = Record<string, string | string[]>;
const get = (path: string, headers: Headers = bearer(owner.token)): Promise<Sent> =>
  service.send("GET", path, { headers });
const post = (path: string, body: unknown, headers: Headers = bearer(owner.token)): Promise<Sent> =>
  service.send("POST", path, { headers, body });
const invite = (email: string, headers: Record<string, string> = {}, role = "member"): Promise<Sent> =>
  post("/v1/invitations", { email, role }, { ...bearer(owner.token), ...headers });
const asOperator = async (method: string, path: string, body: unknown): Promise<Sent> => {
  const operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  return service.send(method, path, { headers: bearer(operator.token), body });
};
const keyOf = (person = owner, where = organisation): Promise<{ id: string; secret: string }> =>
  service.key(person, where, ["numbers"]);

const setRouting = async (
  body: unknown,
  headers: Record<string, string> = bearer(owner.token),
  id?: string,
): Promise<Sent> => {
  const number = id ?? (await seedNumbers(service.app, organisation, "live", 1))[0]!.id;
  return service.send("PUT", `/v1/numbers/${number}/routing`, {
    headers: { "idempotency-key": newId(), ...headers },
    body,
  });
};

const keyedPost = (path: string): Promise<Sent> =>
  post(path, {}, { ...bearer(owner.token), "idempotency-key": newId() });
const resting = (restoreUntil: string | null): Promise<string> =>
  restingNumber(service, { organisationId: organisation, environment: "live" }, restoreUntil);

/** A number that is sold in the pool and has no holder. */
const orphanFinding = async (e164 = "+442079460001"): Promise<string> => {
  const id = newId();
  await service.database.admin(
    "insert into reconciliations (id, carrier, started_at) values ($1, 'pool', now())",
    [id],
  );
  await service.database.admin(
    "insert into reconciliation_findings (id, reconciliation_id, kind, e164) values ($1, $1, 'not_here', $2)",
    [id, e164],
  );
  return id;
};

const connect = (name: string): Promise<Sent> =>
  post("/v1/connections", { name, targets: [{ host: "pbx.example.com" }] });

/** Codes that occur only in jobs and their items, not in responses. */
const OF_JOBS = ["order_incomplete", "requirements_expired"] as const;

/** A request that produces each code. The compiler requires a row for each new code. */
const PRODUCERS: Record<Exclude<ErrorCode, (typeof OF_JOBS)[number]>, () => Promise<Sent>> = {
  invalid_json: () => post("/v1/sessions", "{", JSON_TYPE),
  invalid_request: () => get("/v1/me?unknown=1"),
  window_empty: () => get("/v1/usage?from=2026-01-02T00:00Z&to=2026-01-01T00:00Z"),
  window_too_long: () => get("/v1/usage?from=2020-01-01T00:00Z&to=2026-01-01T00:00Z&granularity=hour"),
  invalid_cursor: () => get("/v1/members?cursor=AAAA"),
  idempotency_key_missing: () =>
    probe("PUT", `/v1/probes/keyed/${PROBED_ID}`, bearer(owner.token), { value: 1 }),
  idempotency_key_invalid: () => invite("key@example.com", { "idempotency-key": '"' }),
  organisation_required: () => get("/v1/members", bearer(both.token)),
  organisation_header_invalid: () => get("/v1/members", { ...bearer(owner.token), "x-service-org": "Alpha" }),
  environment_header_invalid: () =>
    get("/v1/me", { ...bearer(owner.token), "x-service-environment": "staging" }),
  unauthenticated: () => get("/v1/me", {}),
  sign_in_failed: () => signIn(service, owner.email, "not the password at all"),
  ...refusedSignIns(() => service),
  ...rejectedTrunks(() => service),
  switch_retired: async () =>
    post("/switch/v1/reports", {}, bearer((await makeSwitch(service, { state: "retired" })).credential)),
  caller_kind_not_allowed: async () => get("/v1/members", bearer((await keyOf()).secret)),
  role_not_allowed: () => get("/v1/members", bearer(member.token)),
  scope_missing: async () => probe("GET", "/v1/probes/probeNoSessionsScoped", bearer((await keyOf()).secret)),
  organisation_not_allowed: () => get("/v1/members", { ...bearer(owner.token), "x-service-org": SOME_ID }),
  second_factor_required: async () => {
    await using strict = await startService({ settings: { OPERATOR_SECOND_FACTOR: "required" } });
    const { token } = await strict.person();
    await strict.database.admin("update users set is_operator = true");
    return await strict.send("GET", "/operator/v1/pool", { headers: bearer(token) });
  },
  organisation_suspended: async () => {
    const id = await service.organisation();
    const { token } = await service.person({ [id]: "owner" });
    await service.database.admin("update organisations set suspended_at = now() where id = $1", [id]);
    return get("/v1/members", bearer(token));
  },
  environment_not_allowed: async () =>
    get("/v1/me", { ...bearer((await keyOf()).secret), "x-service-environment": "test" }),
  address_not_allowed: async () => {
    const made = await post(
      "/v1/api-keys",
      { name: "Elsewhere", scopes: ["numbers"], allowed_networks: ["192.0.2.0/24"] },
      browser(owner.cookie),
    );
    return get("/v1/me", bearer(made.body.secret));
  },
  operator_only: () => get("/operator/v1/organisations"),
  reauthentication_required: async () => {
    await service.database.admin(
      "update sessions set reauthenticated_at = now() - interval '11 minutes' where user_id = $1",
      [both.userId],
    );
    return service.send("PUT", "/v1/me/password", {
      headers: browser(both.cookie),
      body: { new_password: "the kettle hums" },
    });
  },
  cross_site_request: () =>
    post("/v1/password-resets", { email: owner.email }, { origin: "https://attacker.example" }),
  role_too_high: async () => {
    const admin = await service.person({ [organisation]: "admin" });
    return post("/v1/invitations", { email: "above@example.com", role: "owner" }, bearer(admin.token));
  },

  not_found: () => get("/v1/nowhere"),
  invitation_not_found: () =>
    service.send("DELETE", `/v1/invitations/${SOME_ID}`, { headers: bearer(owner.token) }),
  member_not_found: () => service.send("DELETE", `/v1/members/${SOME_ID}`, { headers: bearer(owner.token) }),
  session_not_found: () =>
    service.send("DELETE", `/v1/sessions/${SOME_ID}`, { headers: bearer(owner.token) }),
  api_key_not_found: () =>
    service.send("DELETE", `/v1/api-keys/${SOME_ID}`, { headers: bearer(owner.token) }),
  organisation_not_found: () => asOperator("GET", `/operator/v1/organisations/${SOME_ID}`, undefined),
  user_not_found: () => asOperator("POST", `/operator/v1/users/${SOME_ID}/enable`, undefined),
  own_account: async () => {
    const operator = await service.person();
    await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
    return post(`/operator/v1/users/${operator.userId}/disable`, {}, bearer(operator.token));
  },
  switch_not_found: () => asOperator("PATCH", `/operator/v1/switches/${SOME_ID}`, { state: "draining" }),
  switch_group_not_found: () =>
    asOperator("POST", "/operator/v1/switches", { name: "lost", group_id: SOME_ID }),
  switch_name_taken: async () => {
    await asOperator("POST", "/operator/v1/switches", { name: "twin" });
    return asOperator("POST", "/operator/v1/switches", { name: "twin" });
  },
  epoch_not_found: () => asOperator("POST", "/operator/v1/epochs/none/resolve", undefined),
  ...refusedSavedStates(() => service, asOperator),
  epoch_ended: async () => {
    const { body } = await asOperator("POST", "/operator/v1/switches", { name: "late" });
    const report = {
      epoch: "1-00000001",
      boot: "boot",
      agent_version: "0.1.0",
      is_complete: false,
      shards: [],
    };
    return post("/switch/v1/reports", report, bearer(body.credential));
  },

  feed_held: async () => {
    const { body } = await asOperator("POST", "/operator/v1/switches", { name: "held" });
    await service.database.admin("update feed_epoch set is_held = true");
    const position = { epoch: null, versions: {} };
    const refused = await post("/switch/v1/streams", position, bearer(body.credential));
    await service.database.admin("update feed_epoch set is_held = false");
    return refused;
  },

  mode_not_allowed: async () =>
    setRouting(
      { mode: "forward" },
      bearer((await service.key(owner, organisation, ["numbers_write"])).secret),
    ),
  number_not_found: () => setRouting({ mode: "unrouted" }, bearer(owner.token), SOME_ID),
  revision_not_found: async () => {
    const [number] = await seedNumbers(service.app, organisation, "live", 1);
    return post(`/v1/numbers/${number!.id}/routing/rollback`, { generation: 9 });
  },
  number_not_active: async () => {
    const [number] = await seedNumbers(service.app, organisation, "live", 1);
    await service.database.admin("update holdings set status = 'suspended' where id = $1", [number!.id]);
    return setRouting({ mode: "sip_uri", sip_uri: "sip:a@example.com" }, bearer(owner.token), number!.id);
  },
  generation_mismatch: () => setRouting({ mode: "unrouted" }, { ...bearer(owner.token), "if-match": '"9"' }),
  connection_unknown: () => setRouting({ mode: "connection", connection_id: SOME_ID }),
  destination_not_allowed: () => setRouting({ mode: "sip_uri", sip_uri: "sip:a@10.0.0.1" }),
  forward_loop: async () => {
    const [number] = await seedNumbers(service.app, organisation, "live", 1);
    return setRouting({ mode: "forward", forward_to: number!.e164 }, bearer(owner.token), number!.id);
  },

  bulk_change_not_found: () => get(`/v1/numbers/bulk/${SOME_ID}`),
  bulk_change_not_planned: async () => {
    const body = { select: { ids: [SOME_ID] }, change: { release_lock: true } };
    const { id } = (await post("/v1/numbers/bulk", body)).body;
    await post(`/v1/numbers/bulk/${id}/apply`, {});
    return post(`/v1/numbers/bulk/${id}/apply`, {});
  },
  bulk_change_too_large: async () => {
    const crowded = await service.organisation();
    const { token } = await service.person({ [crowded]: "owner" });
    await holdManyNumbers(service.database, crowded, 50_001);
    return post(
      "/v1/numbers/bulk",
      { select: { filter: {} }, change: { release_lock: true } },
      bearer(token),
    );
  },

  call_not_found: () => get(`/v1/calls/${SOME_ID.replaceAll("-", "")}`),
  connection_not_found: () => get(`/v1/connections/${SOME_ID}`),
  connection_name_taken: async () => (await connect("Twins"), connect("Twins")),
  connection_in_use: async () => {
    const { id } = (await connect("In use")).body;
    await setRouting({ mode: "connection", connection_id: id });
    return service.send("DELETE", `/v1/connections/${id}`, { headers: bearer(owner.token) });
  },
  release_blocked: async () => {
    const { id } = await holdNumber(service.app, organisation, "live");
    await service.send("PATCH", `/v1/numbers/${id}`, {
      headers: bearer(owner.token),
      body: { release_lock: true },
    });
    return keyedPost(`/v1/numbers/${id}/release`);
  },
  release_in_progress: async () => {
    const { id } = await holdNumber(service.app, organisation, "live");
    await keyedPost(`/v1/numbers/${id}/release`);
    return keyedPost(`/v1/numbers/${id}/release`);
  },
  number_not_quarantined: async () =>
    keyedPost(`/v1/numbers/${(await holdNumber(service.app, organisation, "live")).id}/restore`),
  number_not_restorable: async () => keyedPost(`/v1/numbers/${await resting(null)}/restore`),
  restore_in_progress: async () => {
    const id = await resting("2999-01-01T00:00:00Z");
    await keyedPost(`/v1/numbers/${id}/restore`);
    return keyedPost(`/v1/numbers/${id}/restore`);
  },
  ...featureProducers(() => ({ service, organisation, owner })),
  webhook_endpoint_not_found: () => get(`/v1/webhook-endpoints/${SOME_ID}`),
  webhook_endpoint_limit_reached: async () => {
    const body = { url: "https://hooks.example.com/" };
    for (let made = 0; made < 50; made++) await post("/v1/webhook-endpoints", body);
    return post("/v1/webhook-endpoints", body);
  },
  ...rejectedCarriers(),
  reconciliation_not_found: () =>
    asOperator("GET", `/operator/v1/reconciliations/${SOME_ID}/findings`, undefined),
  finding_not_found: () => asOperator("POST", `/operator/v1/findings/${SOME_ID}/repair`, undefined),
  finding_repaired: async () => {
    const id = await orphanFinding();
    await asOperator("POST", `/operator/v1/findings/${id}/repair`, undefined);
    return asOperator("POST", `/operator/v1/findings/${id}/repair`, undefined);
  },
  bought_after_rollback: async () => {
    const { database } = service;
    const { id } = await soldFindingOf({ service }, { organisationId: organisation });
    await database.admin(
      "insert into feed_epochs (epoch, began_at, cause) values ($1, now() + interval '1 hour', 'rollback')",
      [id],
    );
    const refused = await asOperator("POST", `/operator/v1/findings/${id}/repair`, undefined);
    await database.admin("delete from feed_epochs where epoch = $1", [id]);
    return refused;
  },
  finding_outdated: async () => {
    const { id: holding, e164 } = await holdNumber(service.app, organisation, "live");
    await service.database.admin("update holdings set carrier = 'pool' where id = $1", [holding]);
    return asOperator("POST", `/operator/v1/findings/${await orphanFinding(e164)}/repair`, undefined);
  },
  job_not_found: () => get(`/v1/jobs/${SOME_ID}`),
  reservation_not_active: () =>
    post(
      "/v1/numbers/orders",
      { reservation_id: SOME_ID },
      { ...bearer(owner.token), "idempotency-key": newId() },
    ),
  carrier_inventory_not_connected: () => post("/v1/numbers/reservations", {}),
  number_not_available: async () => {
    await using connected = await startService({ settings: { INVENTORY: "pool" } });
    const { token } = await connected.person({ [await connected.organisation()]: "owner" });
    const body = { numbers: ["+442079460000"] };
    return await connected.send("POST", "/v1/numbers/reservations", { headers: bearer(token), body });
  },

  method_not_allowed: () => post("/v1/me", {}),

  idempotency_in_progress: async () => {
    const first = whileCounterIsHeld(() => invite("running@example.com", { "idempotency-key": "running" }));
    await until(async () => (await waiting()).length > 0);
    const answer = await invite("running@example.com", { "idempotency-key": "running" });
    await first;
    return answer;
  },
  last_owner: async () => {
    const alone = await service.person({ [await service.organisation()]: "owner" });
    return service.send("DELETE", "/v1/members/me", { headers: bearer(alone.token) });
  },
  already_member: () => invite(member.email),
  already_invited: async () => (await invite("again@example.com"), invite("again@example.com")),
  account_exists: async () => {
    const known = await service.person();
    const token = tokenOfInvitation(service.app, (await invite(known.email)).body.id);
    return post(
      "/v1/invitations/accept",
      { token, account: { name: "Ada", password: "the kettle hums" } },
      {},
    );
  },
  api_key_limit_reached: async () => {
    const crowded = await service.organisation();
    const maker = await service.person({ [crowded]: "owner" });
    for (let made = 0; made < 50; made++) await keyOf(maker, crowded);
    return post("/v1/api-keys", { name: "One more", scopes: ["numbers"] }, browser(maker.cookie));
  },
  api_key_not_active: async () => {
    const { id } = await keyOf();
    await service.send("DELETE", `/v1/api-keys/${id}`, { headers: bearer(owner.token) });
    return post(`/v1/api-keys/${id}/rotate`, {}, browser(owner.cookie));
  },

  body_too_large: () => post("/v1/sessions", " ".repeat(300_000), JSON_TYPE),
  media_type_not_supported: () =>
    post("/v1/sessions", "email=a", { "content-type": "application/x-www-form-urlencoded" }),

  idempotency_key_reused: async () => {
    await invite("reused@example.com", { "idempotency-key": "reused" });
    return invite("other@example.com", { "idempotency-key": "reused" });
  },
  password_too_weak: () =>
    service.send("PUT", "/v1/me/password", {
      headers: browser(owner.cookie),
      body: { new_password: "short" },
    }),
  link_not_valid: () =>
    post("/v1/password-resets/complete", { token: "x", new_password: "the kettle hums" }, {}),
  email_taken: async () => {
    const link = { userId: member.userId, purpose: "change_email", newEmail: owner.email } as const;
    const id = await service.app.db.forCaller({ userId: member.userId }, (tx) =>
      makeLink(tx, service.clock.now(), link),
    );
    return post("/v1/email-changes/complete", { token: tokenOfLink(service.app, "change_email", id) }, {});
  },

  rate_limited: async () => {
    await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: "1" } });
    await signIn(limited, "nobody@example.com", "wrong");
    return await signIn(limited, "nobody@example.com", "wrong");
  },
  internal_error: async () => {
    await using broken = await startService();
    await broken.database.admin("revoke execute on function authenticate_session from public");
    return await broken.send("GET", "/v1/me", { headers: bearer("svc_cli_anything") });
  },
  busy: () => whileCounterIsHeld(() => invite("too-late@example.com"), 4),
  unavailable: async () => {
    const answer = whileCounterIsHeld(() => invite("cut-off@example.com"));
    const [waiter] = await until(async () => (await waiting()).length > 0 && waiting());
    await service.database.admin("select pg_terminate_backend($1)", [waiter!.pid]);
    return answer;
  },
};

const WAITING = [
  "busy",
  "feed_held",
  "idempotency_in_progress",
  "rate_limited",
  "unavailable",
  "authorization_pending",
  "slow_down",
  "identity_provider_unavailable",
];
const RETRYABLE = [...WAITING, "internal_error"];

test("every code of the catalogue is produced here", () => {
  expect([...Object.keys(PRODUCERS), ...OF_JOBS].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test.each(OF_JOBS)("a job can fail with %s, in the shape of an error response", async (code) => {
  const id = newId();
  await service.database.admin(
    `insert into jobs (id, organisation_id, environment, type, status, total, failed, error_code, error_detail, request_id, created_at, queued_at, started_at, finished_at)
     values ($1, $2, 'live', 'number_release', 'failed', 1, 1, $3, 'It said no.', 'a-request', now(), now(), now(), now())`,
    [id, organisation, code],
  );
  const { title, status, retryable } = ERRORS[code];

  expect((await get(`/v1/jobs/${id}`)).body.error).toEqual({
    type: `http://127.0.0.1:8080/docs/errors#${code}`,
    title,
    status,
    detail: "It said no.",
    instance: "urn:uuid:a-request",
    code,
    request_id: "a-request",
    retryable,
  });
});

test.each(Object.keys(PRODUCERS) as (keyof typeof PRODUCERS)[])(
  "a request can return %s, in the shape of every problem",
  async (code) => {
    const { status, title, retryable } = ERRORS[code];

    const answer = await PRODUCERS[code]();

    const id = answer.headers["request-id"];
    expect(answer.headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      type: `http://127.0.0.1:8080/docs/errors#${code}`,
      title,
      status,
      detail: expect.stringMatching(/^[^\s].*\.$/),
      instance: `urn:uuid:${String(id)}`,
      code,
      request_id: id,
      retryable,
    });
    for (const part of answer.body.errors ?? []) {
      expect(
        Object.keys(part).filter((name) => ["pointer", "parameter", "header"].includes(name)),
      ).toHaveLength(1);
      expect(part).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), detail: expect.any(String) });
    }
    expect(retryable).toBe(RETRYABLE.includes(code));
    expect(/^[1-9]\d*$/.test(answer.headers["retry-after"] ?? "")).toBe(WAITING.includes(code));
    expect(answer.headers["www-authenticate"] !== undefined).toBe(status === 401);
    expect(answer.headers.allow !== undefined).toBe(status === 405);
  },
);

function probe(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Sent> {
  return send(probes.url, method, path, { headers, body });
}

/** The organisation's changes queue behind its event head. This holds it for some seconds. */
async function whileCounterIsHeld(attempt: () => Promise<Sent>, seconds = 1): Promise<Sent> {
  const held = service.database.admin(
    "with held as materialized (select 1 from event_heads where organisation_id = $1 for update) select pg_sleep($2) from held",
    [organisation, seconds],
  );
  await until(
    async () =>
      (
        await service.database.admin(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
        )
      ).length > 0,
  );
  const answer = await attempt();
  await held;
  return answer;
}

const waiting = (): Promise<{ pid: number }[]> =>
  service.database.admin(
    "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
