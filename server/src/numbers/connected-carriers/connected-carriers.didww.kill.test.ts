import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { pdfOf } from "../../../testing/evidence.ts";
import { send } from "../../../testing/send.ts";
import { startProcess } from "../../../testing/server-process.ts";
import { until } from "../../../testing/service.ts";
import { copyDatabase, type TestDatabase } from "../../../testing/test-database.ts";
import { testConfig } from "../../../testing/test-config.ts";
import { seedMembership, seedOrganisation, seedPerson, seedSession } from "../../seed.ts";
import { openApp } from "../../start.ts";
import { USUAL_REQUIREMENT } from "../carriers/testing/didww-server/didww-regulation.ts";
import { startDidwwServer } from "../carriers/testing/didww-server/didww-server.ts";

const NUMBER = "+12015550100";

test("killing the worker amid a submission: DIDWW has one registration, and the order completes", async () => {
  const route = "POST /proofs";
  await using database = await copyDatabase(inject("clusterUrl"));
  await using didww = await startDidwwServer();
  didww.stock([{ e164: NUMBER, requirement: { ...USUAL_REQUIREMENT, identityType: "personal" } }]);
  const token = await operatorOf(database);
  await using api = await startProcess({ databaseUrl: database.url });
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "idempotency-key": randomUUID() };
    const answer = await send(api.url, method, path, { headers, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const { url, apiKey } = didww;
  const credentials = { api_key: apiKey };
  await call("POST", "/operator/v1/carriers", { name: "didww", kind: "didww", url, credentials });
  const order = await call("POST", "/v1/numbers/orders", { numbers: [NUMBER] });
  const item = async () => (await call("GET", `/v1/numbers/orders/${order.id}`)).items[0];
  {
    await using worker = await startProcess({ databaseUrl: database.url, role: "worker" });
    await until(async () => (await item()).status === "action_required", 30_000);
    const street = { street: "1 Main Street", city: "Nashville", postal_code: "37201", country: "US" };
    const address = await call("POST", "/v1/addresses", { name: "Ada Lovelace", ...street });
    const file = { kind: "passport", file_name: "passport.pdf", content: pdfOf("Passport") };
    const document = await call("POST", "/v1/documents", file);
    didww.trouble(route, "hang_after");
    const before = didww.requests.length;
    await call("POST", `/v1/numbers/orders/${order.id}/requirements`, {
      submissions: [
        { requirement_id: "personal_proof", document_id: document.id },
        { requirement_id: "address", address_id: address.id },
        { requirement_id: "end_user", end_user: { name: "Ada Lovelace", phone: "+12015550199" } },
      ],
    });
    await until(() => didww.requests.slice(before).includes(route), 30_000);
    await worker.kill();
  }
  // The lease of the killed worker would last for half a minute.
  await database.admin("update jobs set next_check_at = now() where status = 'running'");

  await using _next = await startProcess({ databaseUrl: database.url, role: "worker" });
  await until(() => didww.regulation.verifications.length > 0, 60_000);
  await until(
    async () => (await item()).requirements.every(({ status }: { status: string }) => status === "pending"),
    60_000,
  );
  didww.regulation.review();
  await database.admin("update jobs set next_check_at = now() where status = 'waiting'");
  await until(async () => (await item()).status === "succeeded", 60_000);
  const { identities, addresses, proofs, verifications } = didww.regulation;
  expect([identities, addresses, proofs, verifications].map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  expect(didww.owned).toHaveLength(1);
}, 180_000);

async function operatorOf({ url, admin }: TestDatabase): Promise<string> {
  const app = await openApp(testConfig(url));
  const organisation = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisation, owner.userId, "owner");
  await admin("update users set is_operator = true where id = $1", [owner.userId]);
  const token = await seedSession(app, owner, "tool");
  await app.close();
  return token;
}
