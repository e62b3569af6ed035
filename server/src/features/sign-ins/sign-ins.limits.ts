import type { App } from "../../app.ts";
import type { Origin } from "../../platform/http/access.ts";
import { networkOf, refund, spend } from "../../platform/limits/limits.ts";

type Needs = Pick<App, "db" | "clock" | "config">;

/** Six digits, three of them right at a time: at this many tries a day, guessing takes years. */
export const CODES_PER_DAY = 50;

/**
 * Counted per account, so that many addresses cannot share the guessing, and per address, so that one cannot
 * try many accounts. The address comes first: one that is used up no longer uses up other people's accounts.
 * Returned after success: only failures count.
 */
export async function countingFailures<Result>(
  app: Needs,
  tried: { account?: string; code?: string; origin: Origin },
  attempt: () => Promise<Result>,
): Promise<Result> {
  const perWindow = app.config.limits.signInsPerMinute;
  const limits = [
    { name: "sign_in_address", perWindow, windowSeconds: 60, subject: networkOf(tried.origin.address) },
    ...(tried.account === undefined
      ? []
      : [
          {
            name: "sign_in_account",
            perWindow,
            windowSeconds: 60,
            subject: tried.account,
            isHidden: true,
          },
        ]),
    ...(tried.code === undefined
      ? []
      : [
          { name: "sign_in_code", perWindow, windowSeconds: 60, subject: tried.code },
          { name: "sign_in_code_day", perWindow: CODES_PER_DAY, windowSeconds: 86_400, subject: tried.code },
        ]),
  ];
  for (const limit of limits) await spend(app, tried.origin, limit);
  const result = await attempt();
  for (const limit of limits) await refund(app, tried.origin, limit);
  return result;
}
