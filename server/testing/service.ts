import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { App } from "../src/app.ts";
import type { Config, Settings } from "../src/config.ts";
import { openNames } from "../src/platform/egress-names.ts";
import type { Resolver } from "../src/platform/egress.ts";
import type { Role, Scope } from "../src/platform/http/access.ts";
import {
  seedKey,
  seedMembership,
  seedOrganisation,
  seedPerson,
  type SeededPerson,
  seedSession,
} from "../src/seed.ts";
import { type RunningServer, startServer } from "../src/start.ts";
import { send, type SendOptions, type Sent } from "./send.ts";
import { testConfig } from "./test-config.ts";
import { poolerSettings } from "./pooler-settings.ts";
import { copyDatabase, type TestDatabase } from "./test-database.ts";

export interface Person extends SeededPerson {
  /** A tool's session: sent as bearer. */
  token: string;
  /** A browser's session: sent as cookie. */
  cookie: string;
}

export interface Service extends AsyncDisposable {
  url: string;
  app: App;
  server: RunningServer;
  database: TestDatabase;
  clock: TestClock;
  send(method: string, path: string, options?: SendOptions): Promise<Sent>;
  organisation(name?: string): Promise<string>;
  /** A user with one session of each kind, in the named organisations. */
  person(memberships?: Record<string, Role>): Promise<Person>;
  key(
    maker: SeededPerson,
    organisationIds: string | readonly string[],
    scopes: Scope[],
    environment?: "live" | "test",
  ): Promise<{ id: string; secret: string }>;
  /** TXT records by name. Undefined for names whose servers fail. */
  texts: Map<string, string[] | undefined>;
  /** Mail that has been sent, oldest first. */
  mails(): string[];
}

export interface TestClock {
  now(): Date;
  advance(ms: number): void;
}

interface ServiceOptions {
  /** A function, if they depend on the address of the database. */
  settings?: Settings | ((databaseUrl: string) => Promise<Settings>);
  /** Also run background jobs. */
  worker?: boolean;
  /** Resolver of names. By default no name resolves. */
  resolver?: Resolver;
  /** Parts of the program to put in place of the usual ones, such as a log that is kept. */
  overrides?: Partial<App>;
}

/** The real service on its own copy of a migrated database. */
export async function startService({
  settings = {},
  worker = false,
  resolver = async () => [],
  overrides = {},
}: ServiceOptions = {}): Promise<Service> {
  const database = await copyDatabase(inject("clusterUrl"));
  const mailDirectory = mkdtempSync(join(tmpdir(), "dialplane-mail-"));
  const clock = movableClock();
  const own = await settingsOf(database.url, settings);
  const config = testConfig(database.url, { MAIL_DIRECTORY: mailDirectory, ...own });
  const { names, texts } = testNames(config, clock, resolver);
  const server = await startServer(config, worker ? "all" : "api", { clock, names, ...overrides });
  const { app } = server;
  let people = 0;

  return {
    url: server.url!,
    app,
    server,
    database,
    clock,
    send: (method, path, options) => send(server.url!, method, path, options),
    organisation: (name = "Example Ltd") => seedOrganisation(app, name),
    async person(memberships = {}) {
      const number = ++people;
      const person = await seedPerson(app, {
        name: `Person ${number}`,
        email: `person-${number}@example.com`,
      });
      for (const [organisationId, role] of Object.entries(memberships))
        await seedMembership(app, organisationId, person.userId, role);
      return {
        ...person,
        token: await seedSession(app, person, "tool"),
        cookie: await seedSession(app, person, "browser"),
      };
    },
    key: (maker, organisationIds, scopes, environment = "live") =>
      seedKey(app, maker, {
        organisationIds: [organisationIds].flat(),
        scopes,
        environment,
        name: "Test key",
      }),
    texts,
    mails: () =>
      readdirSync(mailDirectory)
        .toSorted()
        .map((name) => readFileSync(join(mailDirectory, name), "utf8")),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await database[Symbol.asyncDispose]();
      rmSync(mailDirectory, { recursive: true, force: true });
    },
  };
}

async function settingsOf(url: string, given: NonNullable<ServiceOptions["settings"]>): Promise<Settings> {
  return { ...poolerSettings(url), ...(typeof given === "function" ? await given(url) : given) };
}

/** The test defines the addresses and TXT records of names. */
function testNames(config: Config, clock: TestClock, resolver: Resolver) {
  const texts = new Map<string, string[] | undefined>();
  const textsOf = async (name: string): Promise<string[] | undefined> =>
    texts.has(name) ? texts.get(name) : [];
  return { texts, names: openNames({ clock, egress: config.egress, resolver, texts: textsOf }) };
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** As the dashboard sends it. */
export function browser(cookie: string): Record<string, string> {
  return { cookie: `__Host-svc_session=${cookie}`, "sec-fetch-site": "same-origin" };
}

/** Waits for an asynchronous effect, such as a job's. */
export async function until<Value>(
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  withinMs = 60_000,
): Promise<Value> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`Nothing came within ${withinMs} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function movableClock(): TestClock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance: (ms) => void (offsetMs += ms),
  };
}
