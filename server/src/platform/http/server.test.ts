import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS } from "../../../testing/every-route.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const SOME_ID = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await startService();
  const organisation = await service.organisation();
  person = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

describe("methods", () => {
  test("CF-03 what a path does not take is 405 with what it takes, and nothing about anything else", async () => {
    for (const path of new Set(OPERATIONS.map((operation) => operation.path))) {
      const address = path.replaceAll(/\{\w+\}/g, SOME_ID);
      // A fixed path never names a resource: /v1/members/me is not a member's path.
      const taken = new Set<string>(
        OPERATIONS.filter((one) => one.path === path).map(({ method }) => method),
      );
      if (taken.has("GET")) taken.add("HEAD");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].filter(
        (one) => !taken.has(one),
      )) {
        const answer = await service.send(method, address, { headers: bearer(person.token) });
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 405,
          body: { code: "method_not_allowed" },
        });
        const allowed = answer.headers.allow!.split(", ");
        expect(allowed.toSorted(), path).toEqual([...taken].toSorted());
      }
    }
  });

  test("CF-03 returns only methods for OPTIONS, with and without a credential", async () => {
    const [known, unknown] = [
      await service.send("OPTIONS", "/v1/members", { headers: bearer(person.token) }),
      await service.send("OPTIONS", "/v1/members"),
    ];

    expect(known.headers.allow).toBe("GET, HEAD");
    expect({ ...known.body, request_id: "", instance: "" }).toEqual({
      ...unknown.body,
      request_id: "",
      instance: "",
    });
    expect(Object.keys(known.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("CF-03 pages outside the table support only GET and HEAD", async () => {
    for (const path of [
      "/livez",
      "/readyz",
      "/docs",
      "/docs/errors",
      "/openapi.json",
      "/operator/openapi.json",
      "/switch/openapi.json",
    ]) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const answer = await service.send(method, path);
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 405,
          body: { code: "method_not_allowed" },
        });
        expect(answer.headers.allow!.split(", ").toSorted(), path).toEqual(["GET", "HEAD"]);
      }
    }
  });

  test("CF-03 no header and no field changes the method", async () => {
    const answer = await service.send("GET", "/v1/sessions/current", {
      headers: { ...bearer(person.token), "x-http-method-override": "DELETE" },
    });

    expect(answer.status).toBe(405);
    expect((await service.send("GET", "/v1/me", { headers: bearer(person.token) })).status).toBe(200);
  });
});

test("CF-04 serves exactly the routes of the table and a few pages", () => {
  const served = routesOf(service.server.api!.http.printRoutes({ commonPrefix: false }));
  const declared = OPERATIONS.flatMap(({ method, path }) => {
    const url = path.replaceAll(/\{(\w+)\}/g, ":$1");
    return method === "GET" ? [`GET ${url}`, `HEAD ${url}`] : [`${method} ${url}`];
  });
  const pages = served.filter((route) => !declared.includes(route));

  expect(declared.filter((route) => !served.includes(route))).toEqual([]);
  expect(
    pages.filter(
      (route) =>
        !/^(GET|HEAD) \/(livez|readyz|openapi\.json|(operator|switch)\/openapi\.json|docs\*?)$/.test(route),
    ),
  ).toEqual([]);
});

test("escapes that are not UTF-8 name nothing that exists, for those who may ask", async () => {
  for (const name of ["%ED%A0%80", "%zz", "%", "%C0%AF", "100%"]) {
    const known = await service.send("GET", `/v1/numbers/${name}`, { headers: bearer(person.token) });
    expect(known, name).toMatchObject({ status: 404, body: { code: "number_not_found" } });
    expect(await service.send("GET", `/v1/numbers/${name}`), name).toMatchObject({ status: 401 });
  }
});

test("sends its own Request-Id with every response, and ignores the client's", async () => {
  const given = { "request-id": "mine", "x-request-id": "mine" };
  const answers: Sent[] = [
    await service.send("GET", "/v1/me", { headers: { ...bearer(person.token), ...given } }),
    await service.send("HEAD", "/v1/me", { headers: bearer(person.token) }),
    await service.send("GET", "/v1/me"),
    await service.send("GET", "/v1/me?x=1", { headers: bearer(person.token) }),
    await service.send("GET", "/nowhere"),
    await service.send("GET", "/v1/%zz"),
    await service.send("OPTIONS", "/v1/me"),
    await service.send("POST", "/v1/sessions", {
      headers: { "content-type": "application/json" },
      body: "{",
    }),
    await service.send("POST", "/v1/sessions", {
      headers: { "content-type": "application/json" },
      body: " ".repeat(300_000),
    }),
    await service.send("GET", "/livez"),
    await service.send("GET", "/readyz"),
    await service.send("GET", "/docs"),
    await service.send("GET", "/openapi.json"),
  ];

  for (const { headers, body } of answers) {
    expect(headers["request-id"]).toMatch(UUID);
    if (body?.code)
      expect(body).toMatchObject({
        request_id: headers["request-id"],
        instance: `urn:uuid:${String(headers["request-id"])}`,
      });
  }
  expect(new Set(answers.map(({ headers }) => headers["request-id"])).size).toBe(answers.length);
});

test("returns a plain 400 for data that is not HTTP, and keeps running", async () => {
  const { port, hostname } = new URL(service.url);
  const said = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write("nonsense\r\n\r\n"));
    socket.on("data", (chunk) => (text += chunk));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });

  expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(said).not.toMatch(/node|fastify|stack|\.ts/i);
  expect((await service.send("GET", "/livez")).status).toBe(200);
});

describe("bodies", () => {
  test.each([
    ["{", "invalid_json"],
    ['{"email":"a@example.com",}', "invalid_json"],
    ['{"__proto__":{"isOperator":true},"email":"a@example.com","password":"x"}', "invalid_json"],
    [
      String.raw`{"\u005f_proto__":{"isOperator":true},"email":"a@example.com","password":"x"}`,
      "invalid_request",
    ],
    [`${"[".repeat(40)}${"]".repeat(40)}`, "invalid_json"],
    ["", "invalid_request"],
    ["[]", "invalid_request"],
    ["null", "invalid_request"],
    ['"text"', "invalid_request"],
    ['{"email":"a@example.com","password":"x","role":"owner"}', "invalid_request"],
    ['{"email":["a@example.com"],"password":"x"}', "invalid_request"],
  ])("CF-09 the body %j is %s", async (body, code) => {
    const answer = await service.send("POST", "/v1/sessions", {
      headers: { "content-type": "application/json" },
      body,
    });

    expect(answer).toMatchObject({ status: 400, body: { code } });
  });

  const NO_TEXT: Record<string, string> = {
    "a NUL": String.raw`a\u0000b`,
    "a high surrogate alone": String.raw`a\ud83db`,
    "a low surrogate alone": String.raw`a\udca9b`,
    "surrogates in the wrong order": String.raw`\udca9\ud83d`,
  };
  const PLACES: [path: string, bodyWith: (text: string) => string, headers?: Record<string, string>][] = [
    ["/v1/sessions", (text) => `{"email":"a@example.com","password":"${text}"}`],
    ["/v1/sessions", (text) => `{"email":"${text}@example.com","password":"x"}`],
    ["/v1/password-resets", (text) => `{"email":"${text}@example.com"}`],
    [
      "/v1/invitations",
      (text) => `{"email":"${text}@example.com","role":"member"}`,
      { "idempotency-key": "no-text" },
    ],
    ["/v1/invitations", (text) => `{"email":"a@example.com","role":"member","${text}":1}`],
  ];

  test.each(Object.entries(NO_TEXT))("rejects %s in any string of the JSON", async (_, text) => {
    for (const [path, bodyWith, headers = {}] of PLACES) {
      const answer = await service.send("POST", path, {
        headers: { ...bearer(person.token), "content-type": "application/json", ...headers },
        body: bodyWith(text),
      });
      expect(answer, path).toMatchObject({ status: 400, body: { code: "invalid_json" } });
    }
  });

  test("a sign written as a pair of surrogates is a sign like any other", async () => {
    const answer = await service.send("POST", "/v1/sessions", {
      headers: { "content-type": "application/json" },
      body: String.raw`{"email":"a@example.com","password":"\ud83d\udca9"}`,
    });

    expect(answer).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  });

  test("the media type of an empty body does not matter", async () => {
    for (const body of [undefined, ""]) {
      const answer = await service.send("DELETE", `/v1/sessions/${SOME_ID}`, {
        headers: { ...bearer(person.token), "content-type": "text/plain" },
        body,
      });
      expect(answer).toMatchObject({ status: 404, body: { code: "session_not_found" } });
    }
  });

  test("treats an empty body without a length as none, and requires a type of any other", async () => {
    const detach = (body: string): Promise<Sent> =>
      service.send("POST", `/v1/api-keys/${SOME_ID}/detach`, {
        headers: { ...bearer(person.token), "transfer-encoding": "chunked" },
        body,
      });

    expect(await detach("")).toMatchObject({ status: 404, body: { code: "api_key_not_found" } });
    expect(await detach(" ")).toMatchObject({ status: 415, body: { code: "media_type_not_supported" } });
    expect(await detach("x".repeat(1_000_000))).toMatchObject({ status: 415 });
  });

  test("where none is needed, absent, empty and {} are the same", async () => {
    const detach = (body: unknown, headers: Record<string, string> = {}): Promise<Sent> =>
      service.send("POST", `/v1/api-keys/${SOME_ID}/detach`, {
        headers: { ...bearer(person.token), ...headers },
        body,
      });

    for (const answer of [
      await detach(undefined),
      await detach(""),
      await detach("", { "content-type": "application/json" }),
      await detach({}),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "api_key_not_found" } });
    }
    expect(await detach({ unknown: true })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "#/unknown", code: "unknown" }] },
    });
  });
});

/** Reads Fastify's drawing of its routing tree back into a list. */
function routesOf(drawing: string): string[] {
  const path: string[] = [];
  return drawing.split("\n").flatMap((line) => {
    const found = /^([\s│]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line);
    if (!found) return [];
    const [, indent, part, methods] = found;
    const depth = indent!.length / 4;
    path.length = depth;
    path.push(part!);
    const url = path.join("");
    return (methods ?? "")
      .split(", ")
      .filter(Boolean)
      .map((method) => `${method} ${url}`);
  });
}
