import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readConfig } from "./config.ts";
import { startPrivateCluster } from "./platform/db/private-cluster.ts";
import { migrateDatabase, startServer } from "./start.ts";

const DIRECTORY = ".dev";

/** API and worker on a database that stays between runs, in a folder git does not see. */
export async function runDev(): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true });
  const cluster = await startPrivateCluster({ directory: `${process.cwd()}/${DIRECTORY}/postgres` });
  const config = readConfig({
    DIALPLANE_MODE: "development",
    BASE_URL: "http://127.0.0.1:8080",
    LOG_LEVEL: "info",
    MAIL_DIRECTORY: `${DIRECTORY}/mail`,
    MASTER_SECRET: keptSecret(),
    ANNOUNCE_DRAIN_SECONDS: "0",
    DATABASE_URL: cluster.url,
  });
  await migrateDatabase(config);
  const server = await startServer(config, "all");
  console.log(
    `Dialplane is at ${server.url}, its documentation at ${server.url}/docs, its mail in ${DIRECTORY}/mail.`,
  );
  console.log(`First operator: DATABASE_URL=${cluster.url} … see CONTRIBUTING.md.`);
  const stop = (): void => {
    void server
      .stop()
      .then(() => cluster[Symbol.asyncDispose]())
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

function keptSecret(): string {
  const file = `${DIRECTORY}/master-secret`;
  if (!existsSync(file)) writeFileSync(file, randomBytes(48).toString("base64"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}
