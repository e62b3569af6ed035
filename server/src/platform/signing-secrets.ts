import { macOf, type Secrets } from "./secrets.ts";

/** A secret that messages to a customer are signed with. Derived, so that there is nothing to steal from the database. */
export function signingSecret(
  secrets: Secrets,
  { purpose, owner, version }: { purpose: string; owner: string; version: number },
): string {
  return `whsec_${macOf(secrets.derive(purpose), `${owner}/${version}`).toString("base64")}`;
}

/** For how long a secret signs beside those that follow it, and how many may: each is a line more in every message. */
const OVERLAP_MS = 24 * 3_600_000;
const MOST_SECRETS = 10;

/** Until when the earlier secrets sign once there is another, the last one first. */
export function afterRotation(previousUntil: readonly Date[], now: Date): Date[] {
  const still = previousUntil.filter((until) => until > now);
  return [new Date(now.getTime() + OVERLAP_MS), ...still].slice(0, MOST_SECRETS - 1);
}

/** The versions of the secret that sign now, the newest first; that one until there is another. */
export function signingVersions(
  version: number,
  previousUntil: readonly Date[],
  now: Date,
): { version: number; until: Date | null }[] {
  const previous = previousUntil.map((until, at) => ({ version: version - 1 - at, until }));
  return [{ version, until: null }, ...previous.filter(({ until }) => until > now)];
}
