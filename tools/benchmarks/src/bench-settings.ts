import { randomBytes } from "node:crypto";
import type { Settings } from "@dialplane/server/config";
import { freePort } from "@dialplane/server/private-cluster";

export const DATABASE_CONNECTIONS = 8;

/**
 * Settings that all API processes of a run share. The measured database role gets as many connections as
 * pgbench.
 */
export function settingsOf(databaseUrl: string): Settings {
  const out = "1000000000";
  return {
    DIALPLANE_MODE: "development",
    METRICS_PORT: "0",
    MASTER_SECRET: randomBytes(48).toString("base64"),
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: "error",
    ANNOUNCE_DRAIN_SECONDS: "0",
    LIMIT_REQUESTS_PER_SECOND: out,
    LIMIT_REQUEST_BURST: out,
    LIMIT_WRITES_PER_SECOND: out,
    LIMIT_FLOOD_PER_SECOND: out,
    ...addressOf("1"),
  };
}

/** Settings for measuring requests of organisations. */
export async function organisationSettings(common: Settings): Promise<Settings> {
  const address = addressOf(String(await freePort()));
  const connections = String(DATABASE_CONNECTIONS);
  return {
    ...common,
    ...address,
    DATABASE_CONNECTIONS: connections,
    DATABASE_CONNECTIONS_PER_ORGANISATION: connections,
    DATABASE_WRITES_PER_ORGANISATION: connections,
  };
}

/** Settings for measuring the caller's own requests, which get half of the connections. */
export async function callerSettings(common: Settings): Promise<Settings> {
  const address = addressOf(String(await freePort()));
  return { ...common, ...address, DATABASE_CONNECTIONS: String(DATABASE_CONNECTIONS * 2) };
}

/** Thousands of small transactions need not each reach the disk while nothing is measured. */
export function inAHurry(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-csynchronous_commit=off");
  return url.href;
}

function addressOf(port: string): Settings {
  return { BASE_URL: `http://127.0.0.1:${port}`, PORT: port };
}
