import { describe, expect, test } from "vitest";
import { type ContractOperation, readContract } from "./fuzz-contract.ts";
import { type Judged, openJudge } from "./fuzz-judge.ts";

const contract = readContract();
const judge = openJudge(contract);
const REQUEST_ID = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";

function operation(id: string): ContractOperation {
  return contract.operations.find((one) => one.id === id)!;
}

function response(status: number, body: unknown, headers: Record<string, string> = {}): Judged {
  const type = status >= 400 ? "application/problem+json" : "application/json; charset=utf-8";
  return {
    status,
    headers: { "request-id": REQUEST_ID, ...(body !== undefined && { "content-type": type }), ...headers },
    text: body === undefined ? "" : JSON.stringify(body),
  };
}

function problem(status: number, code: string, members: object = {}): Record<string, unknown> {
  return {
    type: `https://example.com/docs/errors#${code}`,
    title: "Title",
    status,
    detail: "Detail.",
    instance: `urn:uuid:${REQUEST_ID}`,
    code,
    request_id: REQUEST_ID,
    retryable: false,
    ...members,
  };
}

const ME = {
  caller: { kind: "session", id: REQUEST_ID, name: "Ada", email: "ada@example.com", environment: "live" },
  memberships: [
    { organisation: { id: REQUEST_ID, name: "Example Telecom" }, role: "owner", unmet_policy: null },
  ],
};

const GOOD: Record<string, [operation: string, response: Judged]> = {
  "a documented body": ["getMe", response(200, ME)],
  "no body where none is documented": ["signOut", response(204, undefined)],
  "a problem with a documented code": ["getMe", response(401, problem(401, "unauthenticated"))],
  "a problem with the members of its code": [
    "setRouting",
    response(403, problem(403, "scope_missing", { scopes: ["numbers_write"] })),
  ],
  "503 with a documented code": ["getMe", response(503, problem(503, "busy"), { "retry-after": "1" })],
  "501 with a documented code": [
    "createReservation",
    response(501, problem(501, "carrier_inventory_not_connected")),
  ],
  "the problem of an earlier request, replayed": [
    "releaseNumber",
    response(409, problem(409, "release_in_progress", { job_id: null }), {
      "request-id": REQUEST_ID.replace("0", "1"),
      "idempotency-replayed": "true",
    }),
  ],
  "the start of an endless response": [
    "followLive",
    {
      status: 200,
      headers: { "request-id": REQUEST_ID, "content-type": "text/event-stream" },
      text: "id: ",
      isCut: true,
    },
  ],
};

const BAD: Record<string, [operation: string, response: Judged, fault: RegExp]> = {
  "an undocumented status": ["getMe", response(418, problem(418, "teapot")), /418 is not documented/],
  "500, although it is documented": [
    "getMe",
    response(500, problem(500, "internal_error")),
    /500 is never allowed/,
  ],
  "503 with an undocumented code": [
    "getMe",
    response(503, problem(503, "tired")),
    /503 tired is not documented/,
  ],
  "an undocumented code": [
    "getMe",
    response(401, problem(401, "stranger")),
    /401 stranger is not documented/,
  ],
  "a problem without a member of its code": [
    "setRouting",
    response(403, problem(403, "scope_missing")),
    /scope_missing: .*required.*scopes/,
  ],
  "a problem with an undocumented member": [
    "getMe",
    response(401, problem(401, "unauthenticated", { stack: "at …" })),
    /additional.*stack/,
  ],
  "a problem with another status in it": [
    "getMe",
    response(401, problem(400, "unauthenticated")),
    /status 400 in the body, 401 on the wire/,
  ],
  "a problem about another request": [
    "getMe",
    response(401, problem(401, "unauthenticated"), { "request-id": REQUEST_ID.replace("0", "1") }),
    /request_id is not the Request-Id/,
  ],
  "a problem as plain JSON": [
    "getMe",
    response(401, problem(401, "unauthenticated"), { "content-type": "application/json" }),
    /not a problem/,
  ],
  "an undocumented member": [
    "getMe",
    response(200, { ...ME, password_hash: "x" }),
    /additional.*password_hash/,
  ],
  "an undocumented member deep inside": [
    "getMe",
    response(200, { ...ME, caller: { ...ME.caller, age: 1 } }),
    /\/caller .*additional.*age/,
  ],
  "a missing member": ["getMe", response(200, { caller: ME.caller }), /required.*memberships/],
  "a value of another type": [
    "getMe",
    response(200, { ...ME, memberships: "none" }),
    /memberships must be array/,
  ],
  "a malformed identifier": [
    "getMe",
    response(200, { ...ME, caller: { ...ME.caller, id: "1" } }),
    /format "uuid"/,
  ],
  "an undocumented media type": [
    "getMe",
    response(200, ME, { "content-type": "text/html" }),
    /text\/html is not a documented media type/,
  ],
  "a body that is not JSON": ["getMe", { ...response(200, ME), text: "{" }, /not JSON/],
  "a body where none is documented": ["signOut", response(204, {}), /204 has a body/],
  "a missing header": [
    "getMe",
    { ...response(200, ME), headers: { "content-type": "application/json" } },
    /header Request-Id is missing/,
  ],
  "a header that does not fit its schema": [
    "getMe",
    response(503, problem(503, "busy"), { "retry-after": "soon" }),
    /header Retry-After/,
  ],
  "a header that is documented elsewhere only": [
    "getMe",
    response(200, ME, { location: "https://example.com/" }),
    /header location is not documented/,
  ],
};

describe("the judge", () => {
  test.each(Object.entries(GOOD))("accepts %s", (_, [id, given]) => {
    expect(judge.faultsOf(operation(id), given)).toEqual([]);
  });

  test.each(Object.entries(BAD))("finds %s", (_, [id, given, fault]) => {
    expect(judge.faultsOf(operation(id), given).join("\n")).toMatch(fault);
  });

  test("accepts the contract's own examples", () => {
    const faults = contract.operations.flatMap((one) =>
      Object.entries(one.responses).flatMap(([status, { content }]) => {
        const example = (content?.["application/json"] as { example?: unknown } | undefined)?.example;
        const etag = { etag: '"1"' };
        return example === undefined
          ? []
          : judge
              .faultsOf(
                one,
                response(
                  Number(status),
                  example,
                  "ETag" in (one.responses[status]!.headers ?? {}) ? etag : {},
                ),
              )
              .map((fault) => `${one.id}: ${fault}`);
      }),
    );
    expect(faults).toEqual([]);
  });

  test("wants a client error as a problem where no operation matches", () => {
    expect(judge.faultsElsewhere(response(404, problem(404, "not_found")))).toEqual([]);
    expect(judge.faultsElsewhere(response(200, {}))).toEqual(["200 where no operation matches"]);
    expect(judge.faultsElsewhere(response(500, problem(500, "internal_error")))).toHaveLength(1);
  });
});
