import { afterAll, beforeAll, expect, test } from "vitest";
import { mailTo, signIn, tokenIn } from "../../../testing/account.ts";
import { dumpOf, isReadableIn } from "../../../testing/database-dump.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, browser, type Service, startService } from "../../../testing/service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ worker: true });
});
afterAll(() => service[Symbol.asyncDispose]());

const ASK = "Confirm your new email address";
const TELL = "Your email address was changed";

function change(cookie: string, newEmail: string, at = service): Promise<Sent> {
  return at.send("PUT", "/v1/me/email", { headers: browser(cookie), body: { new_email: newEmail } });
}

function complete(token: string): Promise<Sent> {
  return service.send("POST", "/v1/email-changes/complete", { body: { token } });
}

test("AU-11 confirms a new address through a link, and notifies both addresses", async () => {
  const person = await service.person();

  expect(await change(person.cookie, "Moved@Example.com")).toMatchObject({ status: 202, text: "" });
  const link = await mailTo(service, "moved@example.com", ASK);
  expect((await signIn(service, person.email)).status).toBe(201);
  expect(await complete(tokenIn(link))).toMatchObject({ status: 204, text: "" });

  expect(await mailTo(service, person.email, TELL)).toBeTruthy();
  expect(await mailTo(service, "moved@example.com", TELL)).toBeTruthy();
  expect((await signIn(service, person.email)).status).toBe(401);
  expect((await signIn(service, "moved@example.com")).body.user).toMatchObject({
    id: person.userId,
    email: "moved@example.com",
  });
});

test("limits mails to one address and to many", async () => {
  const perHour = 5;
  await using limited = await startService({ settings: { LIMIT_SIGN_INS_PER_MINUTE: String(perHour) } });
  const [one, other] = [await limited.person(), await limited.person()];
  const victim = "victim@example.com";
  for (let asked = 0; asked < perHour; asked += 1)
    expect((await change(one.cookie, victim, limited)).status).toBe(202);
  expect((await change(one.cookie, "another@example.com", limited)).body.policy).toBe("email_change_person");
  expect((await change(other.cookie, victim, limited)).body.policy).toBe("email_change_recipient");
  expect((await change(other.cookie, "another@example.com", limited)).status).toBe(202);
});

test("SE-06 a changed address ends every session", async () => {
  const person = await service.person();
  await change(person.cookie, "elsewhere@example.com");

  await complete(tokenIn(await mailTo(service, "elsewhere@example.com", ASK)));

  for (const headers of [browser(person.cookie), bearer(person.token)]) {
    expect((await service.send("GET", "/v1/me", { headers })).status).toBe(401);
  }
});

test("AU-04 responds equally for a taken address, and notifies only its owner", async () => {
  const [person, other] = [await service.person(), await service.person()];

  const [free, taken] = [
    await change(person.cookie, "free@example.com"),
    await change(person.cookie, other.email),
  ];
  expect({ status: taken.status, text: taken.text }).toEqual({ status: free.status, text: free.text });

  const refused = await complete(tokenIn(await mailTo(service, other.email, ASK)));
  expect(refused).toMatchObject({ status: 422, body: { code: "email_taken" } });
  expect((await signIn(service, person.email)).status).toBe(201);
  expect((await signIn(service, other.email)).body.user.id).toBe(other.userId);
});

test("an address taken in the meantime cannot be confirmed", async () => {
  const person = await service.person();
  await change(person.cookie, "wanted@example.com");
  const token = tokenIn(await mailTo(service, "wanted@example.com", ASK));
  const other = await service.person();
  await service.database.admin("update users set email = 'wanted@example.com' where id = $1", [other.userId]);

  expect(await complete(token)).toMatchObject({ status: 422, body: { code: "email_taken" } });
  expect((await signIn(service, person.email)).status).toBe(201);
});

test("AU-09 of eight who use the link at once one succeeds, and a dump holds no link that works", async () => {
  const person = await service.person();
  await change(person.cookie, "raced@example.com");
  const token = tokenIn(await mailTo(service, "raced@example.com", ASK));
  expect(isReadableIn(dumpOf(service.database.url), token)).toBe(false);

  const answers = await Promise.all(Array.from({ length: 8 }, () => complete(token)));

  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    204,
    ...Array.from({ length: 7 }, () => 422),
  ]);
});

test("AU-09 accepts the link for a day, until a newer one is requested", async () => {
  await using own = await startService({ worker: true });
  const [late, hasty] = [await own.person(), await own.person()];
  const ask = (cookie: string, email: string): Promise<Sent> =>
    own.send("PUT", "/v1/me/email", { headers: browser(cookie), body: { new_email: email } });
  const use = (token: string): Promise<Sent> =>
    own.send("POST", "/v1/email-changes/complete", { body: { token } });
  for (const [cookie, email] of [
    [late.cookie, "late@example.com"],
    [hasty.cookie, "first@example.com"],
    [hasty.cookie, "second@example.com"],
  ] as const) {
    await ask(cookie, email);
  }
  const tokenFor = async (email: string): Promise<string> => tokenIn(await mailTo(own, email, ASK));

  expect(await use(await tokenFor("first@example.com"))).toMatchObject({
    status: 422,
    body: { code: "link_not_valid" },
  });
  own.clock.advance(86_400_000 - 5_000);
  expect((await use(await tokenFor("second@example.com"))).status).toBe(204);
  own.clock.advance(5_000);
  expect(await use(await tokenFor("late@example.com"))).toMatchObject({
    status: 422,
    body: { code: "link_not_valid" },
  });
});

test("a reset link mailed to the old address is dead once the address has changed", async () => {
  const person = await service.person();
  await service.send("POST", "/v1/password-resets", { body: { email: person.email } });
  const reset = tokenIn(await mailTo(service, person.email, "Set a new password"));
  await change(person.cookie, "safe@example.com");
  expect((await complete(tokenIn(await mailTo(service, "safe@example.com", ASK)))).status).toBe(204);

  const body = { token: reset, new_password: "the kettle hums at noon" };
  expect(await service.send("POST", "/v1/password-resets/complete", { body })).toMatchObject({
    status: 422,
    body: { code: "link_not_valid" },
  });
});

test("AU-10 changing the address needs the password, entered within ten minutes, in a browser", async () => {
  await using own = await startService();
  const person = await own.person();
  const body = { new_email: "later@example.com" };

  expect(await own.send("PUT", "/v1/me/email", { headers: bearer(person.token), body })).toMatchObject({
    status: 403,
    body: { code: "caller_kind_not_allowed" },
  });
  own.clock.advance(10 * 60_000 + 1_000);
  expect(await own.send("PUT", "/v1/me/email", { headers: browser(person.cookie), body })).toMatchObject({
    status: 403,
    body: { code: "reauthentication_required" },
  });
});
