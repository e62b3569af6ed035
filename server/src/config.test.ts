import { randomBytes } from "node:crypto";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rolePasswords } from "./config-secrets.ts";
import { ConfigError, readConfig, type Settings } from "./config.ts";
import { SETTINGS } from "./settings.ts";

const GOOD: Settings = {
  BASE_URL: "https://numbers.example.com/",
  MASTER_SECRET: randomBytes(48).toString("base64"),
  DATABASE_URL: "postgres://owner:pw@db.example.com:5432/dialplane",
  SMTP_URL: "smtps://user:pw@mail.example.com",
};

function errorOf(changes: Settings): string {
  try {
    readConfig({ ...GOOD, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
}

test("with the four settings that have no default it starts for production", () => {
  const config = readConfig(GOOD);

  expect(config).toMatchObject({
    mode: "production",
    baseUrl: "https://numbers.example.com",
    listen: { host: "127.0.0.1", port: 8080 },
    logLevel: "info",
  });
});

test.each(["BASE_URL", "MASTER_SECRET", "DATABASE_URL", "SMTP_URL"] as const)(
  "without %s it does not start, and says what is missing",
  (name) => {
    expect(errorOf({ [name]: "" })).toMatch(new RegExp(`^${name} `));
  },
);

describe("settings that are wrong", () => {
  test.each([
    ["nothing but a word", "changeme"],
    ["a short one", randomBytes(31).toString("base64")],
    ["a short one in hex", randomBytes(31).toString("hex")],
    ["one sign again and again", "A".repeat(64)],
    ["zeros", "0".repeat(64)],
    ["two bytes in turn", "ab12".repeat(24)],
    ["an example with letters after it", `change-me-${randomBytes(48).toString("base64")}`],
    ["the word secret in it", `secret${randomBytes(48).toString("base64")}`],
    ["the word password in it", `${randomBytes(48).toString("base64")}password`],
    ["the default of somebody's example", `default${randomBytes(48).toString("base64")}`],
  ])("CF-01 rejects a master secret that is %s, without repeating it", (_what, secret) => {
    const message = errorOf({ MASTER_SECRET: secret });

    expect(message).toMatch(/^MASTER_SECRET is (too short|not random)/);
    expect(message).not.toContain(secret);
  });

  test("CF-01 32 random bytes are enough, in either spelling", () => {
    for (const encoding of ["base64", "hex"] as const)
      expect(errorOf({ MASTER_SECRET: randomBytes(32).toString(encoding) })).toBe("");
  });

  test("CF-01 production is reached by https or not at all", () => {
    expect(errorOf({ BASE_URL: "http://numbers.example.com" })).toMatch(
      /^BASE_URL must be https in production/,
    );
    expect(errorOf({ BASE_URL: "http://numbers.example.com", DIALPLANE_MODE: "development" })).toBe("");
  });

  test.each([
    ["BASE_URL", "ftp://numbers.example.com"],
    ["BASE_URL", "numbers.example.com"],
    ["BASE_URL", "https://numbers.example.com/api?x=1"],
    ["BASE_URL", "https://user:pw@numbers.example.com"],
    ["DATABASE_URL", "mysql://db.example.com/dialplane"],
    ["DATABASE_POOLER_URL", "db.example.com"],
    ["DIALPLANE_MODE", "prod"],
    ["LOG_LEVEL", "loud"],
    ["CALL_RECORDS_MONTHS", "13"],
    ["CALL_PARTIES_DAYS", "0"],
    ["PORT", "70000"],
    ["PORT", "http"],
    ["DATABASE_CONNECTIONS", "0"],
    ["REPLICAS", "1.5"],
    ["LIMIT_REQUESTS_PER_SECOND", "many"],
    ["LIMIT_SIGN_INS_PER_MINUTE", "-10"],
    ["DRAIN_SECONDS", "soon"],
    ["ANNOUNCE_DRAIN_SECONDS", "-1"],
    ["TRUSTED_PROXIES", "192.0.2.0/33"],
    ["TRUSTED_PROXIES", "everybody"],
    ["ORDERING", "none"],
    ["INVENTORY", "acme"],
    ["TELNYX_URL", "api.telnyx.com"],
    ["TELNYX_URL", "http://api.telnyx.com"],
  ] as const)("CF-01 rejects %s=%s by name", (name, value) => {
    expect(errorOf({ [name]: value })).toMatch(new RegExp(`^${name} `));
  });
});

test("CF-02 trusts X-Forwarded-For only from the configured networks", () => {
  expect(readConfig(GOOD).trustedProxies).toEqual([]);
  expect(readConfig({ ...GOOD, TRUSTED_PROXIES: " 192.0.2.0/24, 2001:db8::/32 " }).trustedProxies).toEqual([
    "192.0.2.0/24",
    "2001:db8::/32",
  ]);
  expect(SETTINGS.find(({ name }) => name === "TRUSTED_PROXIES")).toMatchObject({ fallback: "" });
});

test("live numbers are ordered from the pool unless Telnyx is named, which takes a key", () => {
  expect(readConfig(GOOD).carriers).toEqual({ ordering: "pool", inventory: "none", telnyx: undefined });
  for (const name of ["ORDERING", "INVENTORY"] as const)
    expect(errorOf({ [name]: "telnyx" })).toMatch(/^TELNYX_API_KEY is required/);
  expect(readConfig({ ...GOOD, ORDERING: "telnyx", TELNYX_API_KEY: "KEY1" }).carriers).toEqual({
    ordering: "telnyx",
    inventory: "none",
    telnyx: { url: "https://api.telnyx.com", apiKey: "KEY1" },
  });
});

test("signs each pool in with its own role and a derived password", () => {
  const { database, masterSecrets } = readConfig(GOOD);
  const logins = (["organisation", "caller", "switch", "system"] as const).map(database.loginOf);

  expect(logins.map(({ user }) => user)).toEqual([
    "dialplane_organisation",
    "dialplane_caller",
    "dialplane_switch",
    "dialplane_system",
  ]);
  expect(new Set(logins.map(({ password }) => password)).size).toBe(4);
  expect(logins[0]!.password).toBe(rolePasswords(masterSecrets, "organisation")[0]);
  expect(logins[0]).toMatchObject({ host: "db.example.com", port: 5432 });
  expect(database.ownerUrl).toBe(GOOD.DATABASE_URL);
});

test("another master secret makes other passwords", () => {
  const other = readConfig({ ...GOOD, MASTER_SECRET: randomBytes(48).toString("base64") });

  expect(other.database.loginOf("caller").password).not.toBe(
    readConfig(GOOD).database.loginOf("caller").password,
  );
});

test("the master secret can be in a file, with the one before it on the second line", () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "dialplane-config-"));
  const path = join(folder.path, "master-secret");
  const { MASTER_SECRET: current, ...others } = GOOD;
  const previous = randomBytes(48).toString("base64");
  const read = (text: string): unknown => {
    writeFileSync(path, text);
    return readConfig({ ...others, MASTER_SECRET_FILE: path }).masterSecrets;
  };

  expect(read(`${current}\n`)).toEqual({ current, previous: undefined });
  expect(read(`${current}\n${previous}\n`)).toEqual({ current, previous });
  expect(readConfig({ ...GOOD, MASTER_SECRET_PREVIOUS: previous }).masterSecrets).toEqual({
    current,
    previous,
  });
  expect(() => read(`${current}\nchangeme\n`)).toThrow(/^MASTER_SECRET_FILE is too short/);
  expect(() => read(`${current}\n${previous}\n${previous}\n`)).toThrow(/has 3 secrets/);
  expect(() => read(`${current}\n${current}\n`)).toThrow(/the same as the current one/);
  expect(() => read("")).toThrow(/^MASTER_SECRET_FILE is too short/);
  expect(errorOf({ MASTER_SECRET_FILE: path })).toMatch(/^Set either MASTER_SECRET_FILE, or/);
});
