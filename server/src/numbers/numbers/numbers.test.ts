import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { newId } from "../../platform/ids.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";
import type { NumberRecord } from "./numbers.schema.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Tenant {
  organisationId: string;
  owner: Person;
}

async function tenant(): Promise<Tenant> {
  const organisationId = await service.organisation();
  return { organisationId, owner: await service.person({ [organisationId]: "owner" }) };
}

const list = (person: Person, query = "", path = "/v1/numbers") =>
  service.send("GET", `${path}${query}`, { headers: bearer(person.token) });
const change = (person: Person, id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.send("PATCH", `/v1/numbers/${id}`, { headers: { ...bearer(person.token), ...headers }, body });
const send = (person: Person, method: string, path: string, body: unknown) =>
  service.send(method, path, {
    headers: { ...bearer(person.token), "idempotency-key": newId() },
    body,
  });
const numbersIn = (sent: { body: { data: NumberRecord[] } }): string[] =>
  sent.body.data.map(({ e164 }) => e164);

async function everyPage(person: Person, query: string): Promise<string[]> {
  const found: string[] = [];
  for (let path: string | undefined = `/v1/numbers${query}`; path;) {
    const sent = await service.send("GET", path, { headers: bearer(person.token) });
    expect([sent.status, sent.text]).toEqual([200, sent.text]);
    found.push(...numbersIn(sent));
    const link = sent.headers.link as string | undefined;
    expect(link === undefined).toBe(sent.body.next_cursor === null);
    path = link && new URL(link.slice(1, link.indexOf(">"))).href.replace(/^https?:\/\/[^/]+/, "");
  }
  return found;
}

describe("the list", () => {
  test("a number is shown with every field of the contract", async () => {
    const { organisationId, owner } = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const sent = await list(owner);

    expect(sent.body).toEqual({
      data: [
        {
          id: number!.id,
          e164: number!.e164,
          country: "DE",
          type: "local",
          capabilities: ["voice"],
          status: "active",
          status_reason: null,
          label: null,
          tags: [],
          metadata: {},
          source: "import",
          order_id: null,
          routing: {
            mode: "unrouted",
            generation: 1,
            status: "pending",
            destination: { mode: "unrouted", steps: 1 },
            applied_destination: null,
            switches_behind: [],
            switches: 0,
            health: null,
            flapping: false,
          },
          release_lock: false,
          acquired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          released_at: null,
          restore_until: null,
          last_call_at: null,
          calls_24h: 0,
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      ],
      next_cursor: null,
      total: 1,
      total_is_minimum: false,
    });
    expect((await list(owner, "", `/v1/numbers/${number!.id}`)).body).toEqual(sent.body.data[0]);
  });

  test("every order pages through everything exactly once", async () => {
    const { organisationId, owner } = await tenant();
    const seeded = await seedNumbers(service.app, organisationId, "live", 23);
    const byId = seeded.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ e164 }) => e164);
    const byNumber = byId.toSorted();

    expect(await everyPage(owner, "?limit=5")).toEqual(byId);
    expect(await everyPage(owner, "?limit=5&sort=-acquired_at")).toEqual(byId.toReversed());
    expect(await everyPage(owner, "?limit=5&sort=e164")).toEqual(byNumber);
    expect(await everyPage(owner, "?limit=5&sort=-e164")).toEqual(byNumber.toReversed());
    expect(await everyPage(owner, "?limit=5&sort=e164&q=493")).toEqual(byNumber);
    expect(await everyPage(owner, "?limit=5&sort=e164&mode=unrouted")).toEqual(byNumber);
    expect(await everyPage(owner, "?limit=5&country=DE")).toEqual(byId);
    expect(await everyPage(owner, "?limit=5&sync=pending&sort=-e164")).toEqual(byNumber.toReversed());
  });

  test("while numbers come and go, paging neither skips nor repeats one that stays", async () => {
    const { organisationId, owner } = await tenant();
    const seeded = await seedNumbers(service.app, organisationId, "live", 12);
    const staying = seeded.map(({ id }) => id).toSorted();
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const sent = await list(owner, `?limit=3${cursor ? `&cursor=${cursor}` : ""}`);
      found.push(...sent.body.data.map(({ id }: NumberRecord) => id));
      cursor = sent.body.next_cursor;
      if (found.length < 12) await seedNumbers(service.app, organisationId, "live", 1);
      await service.database.admin(
        "update holdings set status = 'released', released_at = now() where organisation_id = $1 and id = $2",
        [organisationId, staying[0]],
      );
    } while (cursor);

    expect(found.filter((id) => staying.includes(id))).toEqual(staying);
    expect(new Set(found).size).toBe(found.length);
  });

  test("filters find what they name and narrow each other", async () => {
    const { organisationId, owner } = await tenant();
    const [one, two, three] = await seedNumbers(service.app, organisationId, "live", 3);
    await seedNumbers(service.app, organisationId, "live", ["+12025550199"]);
    await change(owner, one!.id, { label: "Front Desk 100%", tags: ["berlin", "vip"] });
    await change(owner, two!.id, { label: "back_office", tags: ["berlin"] });
    await service.database.admin("update holdings set type = 'mobile' where id = $1", [two!.id]);
    await service.database.admin(
      "update holdings set status = 'released', released_at = now() where id = $1",
      [three!.id],
    );
    const us = "+12025550199";
    const found = async (query: string): Promise<string[]> => numbersIn(await list(owner, query)).toSorted();

    expect(await found("")).toEqual([us, one!.e164, two!.e164].toSorted());
    expect(await found("?country=US")).toEqual([us]);
    expect(await found("?type=mobile")).toEqual([two!.e164]);
    expect(await found("?status=released")).toEqual([three!.e164]);
    expect(await found("?tag=berlin")).toEqual([one!.e164, two!.e164].toSorted());
    expect(await found("?tag=berlin&type=mobile")).toEqual([two!.e164]);
    expect(await found("?tag=berlin&q=desk")).toEqual([one!.e164]);
    expect(await found("?tag=Berlin")).toEqual([]);
    expect(await found("?mode=sip_uri")).toEqual([]);
    expect(await found("?q=FRONT%20desk")).toEqual([one!.e164]);
    expect(await found("?q=100%25")).toEqual([one!.e164]);
    expect(await found("?q=k_o")).toEqual([two!.e164]);
    expect(await found("?q=t_d")).toEqual([]);
    expect(await found("?q=%2B1%20(202)%20555")).toEqual([us]);
    expect(await found("?q=1")).toEqual([us]);
    expect(await found("?q=Fr")).toEqual([one!.e164]);
    expect(await found("?q=B")).toEqual([two!.e164]);
    expect(await found("?q=de")).toEqual([]);
    expect(await found("?q=%25")).toEqual([]);
    expect(await found("?q=fr&tag=berlin&sync=pending")).toEqual([one!.e164]);
    expect(await found("?sync=pending&q=desk")).toEqual([one!.e164]);
    for (const sync of ["failed", "drifted", "in_sync", "unknown"])
      expect(await found(`?sync=${sync}`)).toEqual([]);
  });

  test("finds numbers by their digits, connection and last call, and shows their destination", async () => {
    const { organisationId, owner } = await tenant();
    const [one, two, three, four] = await seedNumbers(service.app, organisationId, "live", 4);
    const connections = await Promise.all(
      ["Berlin office", "Hamburg office"].map((name) =>
        send(owner, "POST", "/v1/connections", { name, targets: [{ host: "pbx.example.com" }] }),
      ),
    );
    const [berlin, hamburg] = connections.map(({ body }) => body.id as string);
    const route = (id: string, body: object) => send(owner, "PUT", `/v1/numbers/${id}/routing`, body);
    await route(one!.id, { mode: "connection", connection_id: berlin });
    const fallback = { mode: "connection", connection_id: hamburg };
    await route(two!.id, { mode: "webhook", webhook_url: "https://hooks.example.com/r", fallback });
    await route(three!.id, { mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com" });
    await service.database.admin("insert into last_calls select $1, $2, 'live', '2026-11-01T00:00:00Z'", [
      one!.id,
      organisationId,
    ]);
    const found = async (query: string): Promise<string[]> => numbersIn(await list(owner, query)).toSorted();
    const all = [one!, two!, three!, four!].map(({ e164 }) => e164);
    const sorted = (...numbers: { e164: string }[]): string[] => numbers.map(({ e164 }) => e164).toSorted();
    const plus = (e164: string): string => e164.replace("+", "%2B");

    expect(await found(`?e164=${plus(one!.e164)}&e164=${plus(four!.e164)}`)).toEqual(sorted(one!, four!));
    expect(await found(`?e164=${plus(one!.e164)}&mode=sip_uri`)).toEqual([]);
    expect(await found("?e164=%2B493099999999")).toEqual([]);
    expect(await found(`?connection_id=${berlin}`)).toEqual(sorted(one!));
    expect(await found(`?connection_id=${berlin}&connection_id=${hamburg}`)).toEqual(sorted(one!, two!));
    expect(await found(`?connection_id=${hamburg}&sort=-e164`)).toEqual(sorted(two!));
    expect(await found(`?connection_id=${organisationId}`)).toEqual([]);
    expect(await found("?last_call_before=2026-11-02T00:00:00Z")).toEqual(all.toSorted());
    expect(await found("?last_call_before=2026-10-31T00:00:00Z")).toEqual(sorted(two!, three!, four!));

    const listed = (await list(owner)).body.data as NumberRecord[];
    const byId = new Map(listed.map(({ id, routing }) => [id, routing!.destination]));
    expect(byId.get(one!.id)).toEqual({
      mode: "connection",
      connection: { id: berlin, name: "Berlin office" },
      steps: 1,
    });
    expect(byId.get(two!.id)).toEqual({
      mode: "webhook",
      webhook_url: "https://hooks.example.com/r",
      steps: 2,
    });
    expect(byId.get(three!.id)).toEqual({ mode: "sip_uri", sip_uri: "sip:desk@pbx.example.com", steps: 1 });
    expect(byId.get(four!.id)).toEqual({ mode: "unrouted", steps: 1 });
  });

  test("finds a number in every form in which people write it", async () => {
    const { organisationId, owner } = await tenant();
    await seedNumbers(service.app, organisationId, "live", ["+493040000001", "+12025550142"]);
    const found = async (q: string): Promise<string[]> =>
      numbersIn(await list(owner, `?q=${encodeURIComponent(q)}`));

    for (const written of [
      "030 4000",
      "0049 30 4000",
      "+49 (0)30 4000",
      "011 49 30 40000001",
      "+49 30/4000-0001",
    ])
      expect([written, await found(written)]).toEqual([written, ["+493040000001"]]);
    for (const written of ["(202) 555-0142", "011 1 202 555", "+1.202.555.0142"])
      expect([written, await found(written)]).toEqual([written, ["+12025550142"]]);
    expect(await found("040 4000")).toEqual([]);
  });

  test("a cursor works only with the filters it was given for", async () => {
    const { organisationId, owner } = await tenant();
    await seedNumbers(service.app, organisationId, "live", 2);
    const { body } = await list(owner, "?limit=1&country=DE");

    expect((await list(owner, `?limit=1&cursor=${body.next_cursor}`)).body.code).toBe("invalid_cursor");
    expect((await list(owner, `?limit=1&country=DE&cursor=${body.next_cursor}`)).status).toBe(200);
  });

  test.each(["?limit=0", "?colour=red", "?status=gone", "?sort=label", "?q=", "?country=de", "?tag=%20"])(
    "rejects %s",
    async (query) => {
      const { owner } = await tenant();
      expect((await list(owner, query)).status).toBe(400);
    },
  );
});

describe("who may see what", () => {
  test("a plain member sees no routing, and cannot find it out by filtering", async () => {
    const { organisationId } = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const member = await service.person({ [organisationId]: "member" });

    expect((await list(member)).body.data[0]).toMatchObject({ id: number!.id, routing: null });
    expect((await list(member, "", `/v1/numbers/${number!.id}`)).body.routing).toBeNull();
    for (const query of [
      "?mode=unrouted",
      "?sync=pending",
      "?mode=bogus",
      "?sync=in_sync&limit=0",
      "?connection_id=x",
    ])
      expect([query, (await list(member, query)).body.code]).toEqual([query, "role_not_allowed"]);
    expect((await list(member, "", "/v1/numbers/export")).body.code).toBe("role_not_allowed");
    expect((await change(member, number!.id, { label: "x" })).body.code).toBe("role_not_allowed");
  });

  test("a key with scope numbers reads with routing; one that only writes does not read", async () => {
    const { organisationId, owner } = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const read = await service.key(owner, organisationId, ["numbers"]);
    const write = await service.key(owner, organisationId, ["numbers_write"]);
    const test_ = await service.key(owner, organisationId, ["numbers"], "test");
    const as = (secret: string, path = "/v1/numbers") =>
      service.send("GET", path, { headers: bearer(secret) });

    expect((await as(read.secret, "/v1/numbers?mode=unrouted")).body.data[0].routing.mode).toBe("unrouted");
    expect((await as(read.secret, "/v1/numbers/export")).status).toBe(200);
    expect((await as(write.secret)).body.code).toBe("scope_missing");
    expect((await as(test_.secret, `/v1/numbers/${number!.id}`)).status).toBe(404);
    const patched = await service.send("PATCH", `/v1/numbers/${number!.id}`, {
      headers: bearer(read.secret),
      body: { label: "x" },
    });
    expect(patched.body.code).toBe("scope_missing");
  });

  test("another organisation finds nothing: not by listing, searching or asking", async () => {
    const { organisationId, owner } = await tenant();
    const neighbour = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    await change(owner, number!.id, { label: "Lighthouse", tags: ["secret"] });

    for (const query of [
      "",
      "?q=lighthouse",
      `?q=${number!.e164.slice(1)}`,
      "?q=4",
      "?tag=secret",
      "?mode=unrouted",
    ])
      expect([query, (await list(neighbour.owner, query)).body.data]).toEqual([query, []]);
    const asked = await list(neighbour.owner, "", `/v1/numbers/${number!.id}`);
    expect([asked.status, asked.body.code]).toEqual([404, "number_not_found"]);
    expect((await change(neighbour.owner, number!.id, { label: "x" })).status).toBe(404);
  });

  test("returns IDs only of the organisation and environment of the search function, and none without one", async () => {
    const { organisationId, owner } = await tenant();
    const neighbour = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    await change(owner, number!.id, { label: "Windmill" });
    const search = (terms: object) =>
      `select id from search_holdings('${JSON.stringify(terms)}', '{}', 'e164', null, null, 10)`;
    const text = { texts: ["windmill"] };
    const seen = (id: string, environment: "live" | "test", terms: object) =>
      service.app.db.forOrganisation.read({ organisationId: id, environment }, search(terms));

    for (const terms of [text, { digits: "+4" }, { label: "wi" }]) {
      expect(await seen(organisationId, "live", terms)).toEqual([{ id: number!.id }]);
      expect(await seen(organisationId, "test", terms)).toEqual([]);
      expect(await seen(neighbour.organisationId, "live", terms)).toEqual([]);
      expect(await service.database.admin(search(terms))).toEqual([]);
    }
    await expect(service.app.db.forSystem.read("doctor", search(text))).rejects.toMatchObject({
      code: "42501",
    });
    await expect(service.app.db.forCaller.read("unknown", search(text))).rejects.toMatchObject({
      code: "42501",
    });
  });
});

describe("a change", () => {
  test("what is left out stays, tags are tidied, and it is one event and one audit entry", async () => {
    const { organisationId, owner } = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    await change(owner, number!.id, { label: " Desk ", tags: [" a", "b", "a"] });
    const changed = await change(owner, number!.id, { release_lock: true });

    expect(changed.body).toMatchObject({ label: "Desk", tags: ["a", "b"], release_lock: true });
    const events =
      "select data from events where organisation_id = $1 and type = 'number.changed' order by sequence";
    const audit =
      "select detail from audit_entries where organisation_id = $1 and action = 'number.changed' order by id";
    const written = [{ label: "Desk", tags: ["a", "b"] }, { release_lock: true }];
    expect(await service.database.admin(events, [organisationId])).toEqual(written.map((data) => ({ data })));
    expect(await service.database.admin(audit, [organisationId])).toEqual(
      written.map((detail) => ({ detail })),
    );

    expect((await change(owner, number!.id, { label: "Desk", tags: ["a", "b"] })).status).toBe(200);
    expect(await service.database.admin(events, [organisationId])).toHaveLength(2);
    expect((await change(owner, number!.id, { label: null, tags: [] })).body).toMatchObject({
      label: null,
      tags: [],
    });
  });

  test("allows locks to owners and admins, changes of held numbers only, and rejects invalid values", async () => {
    const { organisationId, owner } = await tenant();
    const [number, gone] = await seedNumbers(service.app, organisationId, "live", 2);
    const developer = await service.person({ [organisationId]: "developer" });
    await service.database.admin(
      "update holdings set status = 'released', released_at = now() where id = $1",
      [gone!.id],
    );

    for (const release_lock of [true, "x", null])
      expect((await change(developer, number!.id, { release_lock })).body.code).toBe("role_not_allowed");
    expect((await change(developer, number!.id, { label: "Desk" })).status).toBe(200);
    expect((await change(owner, gone!.id, { label: "Desk" })).body.code).toBe("number_not_active");
    expect((await list(owner, "", `/v1/numbers/${gone!.id}`)).body.status).toBe("released");
    for (const body of [
      {},
      { e164: "+4930123456" },
      { tags: ["a;b"] },
      { tags: ["x".repeat(51)] },
      { label: "" },
      { label: "\u0007" },
    ])
      expect([body, (await change(owner, number!.id, body)).status]).toEqual([body, 400]);
    expect(
      (await change(owner, number!.id, { tags: Array.from({ length: 21 }, (_, n) => `t${n}`) })).status,
    ).toBe(400);
  });

  test("applies once and responds equally if sent twice with one key", async () => {
    const { organisationId, owner } = await tenant();
    const [number] = await seedNumbers(service.app, organisationId, "live", 1);
    const key = { "idempotency-key": "once" };
    const first = await change(owner, number!.id, { label: "Desk" }, key);
    await change(owner, number!.id, { label: "Other" });
    const second = await change(owner, number!.id, { label: "Desk" }, key);

    expect([second.text, second.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
    expect((await list(owner, "", `/v1/numbers/${number!.id}`)).body.label).toBe("Other");
  });
});
