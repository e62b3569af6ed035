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
  /** Browser or session that has signed in to this account before. */
  known?: string | undefined;
  /** Separate counters per method, so that wrong passwords do not block passkeys. */
  address?: "sign_in_address" | "passkey_address" | "provider_address";
  origin: Origin;
}

/**
 * Counts per account, so that an attacker cannot spread guesses over many addresses. Also counts per address,
 * so that one address cannot try many accounts. The address comes first: a blocked address no longer uses up
 * other accounts' limits. A browser that has signed in to the account before has a separate limit, which
 * strangers cannot use up. Only failures count: a success is refunded.
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
