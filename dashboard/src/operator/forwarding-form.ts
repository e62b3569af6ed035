import type { Forwarding, SetForwarding } from "@dialplane/sdk/operator";
import type { Difference } from "../components/Differences.tsx";
import { forwardingText } from "./forwarding-text.ts";

/** The maximum that the service accepts for each limit. */
export const LIMITS = {
  calls_at_once: 100_000,
  calls_per_day: 10_000_000,
  minutes_per_day: 1_000_000,
} as const;
export type LimitName = keyof typeof LIMITS;

export const LIMIT_LABELS: Record<LimitName, string> = {
  calls_at_once: forwardingText.callsAtOnce,
  calls_per_day: forwardingText.callsPerDay,
  minutes_per_day: forwardingText.minutesPerDay,
};

interface LimitValue {
  isUnlimited: boolean;
  /** Kept while there is no limit, so that it is there when the user changes their mind. */
  most: string;
}

export type Caller = keyof typeof forwardingText.callers;

export interface ForwardingValues extends Record<LimitName, LimitValue> {
  caller: Caller;
  caller_number: string;
  /** Choice for the original caller ID. Another one drops the header. */
  keepsIdentity: boolean;
}

export function valuesOf(limits: Forwarding): ForwardingValues {
  const valueOf = (name: LimitName): LimitValue => {
    const limit = limits[name];
    return { isUnlimited: limit === null, most: limit === null ? "" : String(limit) };
  };
  return {
    calls_at_once: valueOf("calls_at_once"),
    calls_per_day: valueOf("calls_per_day"),
    minutes_per_day: valueOf("minutes_per_day"),
    caller: limits.caller as Caller,
    caller_number: limits.caller_number ?? "",
    keepsIdentity: limits.caller !== "pass" || limits.identity === "keep",
  };
}

type Limits = Required<{ [Field in keyof SetForwarding]: Exclude<SetForwarding[Field], undefined> }>;

/** All limits, because the request replaces all. */
export function bodyOf(values: ForwardingValues): Limits {
  const limitOf = ({ isUnlimited, most }: LimitValue): number | null => (isUnlimited ? null : Number(most));
  const { caller, keepsIdentity } = values;
  return {
    calls_at_once: limitOf(values.calls_at_once),
    calls_per_day: limitOf(values.calls_per_day),
    minutes_per_day: limitOf(values.minutes_per_day),
    caller,
    caller_number: caller === "fixed" ? numberOf(values.caller_number) : null,
    identity: caller === "pass" && keepsIdentity ? "keep" : "drop",
  };
}

export function limitFault(name: LimitName, { isUnlimited, most }: LimitValue): string | undefined {
  if (isUnlimited || (/^\d{1,8}$/.test(most) && Number(most) <= LIMITS[name])) return undefined;
  return forwardingText.limitInvalid(LIMITS[name]);
}

export function numberFault(typed: string): string | undefined {
  return /^\+[1-9]\d{6,14}$/.test(numberOf(typed)) ? undefined : forwardingText.numberInvalid;
}

function numberOf(typed: string): string {
  return typed.replaceAll(/[\s()/.-]/g, "");
}

/** Changes on save. A field with a fault is shown as it was typed. */
export function differencesOf(before: Forwarding, values: ForwardingValues): Difference[] {
  const after = bodyOf(values);
  const typed = (name: LimitName): string =>
    limitFault(name, values[name]) === undefined ? limitText(after[name]) : values[name].most || "–";
  const all: Difference[] = [
    ...(Object.keys(LIMITS) as LimitName[]).map((name) => ({
      what: LIMIT_LABELS[name],
      from: limitText(before[name]),
      to: typed(name),
    })),
    { what: forwardingText.callerId, from: callerText(before), to: callerText(after) },
    { what: forwardingText.identity, from: identityText(before.identity), to: identityText(after.identity) },
  ];
  return all.filter(({ from, to }) => from !== to);
}

/** Effect of the limits on calls from now on, if they reject all. */
export function warningOf({ used }: Forwarding, values: ForwardingValues): string | undefined {
  if ((Object.keys(LIMITS) as LimitName[]).some((name) => limitFault(name, values[name]))) return undefined;
  const { calls_at_once: atOnce, calls_per_day: calls, minutes_per_day: minutes } = bodyOf(values);
  if ([atOnce, calls, minutes].includes(0)) return forwardingText.willRejectAll;
  const isReached =
    (calls !== null && used.calls >= calls) || (minutes !== null && used.seconds >= minutes * 60);
  return isReached ? forwardingText.willRejectToday : undefined;
}

function limitText(limit: number | null): string {
  return limit === null ? forwardingText.noLimit : forwardingText.count(limit);
}

export function callerText({ caller, caller_number: number }: Limits | Forwarding): string {
  const words: Record<string, string> = forwardingText.callers;
  return caller === "fixed" ? number || "–" : (words[caller] ?? caller);
}

export function identityText(identity: string): string {
  const words: Record<string, string> = forwardingText.identities;
  return words[identity] ?? identity;
}

/** Rounded down: a limit is not reached before its last second. */
export function minutesOf(seconds: number): number {
  return Math.floor(seconds / 6) / 10;
}
