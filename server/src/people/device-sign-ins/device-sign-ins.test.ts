import { afterAll, beforeAll, expect, test } from "vitest";
import { mailTo } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";
import { beginDevice, decideDevice, lookUpDevice, pollDevice } from "../../../testing/tool-sign-ins.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const approve = (cookie: string, userCode: string, on = service): Promise<Sent> =>
  on.send("POST", "/v1/device-sign-ins/approve", {
    headers: browser(cookie),
    body: { user_code: userCode },
  });

test("AU-15 gives a tool without a browser a session after a user has typed its code and authorised it", async () => {
  const person = await service.person();
  const begun = await service.send("POST", "/v1/device-sign-ins", {
    headers: { "user-agent": "dialplane-cli/1" },
    body: { client_name: "Nightly job" },
  });
  const { device_code, user_code } = begun.body;
  expect(begun).toMatchObject({
    status: 201,
    body: {
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      verification_uri: `${service.app.config.baseUrl}/device`,
      interval_seconds: 5,
    },
  });
  expect((await pollDevice(service, device_code)).body.code).toBe("authorization_pending");

  const seen = await lookUpDevice(service, person.cookie, user_code.toLowerCase().replace("-", " "));
  expect(seen.body).toMatchObject({
    client_name: "Nightly job",
    address: "127.0.0.1",
    user_agent: "dialplane-cli/1",
  });
  expect((await approve(person.cookie, user_code)).status).toBe(204);
  const entered = await pollDevice(service, device_code);

  expect(entered).toMatchObject({ status: 201, body: { user: { id: person.userId } } });
  const me = await service.send("GET", "/v1/me", { headers: bearer(entered.body.token) });
  expect(me.body.caller.id).toBe(person.userId);
  await mailTo(service, person.email, "A tool was authorised to use your account");
});

test("AU-15 who asks too often waits five seconds longer each time", async () => {
  await using own = await startService();
  const { device_code } = await beginDevice(own);
  const answers: [string, string | undefined][] = [];
  const poll = async (): Promise<void> => {
    const { body, headers } = await pollDevice(own, device_code);
    answers.push([body.code, headers["retry-after"]]);
  };

  await poll();
  own.clock.advance(3_000);
  await poll();
  own.clock.advance(6_000);
  await poll();
  own.clock.advance(15_000);
  await poll();

  expect(answers).toEqual([
    ["authorization_pending", "5"],
    ["slow_down", "10"],
    ["slow_down", "15"],
    ["authorization_pending", "15"],
  ]);
});

test("AU-15 reports a denial to the tool", async () => {
  const { device_code, user_code } = await beginDevice(service);
  const { cookie } = await service.person();

  expect((await decideDevice(service, cookie, "deny", user_code)).status).toBe(204);
  expect((await pollDevice(service, device_code)).body.code).toBe("access_denied");
  expect((await approve(cookie, user_code)).body.code).toBe("user_code_not_valid");
});

test("AU-15 redeems an authorised code once, also concurrently", async () => {
  const { device_code, user_code } = await beginDevice(service);
  await decideDevice(service, (await service.person()).cookie, "approve", user_code);

  const answers = await Promise.all(Array.from({ length: 8 }, () => pollDevice(service, device_code)));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === "invalid_grant")).toHaveLength(7);
});

test("AU-15 shows a typed code to no other user, who can neither authorise nor deny it", async () => {
  const { device_code, user_code } = await beginDevice(service);
  const [first, second] = [await service.person(), await service.person()];
  await lookUpDevice(service, first.cookie, user_code);

  expect((await lookUpDevice(service, second.cookie, user_code)).body.code).toBe("user_code_not_valid");
  for (const decision of ["approve", "deny"] as const)
    expect((await decideDevice(service, second.cookie, decision, user_code)).body.code).toBe(
      "user_code_not_valid",
    );
  expect((await approve(first.cookie, user_code)).status).toBe(204);
  expect((await pollDevice(service, device_code)).body.user.id).toBe(first.userId);
});

test("AU-15 requires a look-up, a browser and a recent sign-in to authorise a tool", async () => {
  await using own = await startService();
  const person = await own.person();
  const { user_code } = await beginDevice(own);
  expect((await approve(person.cookie, user_code, own)).body.code).toBe("user_code_not_valid");
  await lookUpDevice(own, person.cookie, user_code);
  const asTool = await own.send("POST", "/v1/device-sign-ins/approve", {
    headers: bearer(person.token),
    body: { user_code },
  });
  expect(asTool.body.code).toBe("caller_kind_not_allowed");
  await own.database.admin(
    "update sessions set reauthenticated_at = reauthenticated_at - interval '11 minutes'",
  );
  expect((await approve(person.cookie, user_code, own)).body.code).toBe("reauthentication_required");
});

test("AU-15 guessing the code of a tool is stopped for the person and for the address", async () => {
  await using limited = await startService({
    settings: { LIMIT_SIGN_INS_PER_MINUTE: "10", TRUSTED_PROXIES: "127.0.0.1/32" },
  });
  const [person, other] = [await limited.person(), await limited.person()];
  const { user_code } = await beginDevice(limited);
  const look = (cookie: string, code: string, address: string): Promise<Sent> =>
    limited.send("POST", "/v1/device-sign-ins/look-up", {
      headers: { ...browser(cookie), "x-forwarded-for": address },
      body: { user_code: code },
    });

  for (let guess = 0; guess < 10; guess++)
    expect((await look(person.cookie, "BBBB-BBBB", `192.0.2.${guess}`)).status).toBe(422);
  expect(await look(person.cookie, user_code, "192.0.2.99")).toMatchObject({
    status: 429,
    body: { policy: "sign_in_user_code" },
  });
  expect((await look(other.cookie, user_code, "192.0.2.99")).status).toBe(200);
});

test("AU-15 neither of the codes can be read out of the database", async () => {
  const { device_code, user_code } = await beginDevice(service);
  const dump = dumpOf(service.database.url);

  for (const secret of [device_code, user_code, user_code.replace("-", "")])
    expect(isReadableIn(dump, secret)).toBe(false);
});

test("AU-15 invalidates an authorised code when the user signs out", async () => {
  const person = await service.person();
  const { device_code, user_code } = await beginDevice(service);
  await decideDevice(service, person.cookie, "approve", user_code);
  await service.send("DELETE", "/v1/sessions/current", { headers: browser(person.cookie) });

  expect((await pollDevice(service, device_code)).body.code).toBe("invalid_grant");
});

test("AU-14 a code of a device is dead after ten minutes, for the person and for the tool", async () => {
  await using own = await startService();
  const person = await own.person();
  const [one, two] = [await beginDevice(own), await beginDevice(own)];
  await decideDevice(own, person.cookie, "approve", two.user_code);

  own.clock.advance(10 * 60_000);

  expect((await lookUpDevice(own, person.cookie, one.user_code)).body.code).toBe("user_code_not_valid");
  for (const { device_code } of [one, two])
    expect((await pollDevice(own, device_code)).body.code).toBe("expired_token");
});
