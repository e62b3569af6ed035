import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { seedNumbers } from "../../seed.ts";
import { describeAuditSearch } from "./testing/audit-search-model.ts";

interface Entry {
  id: string;
  action: string;
  subject: string | null;
  subject_ref: { type: string; id: string; label: string | null } | null;
  before: unknown;
  after: unknown;
}

let service: Service;
let organisationId: string;
let owner: Person;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: unknown): Promise<Sent> =>
  service.send(method, path, {
    headers: { ...bearer(owner.token), "idempotency-key": randomUUID() },
    ...(body === undefined ? {} : { body }),
  });
const entriesOf = async (query: string): Promise<Entry[]> =>
  ((await send("GET", `/v1/audit?${query}`)).body as { data: Entry[] }).data;

describe("an audit entry", () => {
  test("has the state before and after a change, and names its subject", async () => {
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    await send("PATCH", `/v1/numbers/${number!.id}`, { label: "Sales" });
    await send("PATCH", `/v1/numbers/${number!.id}`, { label: "Support", tags: ["berlin"] });
    await send("PUT", `/v1/numbers/${number!.id}/routing`, {
      mode: "sip_uri",
      sip_uri: "sip:desk@pbx.example.com",
    });
    const subject_ref = { type: "number", id: number!.id, label: number!.e164 };
    expect(await entriesOf(`subject_id=${number!.id}&include_system=false`)).toMatchObject([
      {
        action: "routing.changed",
        subject_ref,
        before: { mode: "unrouted" },
        after: { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" },
      },
      { before: { label: "Sales", tags: [] }, after: { label: "Support", tags: ["berlin"] }, subject_ref },
      { before: { label: null }, after: { label: "Sales" } },
    ]);
    const { body } = await send("GET", `/v1/events?subject_id=${number!.id}&type=number.*`);
    expect(body.data).toMatchObject([
      { type: "number.added", subject_ref },
      { type: "number.changed", subject_ref },
      { type: "number.changed", data: { label: "Support", tags: ["berlin"] } },
    ]);
  });

  test("has the settings of a connection, a webhook and a member, without secrets", async () => {
    const connection = await send("POST", "/v1/connections", {
      name: "Trunk",
      targets: [{ host: "pbx.example.com" }],
    });
    const path = `/v1/connections/${connection.body.id}`;
    await send("PATCH", path, { max_calls: 5 });
    await send("DELETE", path);
    const after = { name: "Trunk", max_calls: null };
    expect(await entriesOf(`subject_id=${connection.body.id}`)).toMatchObject([
      { action: "connection.deleted", before: { max_calls: 5 }, after: null },
      { before: { max_calls: null }, after: { max_calls: 5 } },
      { before: null, after, subject_ref: { type: "connection", label: "Trunk" } },
    ]);
    const endpoint = await send("POST", "/v1/webhook-endpoints", { url: "https://hooks.example.com/a" });
    await send("PATCH", `/v1/webhook-endpoints/${endpoint.body.id}`, { status: "disabled" });
    const changes = await entriesOf("action=webhook_endpoint.changed");
    expect(changes).toMatchObject([{ before: { status: "active" }, after: { status: "disabled" } }]);
    expect(JSON.stringify(changes)).not.toContain(endpoint.body.secret);
    const member = await service.person({ [organisationId]: "member" });
    await send("PATCH", `/v1/members/${member.userId}`, { role: "admin" });
    expect(await entriesOf("action=member.role_changed")).toMatchObject([
      {
        before: { role: "member" },
        after: { role: "admin" },
        subject_ref: { type: "user", label: member.name },
      },
    ]);
  });
});

test("rejects invalid filters and cursors of other filters", async () => {
  for (const path of [
    "/v1/audit?actor_id=ada",
    "/v1/audit?outcome=failed",
    "/v1/audit?from=2026-02-30T00:00:00Z",
    "/v1/events?type=order.misspelt",
    "/v1/events?type=*",
    "/v1/jobs?status=done",
    "/v1/numbers/orders?status=done",
  ])
    expect([path, (await send("GET", path)).status]).toEqual([path, 400]);
  const { body } = await send("GET", "/v1/audit?outcome=done&limit=1");
  expect((await send("GET", `/v1/audit?cursor=${body.next_cursor}`)).body.code).toBe("invalid_cursor");
});

describeAuditSearch(() => service);
