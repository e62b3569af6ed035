import { hash, verify } from "@node-rs/argon2";
import { dictionary } from "@zxcvbn-ts/language-common";
import type { App } from "../../app.ts";
import { ApiError } from "../../platform/api-error.ts";
import { isBreached } from "./users.breached.ts";
import { contextWords, isGuessable, isMadeOfWords, MIN_PASSWORD_LENGTH } from "./users.rules.ts";

/** OWASP's first choice for argon2id. Raising these rehashes each password at its next sign-in. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const MARK = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

export function needsRehash(passwordHash: string): boolean {
  return !passwordHash.startsWith(MARK);
}

/** Takes as long for an account that does not exist, or has no password yet, as for one that does. */
export async function isPasswordOf(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= hashPassword("no account has this password");
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && Boolean(passwordHash);
}

/** Before a password is taken: at an invitation, a change and a reset. */
export async function rejectGuessable(
  { config }: Pick<App, "config">,
  { password, email, field }: { password: string; email: string; field: string },
): Promise<void> {
  known ??= new Set(dictionary["passwords-common"].map((word) => word.toLowerCase()));
  const faults = [{ pointer: `#/${field}`, code: "too_weak", detail: "Too short or too common." }];
  if (isGuessable(password, email, known) || isMadeOfWords(password, contextWords(config.baseUrl, email)))
    throw new ApiError(
      "password_too_weak",
      `Use at least ${MIN_PASSWORD_LENGTH} characters that are hard to guess.`,
      { errors: faults },
    );
  const file = config.breachedPasswordsFile;
  if (file && (await isBreached(file, password)))
    throw new ApiError(
      "password_too_weak",
      "This password appears in a known data breach. Choose one that you use nowhere else.",
      { errors: faults },
    );
}

let known: Set<string> | undefined;
let decoy: Promise<string> | undefined;
