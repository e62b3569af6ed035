import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "./app.ts";
import type { Config } from "./config.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import {
  addRootKeys,
  listRootKeys,
  moveSealedSecrets,
  retireRootKey,
  ROOT_KINDS,
  type RootKeyStatus,
} from "./people/root-keys/root-keys.rotation.ts";
import { ApiError } from "./platform/api-error.ts";
import type { RootKind } from "./platform/secrets.ts";
import { openApp, resealDatabase } from "./start.ts";

const AUTHOR = systemAuthor("server command");
const WAIT_MS = 1_000;

export const ROOT_KEYS_USAGE = `  reseal               seal the root keys under the current MASTER_SECRET, and set the passwords of database roles
  roots status         list the root keys, and what still depends on each
  roots rotate [kind]  add a fleet key and a cell key, or one of them, and use them for everything new
  roots retire <id> [--end-remaining]
                       delete an old root key; with the option, end what still depends on it`;

export async function runReseal(config: Config): Promise<number> {
  const { count, known } = await resealDatabase(config);
  console.log(
    count === 0
      ? "Every root key is sealed under the current MASTER_SECRET. The passwords of the database roles are set."
      : `${count} root keys are sealed under the current MASTER_SECRET now. The passwords of the database roles are set.`,
  );
  if (config.masterSecrets.previous !== undefined)
    console.log("You can remove the previous secret from the settings and restart the service.");
  if (known.length > 0)
    console.log(
      `Root keys ${known.join(" and ")} still have the value of an earlier MASTER_SECRET: anyone who knows it can derive other secrets. Run dialplane-server roots rotate, then retire these keys.`,
    );
  return 0;
}

/** Needs access to the server itself. */
export async function runRootsCommand(config: Config, [command, ...rest]: string[]): Promise<number> {
  const wanted = wishOf(command, rest);
  if (!wanted) {
    console.error(`Usage:\n\n${ROOT_KEYS_USAGE}`);
    return 2;
  }
  const app = await openApp(config);
  try {
    await wanted({ ...app, master: config.masterSecrets });
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await app.close();
  }
}

type Needs = App & { master: Config["masterSecrets"] };

function wishOf(
  command: string | undefined,
  rest: readonly string[],
): ((app: Needs) => Promise<void>) | undefined {
  const [first, ...more] = rest;
  if (command === "status" && rest.length === 0) return printStatus;
  if (command === "rotate" && more.length === 0 && (first === undefined || isKind(first)))
    return (app) => rotate(app, first === undefined ? ROOT_KINDS : [first]);
  if (command === "retire" && /^[1-9]\d*$/.test(first ?? "") && isOption(more))
    return (app) => retire(app, Number(first), more.length > 0);
  return undefined;
}

const isKind = (text: string): text is RootKind => (ROOT_KINDS as readonly string[]).includes(text);
const isOption = (more: readonly string[]): boolean =>
  more.length === 0 || (more.length === 1 && more[0] === "--end-remaining");

async function rotate(app: Needs, kinds: readonly RootKind[]): Promise<void> {
  const ids = await addRootKeys(app, AUTHOR, kinds);
  console.log(`Added root keys ${ids.join(" and ")}. They are used as soon as every process has read them.`);
  for (;;) {
    const added = (await listRootKeys(app)).filter(({ id }) => ids.includes(id));
    const isRead = kinds.every((kind) => ids.includes(app.secrets.current(purposeOf(kind)).rootId));
    if (isRead && added.every(({ state }) => state === "current")) break;
    await sleep(WAIT_MS);
  }
  const moved = await moveSealedSecrets(app);
  console.log(
    `They are in use. Moved the client secrets of ${moved.identityProviders} identity providers, the credentials of ${moved.carriers} carriers, the passwords of ${moved.trunkRevisions} trunk revisions and the keys of ${moved.documents} documents.`,
  );
  await printStatus(app);
}

const purposeOf = (kind: RootKind) =>
  kind === "fleet" ? ("identity-provider-secret" as const) : ("switch-credential" as const);

async function retire(app: Needs, id: number, isEndingRemaining: boolean): Promise<void> {
  const remaining = await retireRootKey(app, AUTHOR, id, { isEndingRemaining });
  const ended = isEndingRemaining ? countsOf(remaining) : "";
  console.log(`Root key ${id} is retired.${ended && ` Ended: ${ended}.`}`);
}

async function printStatus(app: Pick<App, "db">): Promise<void> {
  for (const row of await listRootKeys(app)) console.log(lineOf(row));
}

function lineOf({ id, kind, state, created_at, sealed_under, remaining }: RootKeyStatus): string {
  const known = [String(id).padStart(3), kind.padEnd(5), state.padEnd(8), created_at.toISOString()];
  const sealed = sealed_under ? `sealed under ${sealed_under}` : "deleted";
  const left = state === "retired" ? "" : countsOf(remaining);
  return [...known, sealed, ...(left ? [left] : [])].join("  ");
}

function countsOf(remaining: RootKeyStatus["remaining"]): string {
  return Object.entries(remaining)
    .filter(([what, count]) => what !== "root_id" && count > 0)
    .map(([what, count]) => `${count} ${what.replaceAll("_", " ")}`)
    .join(", ");
}
