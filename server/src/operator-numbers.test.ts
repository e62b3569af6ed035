import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { runOperator } from "./operator.ts";
import { seedNumbers } from "./seed.ts";
import { bearer, type Person, type Service, startService } from "../testing/service.ts";

let service: Service;
let organisationId: string;
let owner: Person;
let folder: string;
beforeAll(async () => {
  service = await startService();
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  folder = mkdtempSync(join(tmpdir(), "dialplane-import-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service[Symbol.asyncDispose]();
});

let said: string[];
let complained: string[];
beforeEach(() => {
  said = [];
  complained = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  vi.spyOn(console, "error").mockImplementation((line: string) => void complained.push(line));
});
afterEach(() => vi.restoreAllMocks());

const operator = (...args: string[]): Promise<number> => runOperator(service.app.config, args);
const importing = (table: string, ...args: string[]): Promise<number> => {
  const file = join(folder, "numbers.csv");
  writeFileSync(file, table);
  return operator("import-numbers", file, "--organisation", organisationId, ...args);
};
const send = (path: string) => service.send("GET", path, { headers: bearer(owner.token) });
const holdings = async () => (await send("/v1/numbers?sort=e164")).body.data;

test("a table is tried, imported, and imported again without an effect", async () => {
  const table = 'number,label,tags\r\n+49 30 901820,"Desk, front",berlin; vip\r\n030 901821,,\r\n';

  expect(await importing(table, "--country", "DE", "--dry-run")).toBe(0);
  expect(said).toEqual(["2 would be added, 0 held already, 0 not possible."]);
  expect(await holdings()).toEqual([]);

  expect(await importing(table, "--country", "DE")).toBe(0);
  expect(said.at(-1)).toBe("2 added, 0 held already, 0 not possible.");
  expect(complained.at(-1)).toBe("2 of 2");
  expect(await holdings()).toMatchObject([
    { e164: "+4930901820", label: "Desk, front", tags: ["berlin", "vip"], country: "DE", type: "local" },
    { e164: "+4930901821", label: null, tags: [], source: "import" },
  ]);

  expect(await importing(table, "--country", "DE")).toBe(0);
  expect(said.at(-1)).toBe("0 added, 2 held already, 0 not possible.");
});

test("each row that cannot be imported is named with its line and its reason, the others are imported", async () => {
  const neighbour = await service.organisation();
  await seedNumbers(service.app, neighbour, "live", ["+4930901900"]);
  const long = "x".repeat(201);
  const code = await importing(
    `number,label\n+4930901901,a\nhello,b\n+4930901900,c\n+4930901901,d\n+4930901902,${long}\n+4930901903\n`,
  );

  expect(code).toBe(1);
  expect(complained.filter((line) => line.startsWith("line"))).toEqual([
    expect.stringMatching(/^line 3: /),
    "line 4: +4930901900 is not available.",
    "line 5: +4930901901 is already on line 2.",
    "line 6: A label has at most 200 characters.",
    "line 7: 2 cells are expected, not 1.",
  ]);
  expect(complained.join()).not.toContain(neighbour);
  expect(said).toEqual(["1 added, 0 held already, 5 not possible."]);
});

test.each([
  ["number,colour\n+4930901950,red\n", "line 1: Unknown column colour. Columns are number, label, tags."],
  ["label\nx\n", "line 1: The header has no column number."],
  ['number\n"+4930901950\n', "line 2: Unexpected quote or line end."],
])("of a table that cannot be read (%j) nothing is imported", async (table, fault) => {
  expect(await importing(table)).toBe(1);
  expect(complained).toEqual([fault]);
  expect((await holdings()).map(({ e164 }: { e164: string }) => e164)).not.toContain("+4930901950");
});

test("an unknown organisation, group or argument ends it before anything is read", async () => {
  const unknown = "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11";

  expect(await operator("import-numbers", "no.csv", "--organisation", unknown)).toBe(2);
  expect(complained).toEqual([`No organisation ${unknown}.`]);
  expect(await importing("number\n", "--group", "nowhere")).toBe(2);
  expect(await importing("number\n", "--colour", "red")).toBe(2);
  expect(await operator("import-numbers", "no.csv")).toBe(2);
});

describe("loading the stock", () => {
  const stocking = (table: string, ...args: string[]): Promise<number> => {
    const file = join(folder, "stock.csv");
    writeFileSync(file, table);
    return operator("stock-numbers", file, ...args);
  };
  const stock = () =>
    service.database.admin(
      "select e164, country, type from numbers where environment = 'live' and e164 like '+4930902%' order by 1",
    );

  test("previews a table, loads it once, and leaves its numbers without a holder", async () => {
    const table = "number,type\n030 902100,national\n+4930902101,\n";

    expect(await stocking(table, "--country", "DE", "--dry-run")).toBe(0);
    expect(said).toEqual(["2 would be added, 0 in stock already, 0 not possible."]);
    expect(await stock()).toEqual([]);

    expect(await stocking(table, "--country", "DE")).toBe(0);
    expect(said.at(-1)).toBe("2 added, 0 in stock already, 0 not possible.");
    expect(complained.at(-1)).toBe("2 of 2");
    expect(await stock()).toEqual([
      { e164: "+4930902100", country: "DE", type: "national" },
      { e164: "+4930902101", country: "DE", type: "local" },
    ]);
    expect(await holdings()).not.toContainEqual(expect.objectContaining({ e164: "+4930902100" }));

    expect(await stocking(table, "--country", "DE")).toBe(0);
    expect(said.at(-1)).toBe("0 added, 2 in stock already, 0 not possible.");
    expect(
      await service.database.admin("select detail from audit_entries where action = 'stock.added'"),
    ).toEqual([{ detail: { count: 2, first: "+4930902100", last: "+4930902101" } }]);
  });

  test("what was loaded can be ordered from the pool", async () => {
    await stocking("number\n+4930902200\n");
    const { ordering } = service.app.carriers.openFor("live")[0]!;
    const wanted = { reference: organisationId, e164s: ["+4930902200"] };

    expect(await ordering.order({ organisationId, environment: "live" }, wanted)).toEqual({
      items: [{ e164: "+4930902200", outcome: "bought" }],
    });
  });

  test("each row that cannot be loaded is named with its line and its reason, the others are loaded", async () => {
    expect(
      await stocking("number,type\nhello,\n+4930902300,\n+4930902300,\n+4930902301,golden\n+4930902302\n"),
    ).toBe(1);
    expect(complained.filter((line) => line.startsWith("line"))).toEqual([
      expect.stringMatching(/^line 2: /),
      "line 4: +4930902300 is already on line 3.",
      expect.stringMatching(/^line 5: Unknown type golden. Types are local, /),
      "line 6: 2 cells are expected, not 1.",
    ]);
    expect(said).toEqual(["1 added, 0 in stock already, 4 not possible."]);
  });

  test("an unknown group or argument ends it before anything is read", async () => {
    expect(await stocking("number\n", "--group", "nowhere")).toBe(2);
    expect(await stocking("number\n", "--organisation", organisationId)).toBe(2);
    expect(await operator("stock-numbers")).toBe(2);
  });
});

test("a suspended number goes nowhere until it is resumed, and keeps what its holder wants", async () => {
  const [number] = await seedNumbers(service.app, organisationId, "live", 1);
  const told = async () => {
    const [newest] = await service.database.admin<{ value: { mode: string } }>(
      "select value from feed_items where item_id = $1 order by version desc limit 1",
      [number!.id],
    );
    return newest!.value.mode;
  };
  await service.send("PUT", `/v1/numbers/${number!.id}/routing`, {
    headers: { ...bearer(owner.token), "idempotency-key": "route" },
    body: { mode: "sip_uri", sip_uri: "sip:desk@8.8.8.8" },
  });
  expect(await told()).toBe("sip_uri");

  expect(await operator("suspend-number", number!.e164)).toBe(0);
  expect((await send(`/v1/numbers/${number!.id}`)).body).toMatchObject({
    status: "suspended",
    routing: { mode: "sip_uri", generation: 2 },
  });
  expect(await told()).toBe("unrouted");
  expect(await operator("suspend-number", number!.e164)).toBe(1);

  expect(await operator("resume-number", number!.e164)).toBe(0);
  expect(await told()).toBe("sip_uri");
  expect(await operator("resume-number", number!.e164)).toBe(1);
  expect(await operator("resume-number", "hello")).toBe(2);
  for (const [table, column] of [
    ["events", "type"],
    ["audit_entries", "action"],
  ]) {
    const written = await service.database.admin(
      `select ${column} as what from ${table} where subject = $1 and ${column} like 'number.%' order by ${table === "events" ? "sequence" : "at, id"}`,
      [number!.id],
    );
    expect(written).toEqual(["number.added", "number.suspended", "number.resumed"].map((what) => ({ what })));
  }
});

test("the table that is taken out holds every number, and no cell that a spreadsheet would run", async () => {
  const customer = await service.organisation();
  const admin = await service.person({ [customer]: "admin" });
  const seeded = await seedNumbers(service.app, customer, "live", 1_203);
  await service.send("PATCH", `/v1/numbers/${seeded[0]!.id}`, {
    headers: bearer(admin.token),
    body: { label: '=cmd|"x"', tags: ["a", "b"] },
  });
  const sent = await service.send("GET", "/v1/numbers/export?sort=e164", { headers: bearer(admin.token) });
  const lines = sent.text.split("\r\n");

  expect(sent.headers["content-type"]).toMatch(/^text\/csv/);
  expect(lines[0]).toBe(
    "id,number,country,type,status,label,tags,source,mode,sync,generation,release_lock,acquired_at,released_at",
  );
  expect(lines[1]).toMatch(
    new RegExp(
      String.raw`^${seeded[0]!.id},\+\d+,DE,local,active,"'=cmd\|""x""",a;b,import,unrouted,pending,1,false,[^,]+Z,$`,
    ),
  );
  expect(lines.slice(1, -1).map((line) => line.split(",")[1])).toEqual(
    seeded.map(({ e164 }) => e164).toSorted(),
  );
  const filtered = await service.send("GET", "/v1/numbers/export?tag=a", { headers: bearer(admin.token) });
  expect(filtered.text.split("\r\n")).toHaveLength(3);
});
