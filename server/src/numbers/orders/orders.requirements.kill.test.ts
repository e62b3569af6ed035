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

/** The sandbox needs an address and a document for it, and responds about it after two seconds. */
const SLOW = "+16295550110";

test("killing the worker amid a submission: the carrier has each piece of evidence once, and the order completes", async () => {
  await using database = await copyDatabase(inject("clusterUrl"));
  const token = await ownerOf(database);
  await using api = await startProcess({ databaseUrl: database.url });
  const call = async (method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "x-service-environment": "test",
      "idempotency-key": randomUUID(),
    };
    const answer = await send(api.url, method, path, { headers, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const order = await call("POST", "/v1/numbers/orders", { numbers: [SLOW] });
  const items = async () => (await call("GET", `/v1/numbers/orders/${order.id}`)).items;
  const submissions = () => database.admin("select requirement_id from sandbox_submissions order by 1");
  {
    await using worker = await startProcess({ databaseUrl: database.url, role: "worker" });
    await until(async () => (await items())[0].status === "action_required", 30_000);
    const address = await call("POST", "/v1/addresses", {
      name: "Northwind",
      street: "1 Main Street",
      city: "Nashville",
      postal_code: "37201",
      country: "US",
    });
    const document = await call("POST", "/v1/documents", {
      kind: "identity",
      file_name: "passport.pdf",
      content: pdfOf("Passport"),
    });
    await call("POST", `/v1/numbers/orders/${order.id}/requirements`, {
      submissions: [
        { requirement_id: "address", address_id: address.id },
        { requirement_id: "identity", document_id: document.id },
      ],
    });
    // The carrier has the first one, and its response is on the way.
    await until(async () => (await submissions()).length > 0, 30_000);
    await worker.kill();
  }
  expect(await submissions()).toEqual([{ requirement_id: "address" }]);
  const [unconfirmed] = await database.admin(
    "select count(*)::integer as count from order_requirements where status = 'submitting'",
  );
  expect(unconfirmed).toEqual({ count: 2 });
  // The lease of the killed worker would last for half a minute.
  await database.admin("update jobs set next_check_at = now() where status = 'running'");

  await using _next = await startProcess({ databaseUrl: database.url, role: "worker" });
  await until(async () => (await items())[0].status === "succeeded", 60_000);
  expect(await submissions()).toEqual([{ requirement_id: "address" }, { requirement_id: "identity" }]);
  expect(await database.admin("select e164 from sandbox_purchases where returned_at is null")).toEqual([
    { e164: SLOW },
  ]);
});

async function ownerOf({ url }: TestDatabase): Promise<string> {
  const app = await openApp(testConfig(url));
  const organisationId = await seedOrganisation(app, "Killed");
  const owner = await seedPerson(app, { name: "Owner", email: "owner@example.com" });
  await seedMembership(app, organisationId, owner.userId, "owner");
  const token = await seedSession(app, owner, "tool");
  await app.close();
  return token;
}
