import { afterAll, beforeAll, expect, test } from "vitest";
import { seedNumbers } from "../../seed.ts";
import { type RunningServer, startServer } from "../../start.ts";
import { type EventStream, openEventStream } from "../../../testing/live-stream.ts";
import { LiveSwitch } from "../../../testing/live-switch.ts";
import { bearer, browser, type Person, type Service, startService, until } from "../../../testing/service.ts";

let service: Service;
let replica: RunningServer;
let organisationId: string;
let owner: Person;
let numbers: string[];
let reporter: LiveSwitch;
beforeAll(async () => {
  service = await startService();
  replica = await startServer(service.app.config, "api", { clock: service.clock });
  organisationId = await service.organisation();
  owner = await service.person({ [organisationId]: "owner" });
  numbers = (await seedNumbers(service.app, organisationId, "live", 3)).map(({ id }) => id);
  reporter = await LiveSwitch.add(service);
});
afterAll(async () => {
  await replica.stop();
  await service[Symbol.asyncDispose]();
});

const follow = (
  headers: Record<string, string>,
  { ids = numbers, url = service.url } = {},
): Promise<EventStream> => openEventStream(url, `/v1/numbers/live/stream?ids=${ids.join()}`, headers);

interface Shown {
  number_id: string;
  active_calls: number;
}
/** State of a client that keeps the newest event of each number. */
const kept = ({ events }: EventStream): Record<string, number> =>
  Object.fromEntries(
    events.flatMap(({ data }) => data.data as Shown[]).map((one) => [one.number_id, one.active_calls]),
  );

test("begins with everything, then says what has changed, on every replica, and nothing while nothing does", async () => {
  const [a, b, c] = numbers as [string, string, string];
  await reporter.tell({ [a]: 1 }, { isSnapshot: true });
  await using here = await follow(bearer(owner.token));
  await using there = await follow(browser(owner.cookie), { url: replica.url! });
  for (const stream of [here, there]) {
    await until(() => stream.events.length > 0);
    expect(stream.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(stream.text()).toMatch(/^retry: \d+\nid: \S{22}\nevent: live\ndata: \{/);
    expect(stream.events[0]).toMatchObject({
      type: "live",
      data: { as_of: expect.any(String), missing: [], data: [{ number_id: a, active_calls: 1 }, {}, {}] },
    });
  }
  await reporter.tell({ [b]: 2, [c]: 4 });
  for (const stream of [here, there]) await until(() => kept(stream)[c] === 4);
  await reporter.tell({});
  await reporter.tell({ [a]: 0 });
  for (const stream of [here, there]) {
    await until(() => kept(stream)[a] === 0);
    expect(kept(stream)).toEqual({ [a]: 0, [b]: 2, [c]: 4 });
    expect(stream.events.at(-1)!.data.data).toMatchObject([{ number_id: a }]);
    expect(stream.events).toHaveLength(3);
  }
  expect(here.events.map(({ id }) => id)).toEqual(there.events.map(({ id }) => id));
});

test("sends everything to a client that reconnects to any replica, unless it missed nothing", async () => {
  const [a] = numbers as [string];
  await reporter.tell({ [a]: 3 }, { isSnapshot: true });
  await using first = await follow(bearer(owner.token));
  await until(() => first.events.length > 0);
  const back = { ...bearer(owner.token), "last-event-id": first.events[0]!.id };

  await using unchanged = await follow(back, { url: replica.url! });
  await until(() => unchanged.text().includes("\n\n"));
  expect(unchanged.events).toEqual([]);
  await reporter.tell({ [a]: 4 });
  await until(() => kept(unchanged)[a] === 4);
  await using changed = await follow(back, { url: replica.url! });
  await until(() => changed.events.length > 0);
  expect(changed.events[0]!.data.data).toHaveLength(3);
});

test.each([
  [
    "the session",
    (person: Person) => service.send("DELETE", "/v1/sessions/current", { headers: bearer(person.token) }),
  ],
  [
    "the membership",
    (person: Person) =>
      service.send("DELETE", `/v1/members/${person.userId}`, { headers: bearer(owner.token) }),
  ],
])(
  "SE-05 ends soon after %s does, on every replica, and says nothing more",
  async (_what, end) => {
    const person = await service.person({ [organisationId]: "developer" });
    await using here = await follow(bearer(person.token));
    await using there = await follow(bearer(person.token), { url: replica.url! });
    await using other = await follow(bearer(owner.token), { url: replica.url! });
    for (const stream of [here, there, other]) await until(() => stream.events.length > 0);
    const said = [here.events.length, there.events.length];
    expect([200, 204]).toContain((await end(person)).status);
    await reporter.tell({ [numbers[0]!]: 9 }, { isSnapshot: true });
    await until(() => here.endedAtMs() && there.endedAtMs());
    expect([here.events.length, there.events.length]).toEqual(said);
    await until(() => kept(other)[numbers[0]!] === 9);
    expect(other.endedAtMs()).toBeUndefined();
  },
  60_000,
);

test("shows values by the role of the user", async () => {
  const person = await service.person({ [organisationId]: "developer" });
  await reporter.confirmAll();
  await using stream = await follow(bearer(person.token));
  const mode = (): unknown => stream.events.at(-1)?.data.data[0]?.applied_mode;
  await until(() => mode() === "unrouted");
  await service.database.admin("update memberships set role = 'member' where user_id = $1", [person.userId]);
  await until(() => mode() === null);
});

test("allows twenty streams of an organisation per replica, and sends the next one a snapshot with a retry time", async () => {
  const organisation = await service.organisation("Crowd Ltd");
  const person = await service.person({ [organisation]: "member" });
  const ids = (await seedNumbers(service.app, organisation, "live", 1)).map(({ id }) => id);
  await using watching = new AsyncDisposableStack();
  for (let count = 0; count < 20; count++) watching.use(await follow(bearer(person.token), { ids }));
  await using late = await follow(bearer(person.token), { ids });
  await until(() => late.endedAtMs());
  expect(late.text()).toMatch(/^retry: 10000\n/);
  expect(late.events).toMatchObject([{ data: { data: [{ number_id: ids[0] }] } }]);

  await watching.disposeAsync();
  const isPlaced = async (): Promise<boolean> => {
    await using again = await follow(bearer(person.token), { ids });
    await until(() => again.events.length > 0);
    return again.text().startsWith("retry: 1000\n");
  };
  await until(isPlaced);
});
