import { FIRST_FLEET_ROOT, macOf, type Secrets } from "./secrets.ts";

/** A secret that messages to a customer are signed with. Derived, so that there is nothing to steal from the database. */
export function signingSecret(secrets: Secrets, { purpose, owner, version, rootId }: SigningSecret): string {
  return `whsec_${macOf(secrets.of(purpose, rootId), `${owner}/${version}`).toString("base64")}`;
}

interface SigningSecret {
  purpose: "webhook-endpoint" | "routing-webhook";
  owner: string;
  version: number;
  rootId: number;
}

/** The secrets of an owner, as a row has them. */
export interface SigningRow {
  secret_version: number;
  /** How long each earlier secret still signs, the last one first. */
  previous_secrets_until: readonly Date[];
  /** Root keys of the secret and of those before it, newest first. */
  secret_roots: readonly number[];
}

/** Overlap of a secret with its successors, and the maximum number of active ones. Each adds a signature to every message. */
const OVERLAP_MS = 24 * 3_600_000;
const MOST_SECRETS = 10;

/** The next secret. Earlier ones keep signing for a while. */
export function afterRotation(
  { secret_version, previous_secrets_until, secret_roots }: SigningRow,
  rootId: number,
  now: Date,
): { secret_version: number; previous_secrets_until: Date[]; secret_roots: number[] } {
  const still = previous_secrets_until.filter((until) => until > now);
  const until = [new Date(now.getTime() + OVERLAP_MS), ...still].slice(0, MOST_SECRETS - 1);
  return {
    secret_version: secret_version + 1,
    previous_secrets_until: until,
    secret_roots: [rootId, ...until.map((_, at) => rootAt(secret_roots, at))],
  };
}

/** The previous version of the server adds secrets without naming a root key. They come from the first one. */
function rootAt(roots: readonly number[], at: number): number {
  return roots[at] ?? FIRST_FLEET_ROOT;
}

/** The versions of the secret that sign now, the newest first; that one until there is another. */
export function signingVersions(
  { secret_version: version, previous_secrets_until: previousUntil, secret_roots: roots }: SigningRow,
  now: Date,
): { version: number; rootId: number; until: Date | null }[] {
  const previous = previousUntil.map((until, at) => ({
    version: version - 1 - at,
    rootId: rootAt(roots, at + 1),
    until,
  }));
  return [{ version, rootId: rootAt(roots, 0), until: null }, ...previous.filter(({ until }) => until > now)];
}
