import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { filesIn, temporaryFolder } from "./testing/temporary-folder.ts";
import type { Population } from "./population.ts";

type Json = { status: string } & Record<string, unknown>;

test("the demo prints one line of JSON with every kind of caller, serves them, shows numbers in every state and with calls, and ends cleanly", async () => {
  const folder = temporaryFolder();
  const demo = spawn(
    "env",
    [
      `TMPDIR=${folder}`,
      "npm",
      "run",
      "--silent",
      "demo",
      "--",
      "--json",
      "--port",
      "0",
      "--calls",
      "3600",
      "--history",
      "2",
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // a separate process group, so that a failing test can kill all of it
    },
  );
  onTestFinished(() => void (demo.exitCode === null && process.kill(-demo.pid!, "SIGKILL")));
  const lines: string[] = [];
  const output = createInterface({ input: demo.stdout });
  output.on("line", (line) => lines.push(line));
  let progress = "";
  demo.stderr.on("data", (chunk) => (progress += String(chunk)));
  await once(output, "line");
  const { base_url, organisations, multi } = JSON.parse(lines[0]!) as Population;
  const membershipsOf = async (
    token: string,
  ): Promise<{ organisation: { id: string }; role: string | null }[]> => {
    const answer = await fetch(`${base_url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { memberships: { organisation: { id: string }; role: string | null }[] })
      .memberships;
  };

  expect(organisations).toHaveLength(2);
  for (const { id, sessions, keys } of organisations) {
    for (const [role, token] of Object.entries(sessions)) {
      expect(await membershipsOf(token)).toMatchObject([{ organisation: { id }, role }]);
    }
    expect(Object.keys(keys)).toEqual(["numbers", "numbers_write", "full", "test_full"]);
    for (const key of Object.values(keys))
      expect(await membershipsOf(key)).toMatchObject([{ organisation: { id }, role: null }]);
  }
  const [{ keys, numbers, connection_id }] = organisations as [Population["organisations"][0]];
  const read = async (path: string): Promise<Json> => {
    const answer = await fetch(base_url + path, { headers: { authorization: `Bearer ${keys.full}` } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Json;
  };
  const statusOf = async ({ id }: { id: string }): Promise<string> =>
    (await read(`/v1/numbers/${id}/routing`)).status;
  expect(numbers).toHaveLength(20);
  expect(await read(`/v1/connections/${connection_id}`)).toMatchObject({ name: "Head office" });
  const [drifting, plain, , , failing] = numbers;
  await expect.poll(() => statusOf(plain!)).toBe("in_sync");
  await expect.poll(() => statusOf(failing!)).toBe("failed");
  await expect.poll(() => statusOf(drifting!)).toBe("drifted");
  await expect.poll(() => statusOf(drifting!)).toBe("in_sync");

  const isCalled = async (): Promise<boolean> => {
    const answer = await fetch(`${base_url}/v1/numbers/live?ids=${numbers.map(({ id }) => id).join()}`, {
      headers: { authorization: `Bearer ${organisations[0]!.sessions.member}` },
    });
    const { data } = (await answer.json()) as { data: { active_calls: number; last_call_at: string }[] };
    return data.some((one) => one.active_calls > 0) && data.some((one) => one.last_call_at !== null);
  };
  await expect.poll(isCalled, { interval: 500 }).toBe(true);

  for (const token of Object.values(multi)) expect(await membershipsOf(token)).toHaveLength(2);

  const order = async (_: unknown, at: number): Promise<number> => {
    const { status } = await fetch(`${base_url}/v1/numbers/orders`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${organisations[0]!.sessions.owner}`,
        "content-type": "application/json",
        "idempotency-key": `demo-${at}`,
        "x-service-environment": "test",
      },
      body: JSON.stringify({ criteria: { country: "GB" }, quantity: 1 }),
    });
    return status;
  };
  const ordered = await Promise.all(Array.from({ length: 30 }, order));
  expect(ordered, "a script is not slowed by the default limit on orders").toEqual(ordered.map(() => 202));

  const ended = once(demo, "exit");
  process.kill(-demo.pid!, "SIGINT"); // the terminal sends Ctrl-C to all processes, and npm then passes it on
  expect(await ended).toEqual([0, null]);
  expect(lines).toHaveLength(1);
  expect(progress).toMatch(/Loading Dialplane\n[\s\S]* Ready\n[\s\S]* Stopped\n$/);
  expect(progress).not.toContain("    at ");
  const [, log = ""] = /^Log: (.+)$/m.exec(progress) ?? [];
  expect(filesIn(folder), "nothing stays but the log").toEqual([log]);
  await expect(fetch(`${base_url}/livez`)).rejects.toThrow("fetch failed");
});
