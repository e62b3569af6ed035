import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { browser, type Person, type Service, startService, until } from "../../../testing/service.ts";
import { openSuperuser } from "../../../testing/superuser.ts";
import { agree, beginDevice, lookUpDevice, toolRequest } from "../../../testing/tool-sign-ins.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** The session ends after the request was admitted, and before its effect. */
async function whileSessionEnds({ userId }: Person, send: () => Promise<Sent>): Promise<Sent> {
  await using other = await openSuperuser(service.database.url);
  await other.admin("begin");
  await other.admin("delete from sessions where user_id = $1", [userId]);
  const sent = send();
  await until(async () => {
    const waiting = await service.database.admin(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return waiting.length > 0;
  });
  await other.admin("commit");
  return await sent;
}

const UNAUTHENTICATED = {
  status: 401,
  headers: { "www-authenticate": expect.stringContaining("Bearer") },
  body: { code: "unauthenticated" },
};

test("rejects a tool's authorisation if the session ends concurrently", async () => {
  const person = await service.person();

  const answer = await whileSessionEnds(person, () => agree(service, person.cookie, toolRequest().body));

  expect(answer).toMatchObject(UNAUTHENTICATED);
});

test("rejects the look-up of a device if the session ends concurrently", async () => {
  const person = await service.person();
  const { user_code } = await beginDevice(service);

  const answer = await whileSessionEnds(person, () => lookUpDevice(service, person.cookie, user_code));

  expect(answer).toMatchObject(UNAUTHENTICATED);
});

test.each(["approve", "deny"])(
  "rejects to %s a device if the session ends concurrently",
  async (decision) => {
    const person = await service.person();
    const other = await service.person();
    const { user_code } = await beginDevice(service);
    await lookUpDevice(service, person.cookie, user_code);
    // Looked up with another session of the same person, the device outlives the one that ends.
    await service.database.admin(
      "update device_sign_ins set session_id = (select id from sessions where user_id = $2 limit 1) where user_id = $1",
      [person.userId, other.userId],
    );

    const answer = await whileSessionEnds(person, () =>
      service.send("POST", `/v1/device-sign-ins/${decision}`, {
        headers: browser(person.cookie),
        body: { user_code },
      }),
    );

    expect(answer).toMatchObject(UNAUTHENTICATED);
  },
);
