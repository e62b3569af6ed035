import type { App } from "./app.ts";
import { createApiKey } from "./features/api-keys/api-keys.ts";
import { systemAuthor } from "./features/audit/audit.ts";
import { recordChange } from "./features/events/events.ts";
import { insertMember } from "./features/members/members.ts";
import { createOrganisation } from "./features/organisations/organisations.ts";
import { openSession, type SessionRow } from "./features/sessions/sessions.ts";
import { addUser, hashPassword } from "./features/users/users.ts";
import type { Actor, Origin, Role, Scope, SessionCaller } from "./platform/http/access.ts";

/** Organisations with people and keys in them, made through the front doors: for the demo and the tests. */
export const SEED_PASSWORD = "correct horse battery staple";

const AUTHOR = systemAuthor("seed");
const ORIGIN: Origin = { requestId: "seed", address: "127.0.0.1", userAgent: "seed" };

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

let passwordHash: Promise<string> | undefined;
