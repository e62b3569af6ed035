import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { MODEL_SEED } from "../../../../testing/model-seed.ts";
import { randomFrom } from "../../../../testing/random.ts";
import { bearer, type Service } from "../../../../testing/service.ts";
import { newId } from "../../../platform/ids.ts";
import type { EventType } from "../../events/events.catalogue.ts";
import { insertEvents } from "../../events/events.store.ts";
import { type Author, recordActs, systemAuthor } from "../audit.ts";

interface Model {
  id: string;
  action: EventType;
  subject: string;
  outcome: "done" | "refused";
  at: Date;
  author: Author;
}

const HOUR_MS = 3_600_000;

const random = randomFrom(MODEL_SEED);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
const some = (share: number, name: string, value: () => string): string[] =>
  random() < share ? [`${name}=${encodeURIComponent(value())}`] : [];
const moment = (): string => new Date(Date.now() - Math.floor(random() * HOUR_MS)).toISOString();

const AUTHORS: readonly Author[] = [
  systemAuthor("worker"),
  ...["Ada", "Grace"].map((name) => ({
    actor_kind: "session",
    actor_id: randomUUID(),
    actor_name: name,
    request_id: null,
    address: "192.0.2.7",
  })),
];
/** Types whose data may be empty. */
const TYPES: readonly EventType[] = [
  "api_key.detached",
  "api_key.revoked",
  "number.changed",
  "webhook_endpoint.changed",
  "webhook_endpoint.deleted",
  "webhook_endpoint.secret_rotated",
];
const SUBJECTS = Array.from({ length: 6 }, () => randomUUID());

/** Random filters give the same entries and events, in the same order, as a plain look at all of them. */
export function describeAuditSearch(serviceOf: () => Service): void {
  describe(`random searches, MODEL_SEED=${MODEL_SEED}`, () => {
    let token: string;
    let models: Model[];
    beforeAll(async () => {
      const organisation = await serviceOf().organisation();
      ({ token } = await serviceOf().person({ [organisation]: "owner" }));
      models = randomModels();
      await store(serviceOf(), organisation, models);
    });

    const listed = async <Item>(path: string, cursor: string): Promise<Item[]> => {
      const all: Item[] = [];
      for (let next = path; ;) {
        const { status, body } = await serviceOf().send("GET", next, { headers: bearer(token) });
        expect(status).toBe(200);
        all.push(...(body.data as Item[]));
        if (body.next_cursor === null) return all;
        next = `${path}&${cursor}=${body.next_cursor}`;
      }
    };
    const shown = ({ action, subject }: Pick<Model, "action" | "subject">): string => `${action} ${subject}`;

    test("find the audit entries that a model finds", async () => {
      for (let done = 0; done < 40; done++) {
        const query = randomEntryQuery();
        const wanted = new URLSearchParams(query);
        const expected = models.filter((model) => isEntry(model, wanted)).toReversed();
        const found = await listed<Model>(`/v1/audit?${query}&limit=${pick([7, 200])}`, "cursor");
        expect({ query, found: found.map(shown) }).toEqual({ query, found: expected.map(shown) });
      }
    });

    test("find the events that a model finds", async () => {
      for (let done = 0; done < 40; done++) {
        const order = pick(["oldest", "newest"]);
        const query = randomEventQuery();
        const wanted = new URLSearchParams(query);
        const expected = models.filter((model) => isEvent(model, wanted)).map(({ id }) => id);
        if (order === "newest") expected.reverse();
        const path = `/v1/events?${query}&order=${order}&limit=${pick([7, 200])}`;
        const found = await listed<{ id: string }>(path, "after");
        expect({ path, found: found.map(({ id }) => id) }).toEqual({ path, found: expected });
      }
    });
  });
}

/** Within the last hour, in the order of their times except for two minutes. */
function randomModels(): Model[] {
  const began = Date.now() - 0.75 * HOUR_MS;
  return Array.from({ length: 250 }, (_, nth): Model => {
    const [action, subject, author] = [pick(TYPES), pick(SUBJECTS), pick(AUTHORS)];
    const at = new Date(began + nth * 10_000 + Math.floor(random() * 120_000));
    return { id: newId(), action, subject, outcome: random() < 0.2 ? "refused" : "done", at, author };
  });
}

/** The organisation then has no other entries and events. */
async function store({ app, database }: Service, organisationId: string, models: Model[]): Promise<void> {
  await database.admin("delete from audit_entries where organisation_id = $1", [organisationId]);
  await database.admin("delete from events where organisation_id = $1", [organisationId]);
  await app.db.forSystem("operator", async (tx) => {
    for (const { author, at, action, subject, outcome } of models)
      await recordActs(tx, author, at, [{ action, subject, organisationId, outcome }]);
    const environment = "live";
    const events = models.map(({ id, action, subject, at }) => ({
      id,
      type: action,
      subject,
      created_at: at,
    }));
    await insertEvents(
      tx,
      events.map((event) => ({ ...event, organisation_id: organisationId, environment, data: {} })),
    );
  });
}

function randomEntryQuery(): string {
  return [
    ...some(0.3, "actor_id", () => pick(AUTHORS.slice(1)).actor_id!),
    ...some(0.3, "action", () => pick(TYPES)),
    ...some(0.3, "subject_id", () => pick(SUBJECTS)),
    ...some(0.2, "outcome", () => pick(["done", "refused"])),
    ...some(0.2, "from", moment),
    ...some(0.2, "to", moment),
    ...some(0.2, "q", () => pick(["ADA", "number.", "192.0.2", "nothing here"])),
    ...some(0.3, "include_system", () => pick(["true", "false"])),
  ].join("&");
}

function randomEventQuery(): string {
  return [
    ...some(0.4, "type", () => pick([...TYPES, "api_key.*", "number.*"])),
    ...some(0.2, "type", () => pick(["webhook_endpoint.*", "member.joined"])),
    ...some(0.4, "subject_id", () => pick(SUBJECTS)),
    ...some(0.3, "from", moment),
    ...some(0.3, "to", moment),
  ].join("&");
}

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
