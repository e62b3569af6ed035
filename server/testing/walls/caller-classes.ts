import { newKey } from "../../src/people/api-keys/api-keys.format.ts";
import { TOOL_TOKEN_PREFIX } from "../../src/people/sessions/sessions.ts";
import { newSwitchCredential } from "../../src/switching/switches/switches.ts";
import { type Role, ROLES, type Scope, SCOPES } from "../../src/platform/http/access.ts";
import { newToken } from "../../src/platform/secrets.ts";
import { NO_TAG } from "../../src/platform/tags.ts";
import { bearer, browser, type Person } from "../service.ts";
import { type Holder, holderOf, type Neighbours } from "./neighbours.ts";
import { makeSwitch } from "./switch-callers.ts";
import type { Traits } from "./verdict.ts";

export interface TestCaller {
  headers: Record<string, string>;
  /** Owner of the requested resources. */
  holder: Holder;
}

/** A kind of caller: what the declarations of access have to know about it, and how to be one. */
export interface CallerClass {
  name: string;
  traits: Traits;
  make(neighbours: Neighbours): Promise<TestCaller>;
}

interface SessionWish {
  role?: Role;
  /** In the organisation next door, asking for this one. */
  isStranger?: true;
  isStale?: true;
  isOperator?: true;
  isOnTestSide?: true;
  isInSeveral?: true;
}

const STALE =
  "update sessions set reauthenticated_at = reauthenticated_at - interval '601 seconds' where user_id = $1";
const WISHES: readonly (SessionWish & { name: string })[] = [
  ...ROLES.map((role) => ({ name: role, role })),
  ...ROLES.map((role) => ({ name: `${role}, password entered long ago`, role, isStale: true as const })),
  { name: "owner on the test side", role: "owner", isOnTestSide: true },
  { name: "owner here and next door", role: "owner", isInSeveral: true },
  { name: "owner of another organisation", isStranger: true },
  { name: "member of nothing" },
  { name: "operator, member of nothing", isOperator: true },
  { name: "operator, password entered long ago", isOperator: true, isStale: true },
];

/** All kinds of callers with a valid credential. */
const KNOWN: readonly CallerClass[] = [
  ...WISHES.flatMap((wish) => [sessionClass(wish, true), sessionClass(wish, false)]),
  ...SCOPES.map((scope) => keyClass({ name: `key with ${scope}`, scopes: [scope] })),
  keyClass({ name: "key with numbers and numbers_write", scopes: ["numbers", "numbers_write"] }),
  keyClass({ name: "test key", scopes: ["full"], environment: "test" }),
  keyClass({
    name: "test key, asking for the live side",
    scopes: ["full"],
    environment: "test",
    asksFor: "live",
  }),
  keyClass({ name: "live key, asking for the test side", scopes: ["full"], asksFor: "test" }),
  keyClass({ name: "key of another organisation", scopes: ["full"], isStranger: true }),
  keyClass({ name: "key from an address it may not be used from", scopes: ["full"], isFromElsewhere: true }),
  {
    name: "switch",
    traits: { kind: "switch" },
    make: async ({ service, home }) => ({
      headers: bearer((await makeSwitch(service)).credential),
      holder: holderOf(home),
    }),
  },
  {
    name: "retired switch",
    traits: { kind: "retired switch" },
    make: async ({ service, home }) => ({
      headers: bearer((await makeSwitch(service, { state: "retired" })).credential),
      holder: holderOf(home),
    }),
  },
];

/** All kinds of callers with an invalid credential. */
const UNKNOWN: readonly CallerClass[] = [
  nobody("no credential", async () => ({})),
  nobody("an empty Authorization header", async () => ({ authorization: "" })),
  nobody("garbage as bearer", async () => bearer("garbage")),
  nobody("another scheme", async ({ home }) => ({ authorization: `Basic ${home.owner.token}` })),
  nobody("a key nobody made", async () => bearer(newKey("live", NO_TAG))),
  nobody("a tool's session nobody opened", async () => bearer(TOOL_TOKEN_PREFIX + newToken())),
  nobody("a browser's session nobody opened", async () => browser(newToken())),
  nobody("a browser's session sent as bearer", async ({ home }) => bearer(home.owner.cookie)),
  nobody("a tool's session sent as cookie", async ({ home }) => browser(home.owner.token)),
  nobody("garbage as bearer beside a good cookie", async ({ home }) => ({
    ...browser(home.owner.cookie),
    ...bearer("garbage"),
  })),
  ...[true, false].flatMap((isBrowser) => [
    endedSession("an expired", isBrowser, "update sessions set expires_at = now() where user_id = $1"),
    endedSession(
      "an idle",
      isBrowser,
      "update sessions set last_seen_at = now() - interval '7 days' where user_id = $1",
    ),
    endedSession("a signed-out", isBrowser, "delete from sessions where user_id = $1"),
    endedSession("a disabled person's", isBrowser, "update users set disabled_at = now() where id = $1"),
  ]),
  nobody("a switch nobody added", async () => bearer(newSwitchCredential())),
  nobody("a switch's credential sent as cookie", async ({ service }) =>
    browser((await makeSwitch(service)).credential),
  ),
  endedKey("a revoked key", "update api_keys set revoked_at = now() where id = $1"),
  endedKey("an expired key", "update api_keys set expires_at = now() where id = $1"),
  endedKey(
    "a key taken away from its organisation",
    "delete from api_key_organisations where api_key_id = $1",
  ),
];

export const CALLER_CLASSES: readonly CallerClass[] = [...UNKNOWN, ...KNOWN];

/** Creates a class once if it is rejected: a rejected request uses up nothing of it. */
export function callerPool(neighbours: Neighbours): (one: CallerClass) => Promise<TestCaller> {
  const made = new Map<CallerClass, Promise<TestCaller>>();
  return (one) => {
    let caller = made.get(one);
    if (!caller) {
      caller = one.make(neighbours);
      made.set(one, caller);
    }
    return caller;
  };
}

function sessionClass(wish: SessionWish & { name: string }, isBrowser: boolean): CallerClass {
  return {
    name: `${wish.name}, ${isBrowser ? "in a browser" : "with a tool"}`,
    traits: {
      kind: "session",
      isBrowser,
      role: wish.role,
      isRecent: !wish.isStale,
      isOperator: Boolean(wish.isOperator),
    },
    async make(neighbours) {
      const { service, home, other } = neighbours;
      const memberships: Record<string, Role> = {};
      if (wish.role) memberships[home.organisationId] = wish.role;
      if (wish.isStranger || wish.isInSeveral) memberships[other.organisationId] = "owner";
      const person = await service.person(memberships);
      if (wish.isStale) await service.database.admin(STALE, [person.userId]);
      if (wish.isOperator)
        await service.database.admin("update users set is_operator = true where id = $1", [person.userId]);
      return {
        headers: {
          ...credentialOf(person, isBrowser),
          ...(wish.isOnTestSide && { "x-service-environment": "test" }),
          ...asking(neighbours),
        },
        holder: {
          organisationId: home.organisationId,
          environment: wish.isOnTestSide ? "test" : "live",
          person,
        },
      };
    },
  };
}

interface KeyWish {
  name: string;
  scopes: Scope[];
  environment?: "live" | "test";
  asksFor?: "live" | "test";
  isStranger?: true;
  isFromElsewhere?: true;
}

function keyClass({
  name,
  scopes,
  environment = "live",
  asksFor,
  isStranger,
  isFromElsewhere,
}: KeyWish): CallerClass {
  return {
    name,
    traits: {
      kind: "api_key",
      scopes,
      isStranger: Boolean(isStranger),
      isOnWrongSide: asksFor !== undefined && asksFor !== environment,
      isFromElsewhere: Boolean(isFromElsewhere),
    },
    async make(neighbours) {
      const { service, home, other } = neighbours;
      const maker = isStranger ? other : home;
      const key = await service.key(maker.owner, maker.organisationId, scopes, environment);
      if (isFromElsewhere)
        await service.database.admin(
          "update api_keys set allowed_networks = '{192.0.2.0/24}' where id = $1",
          [key.id],
        );
      return {
        headers: {
          ...bearer(key.secret),
          ...(asksFor && { "x-service-environment": asksFor }),
          ...asking(neighbours),
        },
        holder: holderOf(home, environment),
      };
    },
  };
}

function nobody(
  name: string,
  headersOf: (neighbours: Neighbours) => Promise<Record<string, string>>,
): CallerClass {
  return {
    name,
    traits: { kind: "nobody" },
    make: async (neighbours) => ({ headers: await headersOf(neighbours), holder: holderOf(neighbours.home) }),
  };
}

function endedSession(how: string, isBrowser: boolean, end: string): CallerClass {
  return nobody(
    `${how} session, ${isBrowser ? "in a browser" : "with a tool"}`,
    async ({ service, home }) => {
      const person = await service.person({ [home.organisationId]: "owner" });
      await service.database.admin(end, [person.userId]);
      return credentialOf(person, isBrowser);
    },
  );
}

function endedKey(name: string, end: string): CallerClass {
  return nobody(name, async ({ service, home }) => {
    const key = await service.key(home.owner, home.organisationId, ["full"]);
    await service.database.admin(end, [key.id]);
    return bearer(key.secret);
  });
}

function credentialOf(person: Person, isBrowser: boolean): Record<string, string> {
  return isBrowser ? browser(person.cookie) : bearer(person.token);
}

/** Always names the organisation: a caller who is not a member counts as a stranger. */
function asking({ home }: Neighbours): Record<string, string> {
  return { "x-service-org": home.organisationId };
}
