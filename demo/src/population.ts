import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  seedKey,
  seedMembership,
  seedNumbers,
  seedOperator,
  seedOrganisation,
  seedPerson,
  seedSession,
} from "@dialplane/server/seed";
import type { RunningServer } from "@dialplane/server/start";

type App = RunningServer["app"];

const ROLES = ["owner", "admin", "developer", "member"] as const;

export interface DemoOrganisation {
  id: string;
  name: string;
  sessions: Record<(typeof ROLES)[number], string>;
  keys: Record<"numbers" | "numbers_write" | "full" | "test_full", string>;
  numbers: { id: string; e164: string }[];
  connection_id: string;
}

/** Output of `--json`: everything that a program needs to use the service as each kind of caller. */
export interface Population {
  base_url: string;
  organisations: DemoOrganisation[];
  multi: { session: string; key: string };
  /** Operator of the installation. Belongs to no organisation. */
  operator: { session: string };
}

export async function populate(app: App, baseUrl: string, numbers: number): Promise<Population> {
  const organisations = [
    await organisation(app, { name: "Northwind Telecom", domain: "northwind.example", baseUrl, numbers }),
    await organisation(app, { name: "Lumen Clinics", domain: "lumen.example", baseUrl, numbers }),
  ];
  const consultant = await seedPerson(app, { name: "Robin Multi", email: "robin@consulting.example" });
  const ids = organisations.map(({ id }) => id);
  for (const id of ids) await seedMembership(app, id, consultant.userId, "owner");
  const key = await seedKey(app, consultant, {
    organisationIds: ids,
    environment: "live",
    scopes: ["full"],
    name: "Both organisations",
  });
  const operator = await seedOperator(app, { name: "Uma Operator", email: "operator@dialplane.example" });
  const session = await seedSession(app, operator, "tool");
  await call({ baseUrl, token: session }, "POST", "/operator/v1/pool/imports", { entries: STOCK });
  return {
    base_url: baseUrl,
    organisations,
    operator: { session },
    multi: { session: await seedSession(app, consultant, "tool"), key: key.secret },
  };
}

/** Live numbers to order: ranges that regulators keep free for fiction. */
const STOCK = [
  { number: "+441144960100", to: "+441144960199" },
  { number: "+493023125100", to: "+493023125199" },
  { number: "+12025550100", to: "+12025550199" },
];

/** One number that the switch rejects, and one that is changed repeatedly on the switch. */
export function troubledNumbers({ organisations: [first] }: Population): {
  failing: string;
  drifting: string;
} {
  const [drifting, , , , failing] = first!.numbers;
  return { failing: failing!.id, drifting: drifting!.id };
}

export async function failOnPurpose(population: Population): Promise<void> {
  const caller = { baseUrl: population.base_url, token: population.organisations[0]!.sessions.owner };
  await call(caller, "PUT", `/v1/numbers/${troubledNumbers(population).failing}/routing`, {
    mode: "sip_uri",
    sip_uri: "sip:nobody@pbx.northwind.example.com",
    reason: "Example of a switch that rejects a route",
  });
}

interface Wanted {
  name: string;
  domain: string;
  baseUrl: string;
  numbers: number;
}

async function organisation(
  app: App,
  { name, domain, baseUrl, numbers: count }: Wanted,
): Promise<DemoOrganisation> {
  const id = await seedOrganisation(app, name);
  const sessions = {} as DemoOrganisation["sessions"];
  const people = [];
  for (const role of ROLES) {
    const person = await seedPerson(app, { name: NAMES[role], email: `${role}@${domain}` });
    await seedMembership(app, id, person.userId, role);
    sessions[role] = await seedSession(app, person, "tool");
    people.push(person);
  }
  const owner = people[0]!;
  const key = async (
    scope: "numbers" | "numbers_write" | "full",
    environment: "live" | "test",
  ): Promise<string> =>
    (
      await seedKey(app, owner, {
        organisationIds: [id],
        environment,
        scopes: [scope],
        name: `${environment} ${scope}`,
      })
    ).secret;
  const keys = {
    numbers: await key("numbers", "live"),
    numbers_write: await key("numbers_write", "live"),
    full: await key("full", "live"),
    test_full: await key("full", "test"),
  };
  const numbers = await seedNumbers(app, id, "live", count);
  const caller = { baseUrl, token: sessions.owner };
  const connection_id = await connect(caller, domain);
  await route(caller, numbers, { domain, connection_id });
  return { id, name, sessions, keys, numbers, connection_id };
}

interface DemoCaller {
  baseUrl: string;
  token: string;
}

/** The customer's trunk: two exchanges, and a third for when both are unreachable. */
async function connect(caller: DemoCaller, domain: string): Promise<string> {
  const target = (host: string, priority: number) => ({ host: `${host}.${domain}.com`, priority });
  const { id } = await call<{ id: string }>(caller, "POST", "/v1/connections", {
    name: "Head office",
    targets: [target("sbc1", 1), target("sbc2", 1), target("backup", 2)],
  });
  return id;
}

const ROUTED = 100;

/** Through the API, as its users do: the first hundred numbers are named and routed, the rest stays as it came. */
async function route(
  caller: DemoCaller,
  numbers: readonly { id: string }[],
  { domain, connection_id }: { domain: string; connection_id: string },
): Promise<void> {
  for (const [index, { id }] of numbers.slice(0, ROUTED).entries()) {
    const [label, routing] = DESKS[index % DESKS.length]!(domain, connection_id);
    await call(caller, "PATCH", `/v1/numbers/${id}`, { label, tags: [index % 2 ? "berlin" : "hamburg"] });
    if (routing) await call(caller, "PUT", `/v1/numbers/${id}/routing`, routing);
  }
}

/** Whether a number of the population is routed: the last of each five desks is in reserve. */
export function isRouted(_number: unknown, index: number): boolean {
  return index < ROUTED && DESKS[index % DESKS.length]!("", "")[1] !== undefined;
}

type Desk = (domain: string, connectionId: string) => [label: string, routing: object | undefined];
const DESKS: readonly Desk[] = [
  (domain) => ["Reception", { mode: "sip_uri", sip_uri: `sip:reception@pbx.${domain}.com` }],
  (_, connection_id) => ["Sales", { mode: "connection", connection_id }],
  (domain) => ["Support", { mode: "sip_uri", sip_uri: `sip:support@pbx.${domain}.com` }],
  (_, connection_id) => ["Warehouse", { mode: "connection", connection_id }],
  () => ["Reserve", undefined],
];

const ATTEMPTS = 30;
const RETRY_MS = 1_000;

/** Retries under one idempotency key: on a slow machine the first statements can exceed their timeouts. */
async function call<Answer>(
  { baseUrl, token }: DemoCaller,
  method: string,
  path: string,
  body: object,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) });
    if (answer.ok) return (await answer.json()) as Answer;
    const text = await answer.text();
    if (answer.status < 500 || attempt === ATTEMPTS) throw new Error(`${method} ${path}: ${text}`);
    await pause(RETRY_MS);
  }
}

const NAMES = {
  owner: "Olive Owner",
  admin: "Adam Admin",
  developer: "Dana Developer",
  member: "Max Member",
};
