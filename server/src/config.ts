import { type CarrierSettings, SETTING_CARRIERS } from "./numbers/carriers/carriers.ts";
import { type ForwardPrefix, readForwardPrefixes } from "./numbers/routing/routing.destinations.ts";
import { type DoorName, roleOf } from "./platform/db/database.ts";
import type { StatementMode } from "./platform/db/statement-name.ts";
import { firstHostUrl } from "./platform/db/primary-socket.ts";
import { type Login, loginOf } from "./platform/db/door-login.ts";
import { type EgressRules, readEgress } from "./platform/egress-rules.ts";
import { isNetwork } from "./platform/networks.ts";
import type { MasterSecrets } from "./platform/master-secret.ts";
import { ConfigError, readableFile, readMasterSecrets, rolePasswords } from "./config-secrets.ts";
import { readRetention, type RetentionSettings } from "./config-retention.ts";
import { type Setting, type SettingName, SETTINGS, type Settings } from "./settings.ts";

export { ConfigError };
export type { Settings };

/** Everything that can be set from outside. Read here and nowhere else, checked before anything starts. */
export interface Config extends RetentionSettings {
  mode: "production" | "development";
  baseUrl: string;
  listen: { host: string; port: number };
  metrics: { host: string; port: number };
  database: {
    ownerUrl: string;
    loginOf(door: DoorName): Login;
    /** Without the pooler, for connections that need a session: LISTEN, leadership and long statements. */
    directLoginOf(door: DoorName): Login;
    statements: StatementMode;
    connections: Record<DoorName, number>;
    connectionsPerOrganisation: number;
    writesPerOrganisation: number;
  };
  masterSecrets: MasterSecrets;
  operatorSecondFactor: "required" | "optional";
  breachedPasswordsFile: string | undefined;
  apiKeyPepperVersion: number;
  trustedProxies: string[];
  mail: { from: string; smtpUrl: string | undefined; directory: string };
  limits: LimitSettings;
  /** Allowed addresses of customers' targets. */
  egress: EgressRules;
  forwardPrefixes: ForwardPrefix[];
  carriers: CarrierSettings;
  feedPollMs: number;
  /**
   * Behaviour of switches after a rollback: load the older state at once, or keep theirs until an operator
   * decides.
   */
  rollbackPolicy: "resync" | "hold" | "restore";
  quarantineDays: number;
  /** How long an order waits for evidence. */
  requirementDays: number;
  simulatedCallsPerHour: number;
  drainSeconds: number;
  announceDrainSeconds: number;
  logLevel: string;
}

export interface LimitSettings {
  /** Among how many API replicas the in-memory limits are divided. */
  replicas: number;
  requestsPerSecond: number;
  requestBurst: number;
  writesPerSecond: number;
  floodPerSecond: number;
  signInsPerMinute: number;
  /** From one address: challenges for passkeys and identity providers, which a whole office may need at nine o'clock. */
  challengesPerMinute: number;
  invitationsPerDay: number;
  ordersPerSecond: number;
  orderedNumbersPerDay: number;
}

export function readConfig(given: Settings = process.env): Config {
  const get = (name: SettingName): string => valueOf(given, name);
  const mode = oneOf("DIALPLANE_MODE", get("DIALPLANE_MODE"), ["production", "development"]);
  const masterSecrets = readMasterSecrets(get);
  const smtpUrl = get("SMTP_URL") || undefined;
  if (mode === "production" && !smtpUrl)
    throw new ConfigError("SMTP_URL is required in production: users sign up by email.");

  return {
    mode,
    baseUrl: publicUrl(get("BASE_URL"), mode),
    listen: { host: get("HOST"), port: port("PORT", get("PORT")) },
    metrics: { host: get("METRICS_HOST"), port: port("METRICS_PORT", get("METRICS_PORT")) },
    database: database(get, masterSecrets),
    masterSecrets,
    apiKeyPepperVersion: positive("API_KEY_PEPPER_VERSION", get("API_KEY_PEPPER_VERSION")),
    trustedProxies: networks("TRUSTED_PROXIES", get("TRUSTED_PROXIES")),
    mail: { from: get("MAIL_FROM"), smtpUrl, directory: get("MAIL_DIRECTORY") },
    limits: limits(get),
    carriers: carriers(get, mode),
    operatorSecondFactor: oneOf("OPERATOR_SECOND_FACTOR", get("OPERATOR_SECOND_FACTOR"), [
      "required",
      "optional",
    ]),
    breachedPasswordsFile: readableFile("BREACHED_PASSWORDS_FILE", get("BREACHED_PASSWORDS_FILE")),
    egress: readBy("EGRESS_ALLOW", get("EGRESS_ALLOW"), readEgress),
    forwardPrefixes: readBy("FORWARD_PREFIXES", get("FORWARD_PREFIXES"), readForwardPrefixes),
    feedPollMs: positive("FEED_POLL_MS", get("FEED_POLL_MS")),
    rollbackPolicy: oneOf("ROLLBACK_POLICY", get("ROLLBACK_POLICY"), ["resync", "hold", "restore"]),
    quarantineDays: positive("QUARANTINE_DAYS", get("QUARANTINE_DAYS")),
    requirementDays: positive("REQUIREMENT_DAYS", get("REQUIREMENT_DAYS")),
    ...readRetention({ get, atLeast }),
    simulatedCallsPerHour: notNegative(
      "SIMULATED_CALLS_PER_HOUR",
      get("SIMULATED_CALLS_PER_HOUR"),
      "0 or more",
    ),
    ...drain(
      seconds("DRAIN_SECONDS", get("DRAIN_SECONDS")),
      seconds("ANNOUNCE_DRAIN_SECONDS", get("ANNOUNCE_DRAIN_SECONDS")),
    ),
    logLevel: oneOf("LOG_LEVEL", get("LOG_LEVEL"), ["trace", "debug", "info", "warn", "error", "silent"]),
  };
}

function database(get: (name: SettingName) => string, masterSecrets: MasterSecrets): Config["database"] {
  const databaseUrl = postgresUrl("DATABASE_URL", get("DATABASE_URL"));
  const poolerUrl = get("DATABASE_POOLER_URL")
    ? postgresUrl("DATABASE_POOLER_URL", get("DATABASE_POOLER_URL"))
    : databaseUrl;
  const connections = positive("DATABASE_CONNECTIONS", get("DATABASE_CONNECTIONS"));
  return {
    ownerUrl: databaseUrl,
    loginOf: (door) => loginOf(poolerUrl, roleOf(door), rolePasswords(masterSecrets, door)),
    directLoginOf: (door) => loginOf(databaseUrl, roleOf(door), rolePasswords(masterSecrets, door)),
    statements: oneOf("DATABASE_POOLER_STATEMENTS", get("DATABASE_POOLER_STATEMENTS"), ["named", "unnamed"]),
    connections: {
      organisation: connections,
      caller: Math.ceil(connections / 2),
      switch: Math.ceil(connections / 2),
      system: Math.ceil(connections / 2),
    },
    ...shares(connections, get),
  };
}

function carriers(get: (name: SettingName) => string, mode: Config["mode"]): CarrierSettings {
  const ordering = oneOf("ORDERING", get("ORDERING"), SETTING_CARRIERS);
  const inventory = oneOf("INVENTORY", get("INVENTORY"), ["none", ...SETTING_CARRIERS]);
  const apiKey = get("TELNYX_API_KEY");
  if (!apiKey && [ordering, inventory].includes("telnyx"))
    throw new ConfigError("TELNYX_API_KEY is required if ORDERING or INVENTORY is telnyx.");
  const url = get("TELNYX_URL");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    throw new ConfigError("TELNYX_URL must be an http(s) address.");
  if (mode === "production" && !url.startsWith("https:"))
    throw new ConfigError("TELNYX_URL must be https in production: the key is sent there.");
  return { ordering, inventory, telnyx: apiKey ? { url, apiKey } : undefined };
}

/** Together they must fit into the time after which a stopping process is ended in any case. */
function drain(
  drainSeconds: number,
  announceDrainSeconds: number,
): Pick<Config, "drainSeconds" | "announceDrainSeconds"> {
  if (drainSeconds + announceDrainSeconds > 24)
    throw new ConfigError("DRAIN_SECONDS plus ANNOUNCE_DRAIN_SECONDS must be 24 seconds at most.");
  return { drainSeconds, announceDrainSeconds };
}

function valueOf(given: Settings, name: SettingName): string {
  const setting: Setting = SETTINGS.find((one) => one.name === name)!;
  const value = given[name]?.trim() || setting.fallback;
  if (value === undefined) throw new ConfigError(`${name} is not set: ${setting.what}`);
  return value;
}

function publicUrl(text: string, mode: Config["mode"]): string {
  const url = URL.parse(text);
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new ConfigError("BASE_URL must be an http(s) address.");
  if (url.username || url.password || url.search || url.hash)
    throw new ConfigError("BASE_URL must not contain a user, a query or a fragment.");
  if (mode === "production" && url.protocol !== "https:")
    throw new ConfigError("BASE_URL must be https in production.");
  return text.replace(/\/+$/, "");
}

function postgresUrl(name: SettingName, text: string): string {
  if (!URL.parse(firstHostUrl(text))?.protocol.startsWith("postgres"))
    throw new ConfigError(
      `${name} must look like postgres://user@host:5432/database, or name several hosts: host1:5432,host2:5432.`,
    );
  return text;
}

function readBy<Value>(name: SettingName, text: string, read: (text: string) => Value): Value {
  try {
    return read(text);
  } catch (error) {
    throw new ConfigError(`${name}: ${(error as Error).message}`);
  }
}

/** Share of a process's connections that one organisation can use. */
function shares(
  connections: number,
  get: (name: SettingName) => string,
): Pick<Config["database"], "connectionsPerOrganisation" | "writesPerOrganisation"> {
  const share = "DATABASE_CONNECTIONS_PER_ORGANISATION";
  const writes = "DATABASE_WRITES_PER_ORGANISATION";
  return {
    connectionsPerOrganisation: get(share) ? positive(share, get(share)) : Math.ceil(connections / 2),
    writesPerOrganisation: positive(writes, get(writes)),
  };
}

function limits(get: (name: SettingName) => string): LimitSettings {
  return {
    replicas: positive("REPLICAS", get("REPLICAS")),
    requestsPerSecond: positive("LIMIT_REQUESTS_PER_SECOND", get("LIMIT_REQUESTS_PER_SECOND")),
    requestBurst: positive("LIMIT_REQUEST_BURST", get("LIMIT_REQUEST_BURST")),
    writesPerSecond: positive("LIMIT_WRITES_PER_SECOND", get("LIMIT_WRITES_PER_SECOND")),
    floodPerSecond: positive("LIMIT_FLOOD_PER_SECOND", get("LIMIT_FLOOD_PER_SECOND")),
    ...signInLimits(positive("LIMIT_SIGN_INS_PER_MINUTE", get("LIMIT_SIGN_INS_PER_MINUTE"))),
    invitationsPerDay: positive("LIMIT_INVITATIONS_PER_DAY", get("LIMIT_INVITATIONS_PER_DAY")),
    ordersPerSecond: positive("LIMIT_ORDERS_PER_SECOND", get("LIMIT_ORDERS_PER_SECOND")),
    orderedNumbersPerDay: positive("LIMIT_ORDERED_NUMBERS_PER_DAY", get("LIMIT_ORDERED_NUMBERS_PER_DAY")),
  };
}

function signInLimits(
  signInsPerMinute: number,
): Pick<LimitSettings, "signInsPerMinute" | "challengesPerMinute"> {
  return { signInsPerMinute, challengesPerMinute: 6 * signInsPerMinute };
}

function positive(name: SettingName, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new ConfigError(`${name} must be a whole number above 0, not “${text}”.`);
  return value;
}

function atLeast(least: number, name: SettingName, text: string): number {
  const value = positive(name, text);
  if (value < least) throw new ConfigError(`${name} must be ${least} or more, not “${text}”.`);
  return value;
}

function seconds(name: SettingName, text: string): number {
  return notNegative(name, text, "a number of seconds");
}

function notNegative(name: SettingName, text: string, what: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new ConfigError(`${name} must be ${what}, not “${text}”.`);
  return value;
}

function networks(name: SettingName, text: string): string[] {
  const given = text
    .split(",")
    .map((network) => network.trim())
    .filter(Boolean);
  const bad = given.find((network) => !isNetwork(network));
  if (bad !== undefined)
    throw new ConfigError(`${name} must be networks such as 192.0.2.0/24, not “${bad}”.`);
  return given;
}

function port(name: SettingName, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new ConfigError(`${name} must be a port, not “${text}”.`);
  return value;
}

function oneOf<const Value extends string>(name: SettingName, text: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === text);
  if (!found) throw new ConfigError(`${name} must be one of ${values.join(", ")}, not “${text}”.`);
  return found;
}
