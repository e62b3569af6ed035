import { randomUUID } from "node:crypto";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PASSWORD, seedNumbers } from "../../seed.ts";
import { signIn } from "../../../testing/account.ts";
import { callRecord } from "../../../testing/call-record.ts";
import { bearer, browser, type Person, type Service, startService } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { tokenOfInvitation } from "../../people/invitations/invitations.ts";
import { startJob } from "../../numbers/jobs/jobs.ts";
import { changeSwitch, rotateCredential } from "../../switching/switches/switches.ts";

/** Rights are looked up again once a body took longer than a second; a body this late always has. */
const LATE_MS = 1_300;
const NEW_PASSWORD = "the kettle hums at noon";

let service: Service;
let organisation: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisation = await service.organisation();
  owner = await service.person({ [organisation]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Late {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: object;
}

/** Sends the headers at once and the body after `meanwhile`. Returns the status and code of the response. */
async function sendLate(
  { method, path, headers, body }: Late,
  meanwhile: () => Promise<unknown>,
): Promise<[number, string | undefined]> {
  const text = JSON.stringify(body);
  const request = httpRequest(new URL(path, service.url), {
    method,
    agent: false,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    },
  });
  const answered = answerTo(request);
  request.flushHeaders();
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  await meanwhile();
  request.end(text);
  return answered;
}

function answerTo(request: ClientRequest): Promise<[number, string | undefined]> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    request.on("response", (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve([
          response.statusCode!,
          text === "" ? undefined : (JSON.parse(text) as { code?: string }).code,
        ]),
      );
    });
  });
}

function invitation(from: Person, email: string, headers: Record<string, string> = {}): Late {
  return {
    method: "POST",
    path: "/v1/invitations",
    headers: { ...bearer(from.token), ...headers },
    body: { email, role: "member" },
  };
}

function invited(email: string): Promise<object[]> {
  return service.database.admin("select email from invitations where email = $1", [email]);
}

function password(of: Person): Late {
  return {
    method: "PUT",
    path: "/v1/me/password",
    headers: browser(of.cookie),
    body: { new_password: NEW_PASSWORD },
  };
}

describe("a body that comes after the caller lost the right does nothing", () => {
  test.each([
    ["without a key", {}],
    ["with a key", { "idempotency-key": "late" }],
  ])("an invitation by an admin who was removed concurrently, %s", async (how, headers) => {
    const admin = await service.person({ [organisation]: "admin" });
    const email = `removed ${how}@example.com`.replaceAll(" ", "-");

    const answer = await sendLate(invitation(admin, email, headers), async () => {
      const path = `/v1/members/${admin.userId}`;
      expect((await service.send("DELETE", path, { headers: bearer(owner.token) })).status).toBe(200);
    });

    expect(answer).toEqual([403, "organisation_not_allowed"]);
    expect(await invited(email)).toEqual([]);
    expect(await service.database.admin("select 1 from idempotency_keys where key = 'late'")).toEqual([]);
  });

  test("an invitation by an admin who became a plain member concurrently", async () => {
    const admin = await service.person({ [organisation]: "admin" });

    const answer = await sendLate(invitation(admin, "lowered@example.com"), async () => {
      const change = { headers: bearer(owner.token), body: { role: "member" } };
      expect((await service.send("PATCH", `/v1/members/${admin.userId}`, change)).status).toBe(200);
    });

    expect(answer).toEqual([403, "role_not_allowed"]);
    expect(await invited("lowered@example.com")).toEqual([]);
  });

  test("a new password from a browser that signed out concurrently", async () => {
    const person = await service.person();

    const answer = await sendLate(password(person), async () => {
      const signedOut = await service.send("DELETE", "/v1/sessions/current", {
        headers: browser(person.cookie),
      });
      expect(signedOut.status).toBe(204);
    });

    expect(answer).toEqual([401, "unauthenticated"]);
    expect((await signIn(service, person.email, SEED_PASSWORD)).status).toBe(201);
  });
});

describe("of a switch", () => {
  const AUTHOR = systemAuthor("test");
  test.for([
    ["/switch/v1/signing-secrets", { number_ids: [randomUUID()] }],
    ["/switch/v1/call-records", { records: [callRecord()] }],
    ["/switch/v1/live", { session: randomUUID(), sequence: 0, is_snapshot: true, numbers: [] }],
  ] as const)(
    "%s takes no body that came after its credential was replaced, or the switch retired",
    async ([path, body]) => {
      const [rotated, retired] = [await makeSwitch(service), await makeSwitch(service)];
      const late = (credential: string) => ({ method: "POST", path, headers: bearer(credential), body });
      const kept = async (change: Promise<unknown>): Promise<unknown> => {
        await change;
        return new Promise((resolve) => setTimeout(resolve, LATE_MS));
      };
      const answers = await Promise.all([
        sendLate(late(rotated.credential), () => kept(rotateCredential(service.app, AUTHOR, rotated.id))),
        sendLate(late(retired.credential), () =>
          kept(changeSwitch(service.app, AUTHOR, retired.id, { state: "retired" })),
        ),
      ]);
      expect(answers).toEqual([
        [401, "unauthenticated"],
        [403, "switch_retired"],
      ]);
    },
  );
});

describe("withholds a response after waiting if the caller has lost access", () => {
  const waiting = { prefer: "wait=3" };
  const afterwards = async (meanwhile: () => Promise<unknown>): Promise<unknown> => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return meanwhile();
  };

  test("a routing, to a developer who was removed", async () => {
    await makeSwitch(service); // reads nothing, so that nothing is ever in effect
    const developer = await service.person({ [organisation]: "developer" });
    const [number] = await seedNumbers(service.app, organisation, "live", 1);
    const answer = service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
      headers: { ...bearer(developer.token), ...waiting, "idempotency-key": randomUUID() },
      body: { mode: "sip_uri", sip_uri: "sip:a@pbx.example.com" },
    });
    await afterwards(() =>
      service.send("DELETE", `/v1/members/${developer.userId}`, { headers: bearer(owner.token) }),
    );
    expect(await answer).toMatchObject({ status: 403, body: { code: "organisation_not_allowed" } });
  });

  test("a job, from a user who has signed out", async () => {
    const member = await service.person({ [organisation]: "member" });
    const at = service.clock.now();
    const scope = { organisationId: organisation, environment: "live" as const };
    const job = {
      type: "number_order" as const,
      total: 1,
      orderId: organisation,
      requestId: "a-request",
      at,
    };
    const id = await service.app.db.forOrganisation(scope, (tx) => startJob(tx, service.app, job));
    const headers = { ...bearer(member.token), ...waiting };
    const answer = service.send("GET", `/v1/jobs/${id}`, { headers });
    await afterwards(() => service.send("DELETE", "/v1/sessions/current", { headers: bearer(member.token) }));
    expect(await answer).toMatchObject({ status: 401, body: { code: "unauthenticated" } });
  });
});

test("rejects an invitation of a user who has signed out concurrently", async () => {
  const person = await service.person();
  const { body } = await service.send("POST", "/v1/invitations", {
    headers: bearer(owner.token),
    body: { email: person.email, role: "member" },
  });
  const token = tokenOfInvitation(service.app, body.id);
  const acceptance = {
    method: "POST",
    path: "/v1/invitations/accept",
    headers: browser(person.cookie),
    body: { token },
  };
  const answer = await sendLate(acceptance, () =>
    service.send("DELETE", "/v1/sessions/current", { headers: browser(person.cookie) }),
  );
  expect(answer).toEqual([409, "account_exists"]);
});

test("a body that is only late is taken", async () => {
  const [admin, person] = [await service.person({ [organisation]: "admin" }), await service.person()];

  expect(await sendLate(invitation(admin, "late@example.com"), async () => {})).toEqual([201, undefined]);
  expect(await sendLate(password(person), async () => {})).toEqual([204, undefined]);
  expect(await invited("late@example.com")).toHaveLength(1);
});
