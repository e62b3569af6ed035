import { afterAll, beforeAll, expect, test } from "vitest";
import { mailTo } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";
import { agree, agreedTool, toolRequest } from "../../../testing/tool-sign-ins.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const redeem = (body: object, on = service): Promise<Sent> =>
  on.send("POST", "/v1/authorisation-codes/redeem", { body });

test("AU-16 gives a local tool its own session after the user has authorised it in the browser", async () => {
  const person = await service.person();
  const { verifier, body } = toolRequest();

  const { redirect_to } = (await agree(service, person.cookie, body)).body;
  const back = new URL(redirect_to);
  const code = back.searchParams.get("code");
  const entered = await redeem({ code, code_verifier: verifier, redirect_uri: body.redirect_uri });

  expect(`${back.origin}${back.pathname}`).toBe(body.redirect_uri);
  expect(entered).toMatchObject({
    status: 201,
    body: { token: expect.stringMatching(/^svc_cli_/), user: { id: person.userId } },
  });
  expect(entered.headers["set-cookie"]).toBeUndefined();
  const me = await service.send("GET", "/v1/me", { headers: bearer(entered.body.token) });
  expect(me.body.caller.id).toBe(person.userId);
  await mailTo(service, person.email, "A tool was authorised to use your account");
});

test("AU-16 returns the exact state of the tool, so that it can reject others", async () => {
  const { cookie } = await service.person();
  const { body } = toolRequest({ state: "a&b=c#d%20?!" });

  const { redirect_to } = (await agree(service, cookie, body)).body;

  expect(new URL(redirect_to).searchParams.get("state")).toBe("a&b=c#d%20?!");
  expect(new URL(redirect_to).searchParams.get("iss")).toBe(service.app.config.baseUrl);
});

test("AU-16 rejects and invalidates a code with a wrong verifier", async () => {
  const right = await agreedTool(service);
  const wrong = { ...right, code_verifier: toolRequest().verifier };

  expect(await redeem(wrong)).toMatchObject({ status: 400, body: { code: "invalid_grant" } });
  expect((await redeem(right)).body.code).toBe("invalid_grant");
});

test("AU-16 rejects a code with another redirect address", async () => {
  const right = await agreedTool(service);

  expect((await redeem({ ...right, redirect_uri: "http://127.0.0.1:49153/callback" })).body.code).toBe(
    "invalid_grant",
  );
});

test("AU-16 a code works once, also when it is sent many times at once", async () => {
  const right = await agreedTool(service);

  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(right)));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await redeem(right)).body.code).toBe("invalid_grant");
});

test("AU-16 a code is dead after a minute, and when the session it was agreed in ends", async () => {
  await using own = await startService();
  const person = await own.person();
  const [late, ended] = [await agreedTool(own, person.cookie), await agreedTool(own, person.cookie)];

  await own.send("DELETE", "/v1/sessions/current", { headers: browser(person.cookie) });
  expect((await redeem(ended, own)).body.code).toBe("invalid_grant");
  const other = await agreedTool(own);
  own.clock.advance(60_000);

  for (const one of [late, other]) expect((await redeem(one, own)).body.code).toBe("invalid_grant");
});

test("AU-16 rejects the authorisation of a user who is disabled concurrently", async () => {
  const person = await service.person();
  const right = await agreedTool(service, person.cookie);
  await service.database.admin("update users set disabled_at = now() where id = $1", [person.userId]);

  expect((await redeem(right)).body.code).toBe("invalid_grant");
});

test("AU-16 agreeing needs a browser's session and a proof of less than ten minutes ago", async () => {
  await using own = await startService();
  const person = await own.person();
  const { body } = toolRequest();
  const asTool = await own.send("POST", "/v1/authorisation-codes", { headers: bearer(person.token), body });
  own.clock.advance(11 * 60_000);

  expect(asTool.body.code).toBe("caller_kind_not_allowed");
  expect((await agree(own, person.cookie, body)).body.code).toBe("reauthentication_required");
});

test("AU-16 neither the code nor the tool's token can be read out of the database", async () => {
  const waiting = await agreedTool(service);
  const { token } = (await redeem(await agreedTool(service))).body;
  const dump = dumpOf(service.database.url);

  for (const secret of [waiting.code, waiting.code_verifier, token])
    expect(isReadableIn(dump, secret)).toBe(false);
});

test.each([
  "http://127.0.0.1/",
  "http://127.0.0.1:1/a/b",
  "http://[::1]:65535/callback",
  "http://127.0.0.1:8080",
  "http://127.0.0.1:60000/",
  "http://127.0.0.1:65499/",
  "http://127.0.0.1:65529/",
])("CS-09 a tool may wait at %s", async (redirect_uri) => {
  const { cookie } = await service.person();

  expect((await agree(service, cookie, toolRequest({ redirect_uri }).body)).status).toBe(201);
});

test.each([
  "https://attacker.example/",
  "http://attacker.example/",
  "http://localhost:8080/",
  "http://127.0.0.1.attacker.example/",
  "http://127.0.0.1@attacker.example/",
  "http://127.0.0.1:80@attacker.example/",
  "http://127.0.0.2/",
  "http://127.1/",
  "http://2130706433/",
  "http://[::ffff:127.0.0.1]/",
  "https://127.0.0.1/",
  "//127.0.0.1/",
  "//attacker.example/",
  "/callback",
  String.raw`\\attacker.example`,
  String.raw`http://127.0.0.1\@attacker.example/`,
  "http://127.0.0.1:65536/",
  "http://127.0.0.1:99999/callback",
  "http://127.0.0.1:0/",
  "http://127.0.0.1/?next=x",
  "http://127.0.0.1/#x",
  "http://127.0.0.1/%0d%0aset-cookie",
  "http://127.0.0.1/\r\nx",
  "javascript:alert(1)",
  "data:text/html,x",
  "",
])("CS-09 redirects no browser to %j", async (redirect_uri) => {
  const { cookie } = await service.person();

  expect(await agree(service, cookie, toolRequest({ redirect_uri }).body)).toMatchObject({
    status: 400,
    body: { code: "invalid_request" },
  });
});
