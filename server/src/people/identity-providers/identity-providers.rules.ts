import type { User } from "../users/users.ts";

/** Purpose of the key that encrypts client secrets. */
export const SECRET_PURPOSE = "identity-provider-secret";

/** Label before the TXT record's name, and prefix before the token in its value. */
export const RECORD_LABEL = "_dialplane-challenge";
export const RECORD_PREFIX = "dialplane-domain-proof=";

/** Names of mail domains: at least two labels, no address, no dot at the end. */
export const DOMAIN_PATTERN = String.raw`^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`;

/** Addresses are kept in lower case, and have one @ (`isEmail`). */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

const HOUR_MS = 3_600_000;
/** Proofs are checked again about once a day, not all at once. */
const CHECK_MS = 24 * HOUR_MS;
const JITTER_MS = 2 * HOUR_MS;
/** After a lookup that failed. */
const RETRY_MS = HOUR_MS;
/** A proof lapses after this many checks without the record, and this long after the first of them. */
const MISSING_CHECKS = 3;
const MISSING_MS = 72 * HOUR_MS;

export function nextCheckAfter(at: Date): Date {
  return new Date(at.getTime() + CHECK_MS + (Math.random() - 0.5) * 2 * JITTER_MS);
}

export function retryAfter(at: Date): Date {
  return new Date(at.getTime() + RETRY_MS);
}

/** First failed check, and number of failed checks since then. */
export interface Missing {
  missing_since: Date | null;
  missing_checks: number;
}

export type CheckOutcome = "present" | "missing" | "still_missing" | "lapsed";

export function checkOutcome(isThere: boolean, before: Missing, at: Date): CheckOutcome {
  if (isThere) return "present";
  if (!before.missing_since) return "missing";
  const hasEnded =
    before.missing_checks + 1 >= MISSING_CHECKS &&
    at.getTime() - before.missing_since.getTime() >= MISSING_MS;
  return hasEnded ? "lapsed" : "still_missing";
}

/** Facts for deciding about a provider's claims. */
export interface Standing {
  /** Verified domains of this provider. */
  domains: ReadonlySet<string>;
  email: string | undefined;
  isEmailVerified: boolean;
  /** User who is linked to this subject. */
  linked: User | undefined;
  /** User with this email address. */
  account: User | undefined;
  isMember: boolean;
  /** Whether the provider means the account by another subject. */
  isOtherSubjects: boolean;
  isInvited: boolean;
}

export type Entry = "enter" | "link" | "join" | { apiError: string };

/**
 * The subject decides; an address alone opens nothing. An account is opened only by a provider that has proved the
 * domain of the account's own address, for that is who could have its password reset as well.
 */
export function entryOf(standing: Standing): Entry {
  const { domains, email, isEmailVerified, linked, account } = standing;
  if (!email) return rejected("Your identity provider sends no email address. It must send the claim email.");
  if (!isEmailVerified)
    return rejected(
      "Your identity provider does not send email_verified: true. Its administrator can change that.",
    );
  if (!domains.has(domainOf(email)))
    return rejected(
      `Your organisation has not verified the domain ${domainOf(email)}. An owner can verify it.`,
    );
  const user = linked ?? account;
  if (user?.disabled_at)
    return rejected("Your account is disabled. Contact the operator of this installation.");
  if (linked) {
    return domains.has(domainOf(linked.email))
      ? "enter"
      : rejected(
          "The domain of your email address is no longer verified by your organisation. Sign in with your password or a passkey.",
        );
  }
  if (!account)
    return standing.isInvited ? "join" : rejected("You have no account. Ask an owner to invite you.");
  if (!standing.isMember)
    return rejected(
      "Your account does not belong to this organisation. Sign in with your password or a passkey and accept an invitation.",
    );
  if (standing.isOtherSubjects)
    return rejected(
      "Your account is linked to another identity of your provider. An owner can remove the member and invite you again.",
    );
  return "link";
}

function rejected(apiError: string): Entry {
  return { apiError };
}
