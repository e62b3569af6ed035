import { describe, expect, test } from "vitest";
import { seedSession } from "../../seed.ts";
import {
  ENDS_SESSIONS,
  OPERATIONS,
  READING_ROUTES,
  requestTo,
  UNSAFE_ROUTES,
} from "../../../testing/every-route.ts";
import { rowChecksums } from "../../../testing/row-checksums.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, startService } from "../../../testing/service.ts";
import { type Neighbours, openNeighbours } from "../../../testing/walls/neighbours.ts";

const COOKIE = "__Host-svc_session";

/** Headers of a browser whose request does not come from our own pages. */
const FROM_ELSEWHERE: Record<string, Record<string, string>> = {
  "a foreign origin": { origin: "https://attacker.example" },
  "our name on another port": { origin: "http://127.0.0.1:8081" },
  "our name as a part of another": { origin: "http://127.0.0.1:8080.attacker.example" },
  "an origin that hides itself": { origin: "null" },
  "neither header": {},
  "another site": { "sec-fetch-site": "cross-site" },
  "a sister site": { "sec-fetch-site": "same-site" },
  "no page at all": { "sec-fetch-site": "none" },
  "another site with our origin": { "sec-fetch-site": "cross-site", origin: "http://127.0.0.1:8080" },
};

async function asOperator(): Promise<Neighbours> {
  const neighbours = await openNeighbours();
  await neighbours.service.database.admin("update users set is_operator = true where id = $1", [
    neighbours.home.owner.userId,
  ]);
  return neighbours;
}

describe("changes made with a cookie", () => {
  test("CS-01 rejects every change from another site, without changing a row", async () => {
    await using neighbours = await asOperator();
    const { service, home } = neighbours;
    const requests = [];
    for (const route of UNSAFE_ROUTES) requests.push({ route, ...(await requestTo(neighbours, route)) });
    const before = await rowChecksums(service.database);

    for (const { route, method, path, headers, body } of requests) {
      for (const [where, said] of Object.entries(FROM_ELSEWHERE)) {
        const answer = await service.send(method, path, {
          headers: { ...headers, cookie: `${COOKIE}=${home.owner.cookie}`, ...said },
          body,
        });
        expect(answer, `${route.id} from ${where}`).toMatchObject({
          status: 403,
          body: { code: "cross_site_request" },
        });
      }
    }

    expect(UNSAFE_ROUTES.length).toBeGreaterThanOrEqual(20);
    expect(await rowChecksums(service.database)).toEqual(before);
  });

  test("CS-01 the same changes from our own pages go through", async () => {
    for (const said of [{ "sec-fetch-site": "same-origin" }, { origin: "http://127.0.0.1:8080" }] as Record<
      string,
      string
    >[]) {
      await using neighbours = await asOperator();
      const { service, home } = neighbours;
      await service.person({ [home.organisationId]: "owner" });
      // Operations that end the owner's access come last. Accepting an invitation is for another user.
      const last = [...ENDS_SESSIONS, "leaveOrganisation"];
      const routes = UNSAFE_ROUTES.filter(({ id }) => id !== "acceptInvitation");
      for (const route of routes.toSorted((one, other) => last.indexOf(one.id) - last.indexOf(other.id))) {
        const { method, path, headers, body } = await requestTo(neighbours, route);
        const cookie = await seedSession(service.app, home.owner, "browser");
        const answer = await service.send(method, path, {
          headers: { ...headers, cookie: [headers["cookie"], `${COOKIE}=${cookie}`].join("; "), ...said },
          body,
        });
        expect(answer.status, `${route.id}: ${answer.text}`).toBeLessThan(300);
      }
    }
  });

  test("CS-01 another site can neither sign a user in nor act without a credential", async () => {
    await using service = await startService();
    const person = await service.person();

    for (const said of Object.values(FROM_ELSEWHERE).filter((one) => Object.keys(one).length > 0)) {
      const answer = await service.send("POST", "/v1/password-resets", {
        headers: said,
        body: { email: person.email },
      });
      expect(answer).toMatchObject({ status: 403, body: { code: "cross_site_request" } });
    }
  });

  test("a tool needs no such header: it has no cookie to lend", async () => {
    await using neighbours = await openNeighbours();
    const { service, home } = neighbours;
    const body = { email: "tool@example.com", role: "member" };

    const answer = await service.send("POST", "/v1/invitations", {
      headers: { ...bearer(home.owner.token), origin: "https://attacker.example" },
      body,
    });

    expect(answer.status).toBe(201);
  });
});

test("CS-02 rejects a change whose body is not of type JSON on every route", async () => {
  await using neighbours = await asOperator();
  const { service, home } = neighbours;
  const before = await rowChecksums(service.database);
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/json",
    "application/jsonp",
    "",
  ];

  for (const route of UNSAFE_ROUTES) {
    const path = route.path.replaceAll(/\{\w+\}/g, "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11");
    for (const type of types) {
      const headers = { ...browser(home.owner.cookie), ...(type && { "content-type": type }) };
      const answer = await service.send(route.method, path, { headers, body: '{"role":"owner"}' });
      expect(answer, `${route.id} with ${type || "no type"}`).toMatchObject({
        status: 415,
        body: { code: "media_type_not_supported" },
      });
    }
  }
  expect(await rowChecksums(service.database)).toEqual(before);
});

test("CS-03 no reading request changes a row, by whatever method of reading", async () => {
  await using neighbours = await asOperator();
  const { service, home } = neighbours;
  const requests = [];
  for (const route of READING_ROUTES) requests.push(await requestTo(neighbours, route));
  const before = await rowChecksums(service.database);

  for (const { path, isEndless } of requests) {
    for (const method of ["GET", "HEAD"]) {
      for (const said of [{ "sec-fetch-site": "cross-site" }, {}] as Record<string, string>[]) {
        const answer = await service.send(method, path, {
          headers: { cookie: `${COOKIE}=${home.owner.cookie}`, ...said },
          ...(isEndless && { isEndless }),
        });
        // Streams are for our own pages only: CS-07.
        const isRejected = isEndless && "sec-fetch-site" in said;
        expect(answer.status, `${method} ${path}`).toBe(isRejected ? 403 : 200);
      }
    }
  }
  for (const path of ["/livez", "/readyz", "/docs", "/openapi.json", "/nowhere"])
    await service.send("GET", path);

  expect(READING_ROUTES.length).toBeGreaterThanOrEqual(9);
  expect(await rowChecksums(service.database)).toEqual(before);
});

test("CS-07 a live stream opens for our own pages and for tools, and for no page elsewhere", async () => {
  await using neighbours = await openNeighbours();
  const { service, home } = neighbours;
  const streams = READING_ROUTES.filter(({ http }) => http?.media === "text/event-stream");
  const cookie = `${COOKIE}=${home.owner.cookie}`;

  for (const route of streams) {
    const { path } = await requestTo(neighbours, route);
    const open = (headers: Record<string, string>): Promise<Sent> =>
      service.send("GET", path, { headers, isEndless: true });
    for (const said of Object.values(FROM_ELSEWHERE).filter((one) => Object.keys(one).length > 0))
      expect(await open({ cookie, ...said })).toMatchObject({
        status: 403,
        body: { code: "cross_site_request" },
      });
    const ours = [
      { cookie, "sec-fetch-site": "same-origin" },
      { cookie, origin: "http://127.0.0.1:8080" },
      { ...bearer(home.owner.token), origin: "https://tool.example" },
    ];
    for (const headers of ours) expect((await open(headers)).status).toBe(200);
  }
  expect(streams.map(({ id }) => id)).toEqual(["followLive"]);
});

test("CS-04 allows nothing in a preflight from another site, on any route", async () => {
  await using service = await startService();

  for (const { method, path } of OPERATIONS) {
    const address = path.replaceAll(/\{\w+\}/g, "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11");
    const asked = {
      origin: "https://attacker.example",
      "access-control-request-method": method,
      "access-control-request-headers": "content-type",
    };
    const answers = [
      await service.send("OPTIONS", address, { headers: asked }),
      await service.send("GET", address, { headers: asked }),
    ];
    for (const { headers } of answers) {
      expect(Object.keys(headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    expect(answers[0]).toMatchObject({ status: 405, body: { code: "method_not_allowed" } });
  }
});

describe("browser headers of every response", () => {
  const EXPECTED = {
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  };

  test("CS-05 sends the same headers with success, errors, missing pages, bad requests and failures", async () => {
    await using service = await startService();
    const person = await service.person();
    const headers = bearer(person.token);
    const answers: Record<string, Sent> = {
      answer: await service.send("GET", "/v1/me", { headers }),
      head: await service.send("HEAD", "/v1/me", { headers }),
      "401": await service.send("GET", "/v1/me"),
      "400": await service.send("GET", "/v1/me?unknown=1", { headers }),
      "404": await service.send("GET", "/nowhere"),
      "405": await service.send("DELETE", "/v1/me", { headers }),
      "413": await service.send("POST", "/v1/sessions", {
        headers: { "content-type": "application/json" },
        body: " ".repeat(300_000),
      }),
      "bad address": await service.send("GET", "/v1/%zz"),
      "long address": await service.send("GET", `/v1/members/${"x".repeat(300)}`),
      health: await service.send("GET", "/livez"),
    };
    await service.database.admin("revoke execute on function authenticate_session from public");
    answers["500"] = await service.send("GET", "/v1/me", { headers });

    expect(answers["500"].body).toMatchObject({ status: 500, code: "internal_error" });
    expect(answers["bad address"]!.status).toBe(404);
    for (const [what, answer] of Object.entries(answers)) {
      expect(answer.headers, what).toMatchObject(EXPECTED);
      expect(answer.headers["x-powered-by"], what).toBeUndefined();
      expect(answer.headers["server"], what).toBeUndefined();
    }
  });

  test("CS-05 pages, scripts and styles carry the same, each with the narrowest policy it can live with", async () => {
    await using service = await startService();
    const { "content-security-policy": _api, "cache-control": _none, ...common } = EXPECTED;

    for (const path of [
      "/docs/",
      "/docs/errors",
      "/docs/site.js",
      "/docs/site.css",
      "/openapi.json",
      "/operator/openapi.json",
      "/switch/openapi.json",
    ]) {
      const { status, headers } = await service.send("GET", path);
      expect(status, path).toBe(200);
      expect(headers, path).toMatchObject(common);
      const policy = String(headers["content-security-policy"]);
      expect(policy, path).toMatch(/^default-src 'none'; /);
      for (const directive of ["base-uri", "frame-ancestors", "object-src"])
        expect(policy, path).toContain(`; ${directive} 'none'`);
      expect(policy, path).not.toMatch(/script-src[^;]*(unsafe|\*|https?:)/);
    }
  });

  test("CS-08 prevents caching below /v1, and clears the browser at sign-out", async () => {
    await using service = await startService();
    const person = await service.person();

    const me = await service.send("GET", "/v1/me", { headers: browser(person.cookie) });
    const repeated = await service.send("GET", "/v1/me", {
      headers: {
        ...browser(person.cookie),
        "if-none-match": "*",
        "if-modified-since": "Thu, 01 Jan 2026 00:00:00 GMT",
      },
    });
    const out = await service.send("DELETE", "/v1/sessions/current", { headers: browser(person.cookie) });

    expect([
      me.headers["cache-control"],
      repeated.headers["cache-control"],
      out.headers["cache-control"],
    ]).toEqual(["no-store", "no-store", "no-store"]);
    expect(repeated.status).toBe(200);
    expect(me.headers.etag).toBeUndefined();
    expect(out.headers["clear-site-data"]).toBe('"cache", "storage"');
  });
});
