import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MODEL_SEED } from "../../../testing/model-seed.ts";
import { randomFrom } from "../../../testing/random.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import { seedNumbers } from "../../seed.ts";
import type { EventType } from "../events/events.catalogue.ts";
import { type Author, recordActs, systemAuthor } from "./audit.ts";
import { insertEvents } from "../events/events.store.ts";
import { newId } from "../../platform/ids.ts";

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

interface Model {
  id: string;
  action: EventType;
  subject: string;
  outcome: "done" | "refused";
  at: Date;
  author: Author;
}

const HOUR_MS = 3_600_000;

describe(`random searches, MODEL_SEED=${MODEL_SEED}`, () => {
  const random = randomFrom(MODEL_SEED);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const authors: Author[] = [
    systemAuthor("worker"),
    ...["Ada", "Grace"].map((name) => ({
      actor_kind: "session",
      actor_id: randomUUID(),
      actor_name: name,
      request_id: null,
      address: "192.0.2.7",
    })),
  ];
  // Types whose data may be empty.
  const types: EventType[] = [
    "api_key.detached",
    "api_key.revoked",
    "number.changed",
    "webhook_endpoint.changed",
    "webhook_endpoint.deleted",
    "webhook_endpoint.secret_rotated",
  ];
  const subjects = Array.from({ length: 6 }, () => randomUUID());
  let token: string;
  let models: Model[];
  beforeAll(async () => {
    const organisation = await service.organisation();
    ({ token } = await service.person({ [organisation]: "owner" }));
    await service.database.admin("delete from audit_entries where organisation_id = $1", [organisation]);
    const began = Date.now() - 0.75 * HOUR_MS;
    models = Array.from({ length: 250 }, (_, nth): Model => {
      const [action, subject, author] = [pick(types), pick(subjects), pick(authors)];
      const at = new Date(began + nth * 10_000 + Math.floor(random() * 120_000));
      return { id: newId(), action, subject, outcome: random() < 0.2 ? "refused" : "done", at, author };
    });
    await service.app.db.forSystem("operator", async (tx) => {
      for (const model of models)
        await recordActs(tx, model.author, model.at, [
          {
            action: model.action,
            subject: model.subject,
            organisationId: organisation,
            outcome: model.outcome,
          },
        ]);
      await insertEvents(
        tx,
        models.map(({ id, action, subject, at }) => ({
          id,
          organisation_id: organisation,
          environment: "live",
          type: action,
          subject,
          data: {},
          created_at: at,
        })),
      );
    });
    await service.database.admin(
      "delete from events where organisation_id = $1 and not (id = any ($2::uuid[]))",
      [organisation, models.map(({ id }) => id)],
    );
  });

  const listed = async <Item>(path: string, cursor: string): Promise<Item[]> => {
    const all: Item[] = [];
    for (let next = path; ;) {
      const { status, body } = await service.send("GET", next, { headers: bearer(token) });
      expect(status).toBe(200);
      all.push(...(body.data as Item[]));
      if (body.next_cursor === null) return all;
      next = `${path}&${cursor}=${body.next_cursor}`;
    }
  };
  const some = (share: number, name: string, value: () => string): string[] =>
    random() < share ? [`${name}=${encodeURIComponent(value())}`] : [];
  const moment = (): string => new Date(Date.now() - Math.floor(random() * HOUR_MS)).toISOString();

  test("find the audit entries that a model finds", async () => {
    for (let done = 0; done < 40; done++) {
      const query = [
        ...some(0.3, "actor_id", () => pick(authors.slice(1)).actor_id!),
        ...some(0.3, "action", () => pick(types)),
        ...some(0.3, "subject_id", () => pick(subjects)),
        ...some(0.2, "outcome", () => pick(["done", "refused"])),
        ...some(0.2, "from", moment),
        ...some(0.2, "to", moment),
        ...some(0.2, "q", () => pick(["ADA", "number.", "192.0.2", "nothing here"])),
        ...some(0.3, "include_system", () => pick(["true", "false"])),
      ].join("&");
      const wanted = new URLSearchParams(query);
      const expected = models.filter((model) => isEntry(model, wanted)).toReversed();
      const found = await listed<Entry>(`/v1/audit?${query}&limit=${pick([7, 200])}`, "cursor");
      expect({ query, found: found.map(({ action, subject }) => `${action} ${subject}`) }).toEqual({
        query,
        found: expected.map(({ action, subject }) => `${action} ${subject}`),
      });
    }
  });

  test("find the events that a model finds", async () => {
    for (let done = 0; done < 40; done++) {
      const order = pick(["oldest", "newest"]);
      const query = [
        ...some(0.4, "type", () => pick([...types, "api_key.*", "number.*"])),
        ...some(0.2, "type", () => pick(["webhook_endpoint.*", "member.joined"])),
        ...some(0.4, "subject_id", () => pick(subjects)),
        ...some(0.3, "from", moment),
        ...some(0.3, "to", moment),
      ].join("&");
      const wanted = new URLSearchParams(query);
      const expected = models.filter((model) => isEvent(model, wanted)).map(({ id }) => id);
      if (order === "newest") expected.reverse();
      const path = `/v1/events?${query}&order=${order}&limit=${pick([7, 200])}`;
      const found = await listed<{ id: string }>(path, "after");
      expect({ path, found: found.map(({ id }) => id) }).toEqual({ path, found: expected });
    }
  });
});

function isWithin({ at }: Model, wanted: URLSearchParams): boolean {
  const [from, to] = [wanted.get("from"), wanted.get("to")];
  return (from === null || at >= new Date(from)) && (to === null || at < new Date(to));
}

function isEntry(model: Model, wanted: URLSearchParams): boolean {
  const { author, action, subject, outcome } = model;
  const is = (name: string, value: unknown): boolean => !wanted.has(name) || wanted.get(name) === value;
  const text = [action, subject, author.actor_name, author.address].join(" ").toLowerCase();
  return (
    is("actor_id", author.actor_id) &&
    is("action", action) &&
    is("subject_id", subject) &&
    is("outcome", outcome) &&
    isWithin(model, wanted) &&
    text.includes((wanted.get("q") ?? "").toLowerCase()) &&
    (wanted.get("include_system") !== "false" || author.actor_kind !== "system")
  );
}

function isEvent(model: Model, wanted: URLSearchParams): boolean {
  const types = wanted.getAll("type");
  const noun = model.action.slice(0, model.action.indexOf("."));
  return (
    (types.length === 0 || types.includes(model.action) || types.includes(`${noun}.*`)) &&
    (!wanted.has("subject_id") || wanted.get("subject_id") === model.subject) &&
    isWithin(model, wanted)
  );
}
