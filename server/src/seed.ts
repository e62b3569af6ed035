import type { App } from "./app.ts";
import { createApiKey } from "./people/api-keys/api-keys.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import { recordChange } from "./events/events/events.ts";
import { insertMember } from "./people/members/members.ts";
import { addHoldings } from "./numbers/numbers/numbers.ts";
import { createOrganisation } from "./people/organisations/organisations.ts";
import { openSession, type SessionRow } from "./people/sessions/sessions.ts";
import { createSwitch } from "./switching/switches/switches.ts";
import { addUser, hashPassword, setOperator } from "./people/users/users.ts";
import type { Environment } from "./platform/db/database.ts";
import type { Actor, Origin, Role, Scope, SessionCaller } from "./platform/http/access.ts";

/** Organisations with people and keys in them, made through the front doors: for the demo and the tests. */
export const SEED_PASSWORD = "correct horse battery staple";

const AUTHOR = systemAuthor("seed");
const ORIGIN: Origin = { requestId: "seed", address: "127.0.0.1", userAgent: "seed", allowances: [] };

export interface SeededPerson {
  userId: string;
  name: string;
  email: string;
}

export async function seedOrganisation(app: App, name: string): Promise<string> {
  return (await createOrganisation(app, AUTHOR, { name })).id;
}

export async function seedPerson(
  app: App,
  person: { name: string; email: string; password?: string },
): Promise<SeededPerson> {
  passwordHash ??= hashPassword(SEED_PASSWORD);
  const hash = await (person.password ? hashPassword(person.password) : passwordHash);
  const userId = await app.db.forSystem("operator", (tx) =>
    addUser(tx, app.clock.now(), { ...person, passwordHash: hash }),
  );
  return { userId, name: person.name, email: person.email };
}

export async function seedOperator(app: App, person: { name: string; email: string }): Promise<SeededPerson> {
  const seeded = await seedPerson(app, person);
  await app.db.forSystem("operator", (tx) => setOperator(tx, seeded.userId, true));
  return seeded;
}

export async function seedMembership(
  app: App,
  organisationId: string,
  userId: string,
  role: Role,
): Promise<void> {
  const now = app.clock.now();
  await app.db.forSystem("operator", async (tx) => {
    await insertMember(tx, organisationId, { userId, role, at: now });
    await recordChange(tx, AUTHOR, now, {
      type: "member.joined",
      organisationId,
      subject: userId,
      data: { role },
    });
  });
}

export async function seedSession(app: App, person: SeededPerson, kind: SessionRow["kind"]): Promise<string> {
  return app.db.forCaller({ userId: person.userId }, (tx) =>
    openSession(tx, app.clock.now(), { userId: person.userId, name: person.name, kind, origin: ORIGIN }),
  );
}

interface WantedKey {
  organisationIds: readonly string[];
  environment: Actor["environment"];
  scopes: Scope[];
  name: string;
}

/** The key text itself; `maker` must be an owner, admin or developer of all the organisations. */
export async function seedKey(
  app: App,
  maker: SeededPerson,
  wanted: WantedKey,
): Promise<{ id: string; secret: string }> {
  const caller: SessionCaller = {
    kind: "session",
    id: maker.userId,
    userId: maker.userId,
    name: maker.name,
    email: maker.email,
    isOperator: false,
    transport: "cookie",
    reauthenticatedAt: app.clock.now(),
    expiresAt: app.clock.now(),
    memberships: wanted.organisationIds.map((organisationId) => ({
      organisationId,
      organisationName: "",
      isSuspended: false,
      role: "owner",
    })),
  };
  const actor = {
    caller,
    organisationId: wanted.organisationIds[0]!,
    environment: wanted.environment,
    role: "owner" as const,
    origin: ORIGIN,
  };
  const { key, secret } = await createApiKey(app, actor, {
    name: wanted.name,
    scopes: wanted.scopes,
    organisation_ids: [...wanted.organisationIds],
  });
  return { id: key.id, secret };
}

/** A switch of the default live group; its credential is for the agent next to it. */
export async function seedSwitch(app: App, name: string): Promise<{ credential: string }> {
  return createSwitch(app, AUTHOR, { name });
}

export interface SeededNumber {
  id: string;
  e164: string;
}

/** Numbers as they come from an import, a thousand a transaction; a count takes the next of a made-up range. */
export async function seedNumbers(
  app: Pick<App, "db" | "clock">,
  organisationId: string,
  environment: Environment,
  wanted: number | readonly string[],
): Promise<SeededNumber[]> {
  const all = typeof wanted === "number" ? Array.from({ length: wanted }, nextNumber) : wanted;
  const seeded: SeededNumber[] = [];
  for (let from = 0; from < all.length; from += 1_000) {
    const numbers = all
      .slice(from, from + 1_000)
      .map((e164) => ({ e164, country: e164.startsWith("+1") ? "US" : "DE", type: "local" }));
    const added = await app.db.forSystem("stock", (tx) =>
      addHoldings(tx, AUTHOR, app.clock.now(), { organisationId, environment, source: "import", numbers }),
    );
    for (const { id, e164, outcome } of added) {
      if (outcome !== "added") throw new Error(`${e164} cannot be added: ${outcome}.`);
      seeded.push({ id: id!, e164 });
    }
  }
  return seeded;
}

function nextNumber(): string {
  return `+4930${10_000_000 + numbersMade++}`;
}

let numbersMade = 0;
let passwordHash: Promise<string> | undefined;
