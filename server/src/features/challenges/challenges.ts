import { Type } from "typebox";
import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { oneTimeToken, readToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { NO_TAG } from "../../platform/tags.ts";
import { findHomeTag } from "../users/users.ts";
import {
  type ChallengeRow,
  deleteChallenge,
  deleteChallengesBefore,
  deleteChallengesOf,
  findChallenge,
  insertChallenge,
} from "./challenges.store.ts";

/** A sign-in that is half done. */
export type Challenge = ChallengeRow;

/** What a challenge is for; one made for one purpose is worthless for another. */
type Purpose = "second_factor" | "passkey" | "passkey_registration" | "provider";

type Needs = Pick<App, "config" | "secrets" | "clock">;

/** As long as it takes to find the telephone, and not much longer. */
const CHALLENGE_MS = 5 * 60_000;

/** As a field of the requests that finish a sign-in. */
export const ChallengeToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The challenge that the first step was answered with.",
});

export async function openChallenge(
  tx: Tx,
  app: Needs,
  {
    purpose,
    userId,
    reference,
    tag,
  }: { purpose: Purpose; userId?: string; reference?: string; tag?: string },
): Promise<{ token: string; expiresAt: Date }> {
  const id = newId();
  const now = app.clock.now();
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await insertChallenge(tx, {
    id,
    purpose,
    user_id: userId ?? null,
    reference: reference ?? null,
    created_at: now,
    expires_at: expiresAt,
  });
  const home = tag ?? (userId === undefined ? NO_TAG : await findHomeTag(tx, userId));
  return { token: oneTimeToken(app.secrets, purpose, id, home), expiresAt };
}

/** What a token stands for, without using it up: a mistyped code must not end the sign-in. */
export async function readChallenge(tx: Tx, app: Needs, purpose: Purpose, token: string): Promise<Challenge> {
  const id = rowOfToken(app.secrets, purpose, token);
  return id ? foundOrRefused(await findChallenge(tx, id, app.clock.now())) : foundOrRefused(undefined);
}

/** Uses it up. Of many who try at once, one gets it. */
export async function useChallenge(tx: Tx, app: Needs, purpose: Purpose, token: string): Promise<Challenge> {
  const id = rowOfToken(app.secrets, purpose, token);
  return id ? foundOrRefused(await deleteChallenge(tx, id, app.clock.now())) : foundOrRefused(undefined);
}

/** The root key that a token was made with; nothing where it was not made here. */
export function rootOfChallenge(secrets: Secrets, purpose: Purpose, token: string): number | undefined {
  return readToken(secrets, purpose, token)?.rootId;
}

/** After a new password nobody finishes a sign-in that began with the old one. */
export async function endChallenges(tx: Tx, userId: string): Promise<void> {
  await deleteChallengesOf(tx, userId);
}

export async function sweepChallenges({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteChallengesBefore(db, clock.now());
}

function foundOrRefused(challenge: Challenge | undefined): Challenge {
  if (challenge) return challenge;
  throw new Refusal("challenge_not_valid", "This sign-in was finished already, or has taken too long.");
}
