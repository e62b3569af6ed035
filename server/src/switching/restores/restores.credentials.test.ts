import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backUp } from "../../../testing/back-up.ts";
import { bearer, type Service, startService, until } from "../../../testing/service.ts";
import { makeSwitch } from "../../../testing/walls/switch-callers.ts";
import { runOperator } from "../../operator.ts";
import { runRestoreCommand } from "../../restore-commands.ts";
import { newId } from "../../platform/ids.ts";
import { seedSession } from "../../seed.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "dialplane-restore-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The server's command on the service's database: what it prints, and its exit code. */
function commandsOf({ app: { config } }: Service) {
  return async (...words: string[]): Promise<string> => {
    const printed: string[] = [];
    const print = (line: string) => void printed.push(`${line}\n`);
    using _log = vi.spyOn(console, "log").mockImplementation(print);
    using _error = vi.spyOn(console, "error").mockImplementation(print);
    const code = await runRestoreCommand(config, words);
    return `${printed.join("")}(${code})`;
  };
}

test("revoked credentials stay revoked: replayed from audit exports, or suspended until an owner confirms", async () => {
  await using service = await startService();
  const home = await service.organisation();
  const owner = await service.person({ [home]: "owner" });
  const other = await service.organisation();
  const leaver = await service.person({ [home]: "admin", [other]: "owner" });
  const [leaked, kept] = [
    await service.key(owner, home, ["numbers"]),
    await service.key(owner, home, ["numbers"]),
  ];
  const audit = await service.key(owner, home, ["audit"]);
  const shared = await service.key(leaver, [home, other], ["numbers"]);
  const former = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [former.userId]);
  const { id: switchId, credential } = await makeSwitch(service);
  const operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
  const restore = backUp(service.database.url);

  const asOwner = { ...bearer(owner.token), "x-service-org": home };
  const send = (method: string, path: string, headers: Record<string, string>) =>
    service.send(method, path, { headers: { "idempotency-key": newId(), ...headers } });
  expect((await send("DELETE", `/v1/api-keys/${leaked.id}`, asOwner)).status).toBe(204);
  expect((await send("DELETE", `/v1/members/${leaver.userId}`, asOwner)).status).toBe(200);
  await runOperator(service.app.config, ["revoke", former.email]);
  const path = `/operator/v1/switches/${switchId}/rotate`;
  const rotated = await send("POST", path, bearer(operator.token));
  expect(rotated.status, rotated.text).toBe(201);
  const [own, operators] = await Promise.all(
    (["/v1/audit/committed", "/operator/v1/audit/committed"] as const).map(async (list, at) => {
      const token = at === 0 ? audit.secret : operator.token;
      const entries = await until(async () => {
        const { body } = await service.send("GET", list, { headers: bearer(token) });
        const found = body.data as { action: string }[];
        const last = at === 0 ? "member.removed" : "switch.credential_rotated";
        return found.some(({ action }) => action === last) ? found : undefined;
      });
      const file = join(folder, `${at}.ndjson`);
      writeFileSync(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      return file;
    }),
  );
  await restore();
  const run = commandsOf(service);
  expect(await until(() => run("begin", "--to", new Date().toISOString()).catch(() => undefined))).toContain(
    "Next: start API and worker, wait for the switches, then restore diff.",
  );
  const status = async (headers: Record<string, string>, at = "/v1/numbers") =>
    (await service.send("GET", at, { headers })).status;
  // Everything that was revoked after the backup works again, except sessions.
  await until(async () => (await status(bearer(leaked.secret))) === 200);
  expect(await status(bearer(owner.token), "/v1/me")).toBe(401);

  expect(await run("revocations", "--from", own!, "--organisation", home)).toContain(
    "2 revocations replayed.\n(0)",
  );
  expect(await run("revocations", "--from", operators!)).toContain("2 revocations replayed.\n(0)");
  const operating = await service.database.admin("select 1 from users where id = $1 and is_operator", [
    former.userId,
  ]);
  expect(operating).toEqual([]);
  const attached = await service.database.admin(
    "select organisation_id from api_key_organisations where api_key_id = $1",
    [shared.id],
  );
  expect(attached).toEqual([{ organisation_id: other }]);
  expect(await run("revocations", "--from", operators!)).toContain("switch.credential_rotated");
  await until(async () => (await status(bearer(leaked.secret))) === 401);
  expect(await status(bearer(kept.secret))).toBe(200);
  const members = await service.database.admin("select organisation_id from memberships where user_id = $1", [
    leaver.userId,
  ]);
  expect(members).toEqual([{ organisation_id: other }]);
  const stream = await service.send("POST", "/switch/v1/streams", {
    headers: bearer(credential),
    body: { epoch: null, versions: {} },
  });
  expect(stream.status).toBe(401);

  expect(await run("revoke", "--strict")).toMatch(/\d keys wait for an owner\.\n\(0\)/);
  await until(async () => (await status(bearer(kept.secret))) === 401);
  const suspended = await service.send("GET", "/v1/numbers", { headers: bearer(kept.secret) });
  expect(suspended.body).toMatchObject({ code: "key_suspended" });
  const token = await seedSession(service.app, owner, "tool");
  const confirmed = await send("POST", `/v1/api-keys/${kept.id}/confirm`, {
    ...bearer(token),
    "x-service-org": home,
  });
  expect(confirmed, confirmed.text).toMatchObject({ status: 200, body: { id: kept.id, status: "active" } });
  await until(async () => (await status(bearer(kept.secret))) === 200);
  expect(await status(bearer(audit.secret), "/v1/audit")).toBe(401);
});

test("the command says what to do next, and rejects what it does not know", async () => {
  await using service = await startService();
  const run = commandsOf(service);
  expect(await run("status")).toBe("No restore is open. Begin one with “restore begin --to <time>”.\n(1)");
  expect(await run("begin", "--to", "yesterday")).toContain(
    "--to must be a time such as 2026-11-19T14:00:00Z.",
  );
  expect(await run("begin")).toContain("Next: start API and worker");
  expect(await run("begin")).toBe("A restore is already open. Finish it first.\n(1)");
  expect(await run("finish")).toBe("The restore was not compared with switches and carriers yet.\n(1)");
  expect(await run("diff")).toContain("Next: restore finish.");
  expect(await run("drop", "--all")).toContain("Name the kind of findings to drop with --kind.");
  expect(await run("adopt", "--all", "--kind", "lost")).toContain("--kind must be one of newer_on_switch");
  expect(await run("revoke")).toContain("Pass --strict");
  expect(await run("adopt", "--all")).toBe("0 findings adopted.\n(0)");
  expect(await run("finish")).toContain("The restore is finished.");
  expect(await run("stop")).toContain("No command “restore stop”.");
});
