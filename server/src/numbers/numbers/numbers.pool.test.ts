import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import type { Sent } from "../../../testing/send.ts";
import { bearer, type Person, type Service, startService } from "../../../testing/service.ts";

let service: Service;
let operator: Person;
beforeAll(async () => {
  service = await startService();
  operator = await service.person();
  await service.database.admin("update users set is_operator = true where id = $1", [operator.userId]);
});
afterAll(() => service[Symbol.asyncDispose]());

const ask = (path: string): Promise<Sent> =>
  service.send("GET", `/operator/v1/pool${path}`, { headers: bearer(operator.token) });
const importing = (body: object): Promise<Sent> =>
  service.send("POST", "/operator/v1/pool/imports", { headers: bearer(operator.token), body });
const audited = (): Promise<unknown[]> =>
  service.database.admin(
    "select actor_kind, detail from audit_entries where action = 'stock.added' order by id",
  );

test("previews an import, applies it once, and records its author", async () => {
  const body = {
    entries: [{ number: "030 902100", to: "030 902104" }, { number: "+12025550100" }],
    country: "DE",
  };

  const tried = await importing({ ...body, dry_run: true });
  expect(tried.body).toEqual({ dry_run: true, added: 6, skipped: 0, faults: [] });
  expect((await ask("")).body).toEqual({ total: 0, free: 0, held: 0, kinds: [] });
  expect(await audited()).toEqual([]);

  expect((await importing(body)).body).toEqual({ dry_run: false, added: 6, skipped: 0, faults: [] });
  expect((await importing(body)).body).toMatchObject({ added: 0, skipped: 6 });
  expect(await audited()).toEqual([
    { actor_kind: "operator", detail: { count: 6, first: expect.any(String), last: expect.any(String) } },
  ]);
});

test("counts and lists held numbers as held", async () => {
  const organisationId = await service.organisation();
  const owner = await service.person({ [organisationId]: "owner" });
  await seedNumbers(service.app, organisationId, "live", ["+4930902102"]);

  expect((await ask("")).body).toMatchObject({
    total: 6,
    free: 5,
    held: 1,
    kinds: [
      { country: "DE", type: "local", total: 5, free: 4, held: 1 },
      { country: "US", type: "local", total: 1, free: 1, held: 0 },
    ],
  });
  expect((await ask("/numbers?status=held")).body.data).toMatchObject([
    { e164: "+4930902102", status: "held", country: "DE" },
  ]);
  const first = (await ask("/numbers?prefix=%2B4930&limit=3")).body;
  const rest = (await ask(`/numbers?prefix=%2B4930&limit=3&cursor=${first.next_cursor}`)).body;
  expect([...first.data, ...rest.data].map(({ e164 }: { e164: string }) => e164)).toEqual(
    [0, 1, 2, 3, 4].map((n) => `+493090210${n}`),
  );
  expect(rest.next_cursor).toBeNull();
  const refused = await service.send("GET", "/operator/v1/pool", { headers: bearer(owner.token) });
  expect(refused.body.code).toBe("operator_only");
});

test("reports invalid entries by position, and imports the others", async () => {
  const { body } = await importing({
    entries: [
      { number: "hello" },
      { number: "+4930903000" },
      { number: "+4930903000" },
      { number: "030 903001" },
      { number: "+49309040000", to: "+49309049997" },
      { number: "+49309050000", to: "+49309050001" },
      { number: "+4930903002", type: "golden" },
    ],
  });

  // Twice in one request is once; the last range is beyond what a request takes.
  expect(body).toMatchObject({ added: 9_999, skipped: 1 });
  expect(body.faults.map(({ entry }: { entry: number }) => entry)).toEqual([0, 3, 5, 6]);
  expect(body.faults[2].detail).toMatch(/another/);
});

test("numbers go to the group that was named, and to none that is not there", async () => {
  const { body: group } = await service.send("POST", "/operator/v1/switch-groups", {
    headers: bearer(operator.token),
    body: { name: "south", shards: 1 },
  });
  const entries = [{ number: "+4989901000" }];

  expect((await importing({ entries, group_id: group.id })).body.added).toBe(1);
  expect((await ask("/numbers?prefix=%2B4989")).body.data).toMatchObject([{ group_id: group.id }]);
  const nowhere = await importing({ entries, group_id: "0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11" });
  expect([nowhere.status, nowhere.body.code]).toEqual([404, "switch_group_not_found"]);
  expect((await importing({ entries: [] })).status).toBe(400);
});
