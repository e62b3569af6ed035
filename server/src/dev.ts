import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readConfig } from "./config.ts";
import { startPrivateCluster } from "./platform/db/private-cluster.ts";
import { migrateDatabase, startServer } from "./start.ts";

const DIRECTORY = ".dev";
const SECRET_FILE = `${DIRECTORY}/master-secret`;

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
  console.log(`First operator, from another terminal:\n  ${operatorCommand(config.baseUrl, cluster.url)}`);
  const stop = (): void => {
    void server
      .stop()
      .then(() => cluster[Symbol.asyncDispose]())
      .then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

/** Names the file of the secret, not the secret: terminals are recorded. */
function operatorCommand(baseUrl: string, databaseUrl: string): string {
  const settings = [
    "DIALPLANE_MODE=development",
    `BASE_URL=${baseUrl}`,
    `MASTER_SECRET="$(cat ${SECRET_FILE})"`,
    `DATABASE_URL=${databaseUrl}`,
  ];
  return `${settings.join(" ")} npm run operator -- grant you@example.com`;
}

function keptSecret(): string {
  if (!existsSync(SECRET_FILE))
    writeFileSync(SECRET_FILE, randomBytes(48).toString("base64"), { mode: 0o600 });
  return readFileSync(SECRET_FILE, "utf8");
}
