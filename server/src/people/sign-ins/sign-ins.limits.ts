import type { App } from "../../app.ts";
import type { Origin } from "../../platform/http/access.ts";
import { networkOf, refund, spend } from "../../platform/limits/limits.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/** Six digits, three of them right at a time: at this many tries a day, guessing takes years. */
export const CODES_PER_DAY = 50;

interface Tried {
  /** The email address that a password is tried for. */
  account?: string;
  /** The user that a code is tried for. */
  code?: string;
  /** The browser or session of somebody who has signed in to this account before. */
  known?: string | undefined;
  /** What strangers try is counted apart, so that wrong passwords do not stop passkeys. */
  address?: "sign_in_address" | "passkey_address" | "provider_address";
  origin: Origin;
}

/**
 * Counted per account, so that many addresses cannot share the guessing, and per address, so that one cannot
 * try many accounts. The address comes first: one that is used up no longer uses up other people's accounts.
 * A browser that has signed in to the account before has a count of its own, which strangers cannot use up.
 * Returned after success: only failures count.
 */
export async function countingFailures<Result>(
  app: Needs,
  tried: Tried,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const limits = tried.known === undefined ? ofStrangers(app, tried) : ofKnown(app, tried, tried.known);
  for (const limit of limits) await spend(app, tried.origin, limit);
  const result = await attempt();
  for (const limit of limits) await refund(app, tried.origin, limit);
  return result;
}

type Limit = Parameters<typeof spend>[2];

function ofStrangers(
  { config }: Needs,
  { account, code, address = "sign_in_address", origin }: Tried,
): Limit[] {
  const minute = { perWindow: config.limits.signInsPerMinute, windowSeconds: 60 };
  const limits: Limit[] = [{ ...minute, name: address, subject: networkOf(origin.address) }];
  if (account !== undefined)
    limits.push({ ...minute, name: "sign_in_account", subject: account, isHidden: true });
  if (code !== undefined)
    limits.push(
      { ...minute, name: "sign_in_code", subject: code },
      { name: "sign_in_code_day", perWindow: CODES_PER_DAY, windowSeconds: 86_400, subject: code },
    );
  return limits;
}

function ofKnown({ config }: Needs, { code }: Tried, known: string): Limit[] {
  const perWindow = config.limits.signInsPerMinute;
  const limits: Limit[] = [{ name: "sign_in_device", perWindow, windowSeconds: 60, subject: known }];
  if (code !== undefined)
    limits.push({
      name: "sign_in_device_code_day",
      perWindow: CODES_PER_DAY,
      windowSeconds: 86_400,
      subject: known,
    });
  return limits;
}
