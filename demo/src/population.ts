import { seedKey, seedMembership, seedOrganisation, seedPerson, seedSession } from "@dialplane/server/seed";
import type { RunningServer } from "@dialplane/server/start";

type App = RunningServer["app"];

const ROLES = ["owner", "admin", "developer", "member"] as const;

export interface DemoOrganisation {
  id: string;
  name: string;
  sessions: Record<(typeof ROLES)[number], string>;
  keys: Record<"numbers" | "numbers_write" | "full" | "test_full", string>;
  numbers: { id: string; e164: string }[];
  connection_id: string | null;
}

/** What `--json` prints: everything a program needs to try the service as each kind of caller. */
export interface Population {
  base_url: string;
  organisations: DemoOrganisation[];
  multi: { session: string; key: string };
}

export async function populate(app: App, baseUrl: string): Promise<Population> {
  const organisations = [
    await organisation(app, "Northwind Telecom", "northwind.example"),
    await organisation(app, "Lumen Clinics", "lumen.example"),
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
  return {
    base_url: baseUrl,
    organisations,
    multi: { session: await seedSession(app, consultant, "tool"), key: key.secret },
  };
}

async function organisation(app: App, name: string, domain: string): Promise<DemoOrganisation> {
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
  return { id, name, sessions, keys, numbers: [], connection_id: null };
}

const NAMES = {
  owner: "Olive Owner",
  admin: "Adam Admin",
  developer: "Dana Developer",
  member: "Max Member",
};
