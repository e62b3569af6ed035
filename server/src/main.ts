import { ARCHIVE_USAGE, runArchiveCommand } from "./archive-commands.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { runDev } from "./dev.ts";
import { runDoctor } from "./doctor.ts";
import { EPOCHS_USAGE, runEpochsCommand } from "./epochs-commands.ts";
import { RESTORE_USAGE, runRestoreCommand } from "./restore-commands.ts";
import { runOperator } from "./operator.ts";
import { ROOT_KEYS_USAGE, runReseal, runRootsCommand } from "./root-keys-commands.ts";
import { runSavedStatesCommand, SAVED_STATES_USAGE } from "./saved-states-commands.ts";
import { describePlan, planMigration } from "./platform/db/migration-plan.ts";
import { migrateDatabase, type ProcessRole, startServer } from "./start.ts";

const USAGE = `Usage: node server/src/main.ts <command>

  api | worker | all   run the API and the worker, or one of them
  migrate              bring the database to the newest schema
  migrate --plan       run the same, show times and locks, and roll everything back
  doctor               check the invariants on the database
  operator …           grant or revoke operator access, manage organisations and switches
${EPOCHS_USAGE}
${SAVED_STATES_USAGE}
${RESTORE_USAGE}
${ROOT_KEYS_USAGE}
${ARCHIVE_USAGE}
  dev                  run everything on a private PostgreSQL

Settings are environment variables. See docs/configuration.md.`;

/** Longer than the announced drain and the drain together; an orchestrator waits 30 s. */
const HARD_STOP_MS = 25_000;

async function main([command = "", ...rest]: string[]): Promise<number | undefined> {
  switch (command) {
    case "api":
    case "worker":
    case "all":
      await serve(command);
      return undefined;
    case "migrate": {
      if (rest[0] === "--plan") return runPlan(readConfig());
      const done = await migrateDatabase(readConfig());
      console.log(done.length === 0 ? "The schema is up to date." : `Applied ${done.join(", ")}.`);
      return 0;
    }
    case "doctor":
      return runDoctor(readConfig());
    case "epochs":
    case "new-epoch":
    case "resolve-epoch":
      return runEpochsCommand(readConfig(), command, rest[0]);
    case "saved-states":
    case "request-state":
    case "show-state":
      return runSavedStatesCommand(readConfig(), command, rest[0]);
    case "restore":
      return runRestoreCommand(readConfig(), rest);
    case "archive":
      return runArchiveCommand(readConfig(), rest);
    case "reseal":
      return runReseal(readConfig());
    case "roots":
      return runRootsCommand(readConfig(), rest);
    case "operator":
      return runOperator(readConfig(), rest);
    case "dev":
      await runDev();
      return undefined;
    default:
      console.error(USAGE);
      return 2;
  }
}

async function runPlan(config: Config): Promise<number> {
  for (const line of describePlan(await planMigration(config.database.ownerUrl))) console.log(line);
  return 0;
}

async function serve(role: ProcessRole): Promise<void> {
  const server = await startServer(readConfig(), role);
  let isStopping = false;
  const stop = (code: number): void => {
    if (isStopping) process.exit(1); // asked twice: at once
    isStopping = true;
    setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
    server.stop().then(
      () => process.exit(code),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", () => stop(0));
  process.on("SIGINT", () => stop(0));
  process.on("uncaughtException", (error) => {
    server.app.log.fatal({ err: error }, "stopping after an uncaught error");
    stop(1);
  });
}

try {
  const code = await main(process.argv.slice(2));
  if (code !== undefined) process.exit(code);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
