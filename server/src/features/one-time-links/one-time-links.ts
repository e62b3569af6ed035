import type { App } from "../../app.ts";
import type { Tx } from "../../platform/db/database.ts";
import { newId } from "../../platform/ids.ts";
import { oneTimeToken, rowOfToken } from "../../platform/one-time-tokens.ts";
import { Refusal } from "../../platform/refusal.ts";
import { Type } from "typebox";
import {
  deleteLink,
  deleteLinksBefore,
  deleteLinksOf,
  findTagOfLink,
  insertLink,
  type LinkRow,
} from "./one-time-links.store.ts";

export { findTagOfLink };

/** As a field of the requests that use a link. */
export const LinkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The token of the mailed link.",
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

/** Uses the link up. Of many who try at once, one gets it. */
export async function useLink(
  tx: Tx,
  app: Pick<App, "secrets" | "clock">,
  purpose: LinkRow["purpose"],
  token: string,
): Promise<LinkRow> {
  const id = rowOfToken(app.secrets, purpose, token);
  const link = id && (await deleteLink(tx, id, purpose, app.clock.now()));
  if (!link)
    throw new Refusal(
      "link_not_valid",
      "This link was used already, has expired, or was replaced by a newer one.",
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
