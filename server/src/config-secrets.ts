import { accessSync, constants, readFileSync } from "node:fs";
import type { DoorName } from "./platform/db/database.ts";
import type { MasterSecrets } from "./platform/master-secret.ts";
import { deriveKey } from "./platform/secrets.ts";
import type { SettingName } from "./settings.ts";

export class ConfigError extends Error {}

/** The password of a door's role, and the one before while MASTER_SECRET changes. `migrate` and `reseal` set it. */
export function rolePasswords(
  { current, previous }: MasterSecrets,
  door: DoorName,
): readonly [string, string?] {
  const passwordOf = (secret: string): string =>
    deriveKey(secret, `database-role/${door}`).export().toString("base64url");
  return [
    passwordOf(current),
    ...(previous === undefined ? ([] as const) : ([passwordOf(previous)] as const)),
  ];
}

/** In a file, one secret per line: the current one, then the previous one while it changes. */
export function readMasterSecrets(get: (name: SettingName) => string): MasterSecrets {
  const path = readableFile("MASTER_SECRET_FILE", get("MASTER_SECRET_FILE"));
  const [given, givenPrevious] = [get("MASTER_SECRET"), get("MASTER_SECRET_PREVIOUS")];
  if (path && (given || givenPrevious))
    throw new ConfigError("Set either MASTER_SECRET_FILE, or MASTER_SECRET and MASTER_SECRET_PREVIOUS.");
  if (!path && !given)
    throw new ConfigError(
      "MASTER_SECRET is not set: set it, or MASTER_SECRET_FILE. Generate one with: openssl rand -base64 48.",
    );
  const [name, lines] = path
    ? ["MASTER_SECRET_FILE" as const, readFileSync(path, "utf8").split("\n")]
    : ["MASTER_SECRET" as const, [given, givenPrevious]];
  const [current = "", previous, ...more] = lines.map((line) => line.trim()).filter(Boolean);
  if (more.length > 0)
    throw new ConfigError(
      `${name} has ${more.length + 2} secrets: the current one and the previous one are enough.`,
    );
  if (current === previous)
    throw new ConfigError(`${name}: the previous secret is the same as the current one. Remove it.`);
  return {
    current: strongSecret(name, current),
    previous: previous && strongSecret(path ? name : "MASTER_SECRET_PREVIOUS", previous),
  };
}

/** Rejects what people type when a field is in the way. */
function strongSecret(name: SettingName, secret: string): string {
  const bytes = Buffer.from(secret, /^[0-9a-f]+$/i.test(secret) ? "hex" : "base64");
  if (bytes.length < 32)
    throw new ConfigError(`${name} is too short: 32 random bytes at least (openssl rand -base64 48).`);
  if (new Set(bytes).size < 16 || /change.?me|secret|password|example|default/i.test(secret)) {
    throw new ConfigError(`${name} is not random. Generate one with: openssl rand -base64 48.`);
  }
  return secret;
}

export function readableFile(name: SettingName, path: string): string | undefined {
  if (!path) return undefined;
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    throw new ConfigError(`${name}: the file ${path} cannot be read.`);
  }
}
