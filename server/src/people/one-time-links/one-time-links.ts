import { Type } from "typebox";
import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { oneTimeToken, readToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Secrets } from "../../platform/secrets.ts";
import { NO_TAG } from "../../platform/tags.ts";
import { findHomeTag } from "../users/users.ts";
import {
  type ChallengeRow,
  deleteChallenge,
  deleteChallengesBefore,
  deleteChallengesOf,
  deleteLink,
  deleteLinksBefore,
  deleteLinksOf,
  findChallenge,
  findTagOfLink,
  insertChallenge,
  insertLink,
  type LinkRow,
} from "./one-time-links.store.ts";

export { findTagOfLink };

/** As a field of the requests that use a link. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Token from the emailed link.",
});

/** How long a mailed link works. */
const LIFETIME_MS = { reset_password: 3_600_000, change_email: 86_400_000 } as const;

interface NewLink {
  id?: string;
  userId: string;
  purpose: LinkRow["purpose"];
  newEmail?: string;
  lifetimeMs?: number;
}

/** A newer link of the same purpose ends the older ones. */
export async function makeLink(tx: Tx, at: Date, link: NewLink): Promise<string> {
  const id = link.id ?? newId();
  await deleteLinksOf(tx, link.userId, link.purpose);
  await insertLink(tx, {
    id,
    user_id: link.userId,
    purpose: link.purpose,
    new_email: link.newEmail ?? null,
    created_at: at,
    expires_at: new Date(at.getTime() + (link.lifetimeMs ?? LIFETIME_MS[link.purpose])),
  });
  return id;
}

export function tokenOfLink(
  { secrets }: Pick<App, "secrets">,
  purpose: LinkRow["purpose"],
  id: string,
  tag?: string,
): string {
  return oneTimeToken(secrets, purpose, id, tag);
}

/** Uses up the link. One of several concurrent attempts gets it. */
export async function useLink(
  tx: Tx,
  app: Pick<App, "secrets" | "clock">,
  purpose: LinkRow["purpose"],
  token: string,
): Promise<LinkRow> {
  const id = rowOfToken(app.secrets, purpose, token);
  const link = id && (await deleteLink(tx, id, purpose, app.clock.now()));
  if (!link)
    throw new ApiError(
      "link_not_valid",
      "This link has expired, was already used, or was replaced by a newer one.",
    );
  return link;
}

/** After a new password or address no link mailed before may undo it. */
export async function endLinks(tx: Tx, userId: string): Promise<void> {
  await deleteLinksOf(tx, userId, undefined);
}

export async function sweepLinks({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteLinksBefore(db, clock.now());
}

/** A sign-in that is half done. */
export type Challenge = ChallengeRow;

/** Purpose of a challenge. A challenge is invalid for other purposes. */
type Purpose = "second_factor" | "passkey" | "passkey_registration" | "provider";

type Needs = Pick<App, "config" | "secrets" | "clock">;

/** As long as it takes to find the phone, and not much longer. */
const CHALLENGE_MS = 5 * 60_000;

/** As a field of the requests that finish a sign-in. */
export const ChallengeToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Challenge from the response to the first sign-in step.",
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

/** Reads a challenge without using it up: a mistyped code must not end the sign-in. */
export async function readChallenge(tx: Tx, app: Needs, purpose: Purpose, token: string): Promise<Challenge> {
  const id = rowOfToken(app.secrets, purpose, token);
  return id ? foundOrRejected(await findChallenge(tx, id, app.clock.now())) : foundOrRejected(undefined);
}

/** Uses up the challenge. One of several concurrent attempts gets it. */
export async function useChallenge(tx: Tx, app: Needs, purpose: Purpose, token: string): Promise<Challenge> {
  const id = rowOfToken(app.secrets, purpose, token);
  return id ? foundOrRejected(await deleteChallenge(tx, id, app.clock.now())) : foundOrRejected(undefined);
}

/** The root key that a token was created with; undefined if it was not made here. */
export function rootOfChallenge(secrets: Secrets, purpose: Purpose, token: string): number | undefined {
  return readToken(secrets, purpose, token)?.rootId;
}

/** A new password ends sign-ins that began with the old one. */
export async function endChallenges(tx: Tx, userId: string): Promise<void> {
  await deleteChallengesOf(tx, userId);
}

export async function sweepChallenges({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  await deleteChallengesBefore(db, clock.now());
}

function foundOrRejected(challenge: Challenge | undefined): Challenge {
  if (challenge) return challenge;
  throw new ApiError("challenge_not_valid", "This sign-in is already finished or has expired.");
}
