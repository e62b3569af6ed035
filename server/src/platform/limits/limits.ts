import ipaddr from "ipaddr.js";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { sweepTable } from "../db/sweep.ts";
import { ApiError } from "../api-error.ts";
import { type Allowance, TokenBuckets } from "./token-bucket.ts";

export interface LimitRates {
  replicas: number;
  requestsPerSecond: number;
  requestBurst: number;
  writesPerSecond: number;
  floodPerSecond: number;
}

export interface Limits {
  flood(address: string): Allowance;
  /** Whether an address is beyond that limit; counts nothing. */
  isFlooding(address: string): boolean;
  /** Limits of an organisation, or of a credential if no organisation is involved. */
  requests(subject: string): Allowance;
  writes(subject: string): Allowance;
  /** Claims a waiting slot and returns its release. Undefined if all slots are taken. */
  wait(subject: string): (() => void) | undefined;
}

/** Waiting costs nothing but a connection; more of them than this at once belong to one that is out of hand. */
export const MOST_WAITING = 20;

export function openLimits(rates: LimitRates, clock: Clock): Limits {
  const share = (perSecond: number): number => perSecond / rates.replicas;
  const flood = new TokenBuckets("address", rates.floodPerSecond, rates.floodPerSecond * 2);
  const requests = new TokenBuckets(
    "requests",
    share(rates.requestsPerSecond),
    Math.ceil(share(rates.requestBurst)),
  );
  const writes = new TokenBuckets(
    "writes",
    share(rates.writesPerSecond),
    Math.ceil(share(rates.writesPerSecond) * 2),
  );
  const now = (): number => clock.now().getTime();
  return {
    flood: (address) => flood.take(networkOf(address), now()),
    isFlooding: (address) => flood.isEmpty(networkOf(address), now()),
    requests: (subject) => requests.take(subject, now()),
    writes: (subject) => writes.take(subject, now()),
    wait: placesOf(MOST_WAITING),
  };
}

function placesOf(most: number): Limits["wait"] {
  const taken = new Map<string, number>();
  return (subject) => {
    const count = taken.get(subject) ?? 0;
    if (count >= most) return undefined;
    taken.set(subject, count + 1);
    return () => {
      const left = taken.get(subject)! - 1;
      if (left === 0) taken.delete(subject);
      else taken.set(subject, left);
    };
  };
}

/** draft-ietf-httpapi-ratelimit-headers-11: what the policy is, and what is left of it. */
export function rateLimitHeaders(allowances: readonly Allowance[]): Record<string, string> {
  if (allowances.length === 0) return {};
  return {
    "ratelimit-policy": allowances
      .map((one) => `"${one.policy}";q=${one.quota};w=${one.windowSeconds}`)
      .join(", "),
    ratelimit: allowances.map((one) => `"${one.policy}";r=${one.remaining};t=${one.resetSeconds}`).join(", "),
  };
}

export function tooMany(allowance: Allowance): ApiError {
  return new ApiError("rate_limited", `The limit “${allowance.policy}” is used up.`, {
    retryAfterSeconds: allowance.resetSeconds,
    members: { policy: allowance.policy },
  });
}

/** One customer of IPv6 has at least a /64, so that is what counts as one address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

interface ExactLimit {
  name: string;
  perWindow: number;
  windowSeconds: number;
  /** If true, the response does not show what is left, because it also counts what others did. */
  isHidden?: boolean;
}

/** Collects the limits that the response shows. */
interface Spender {
  allowances: Allowance[];
}

/**
 * Counts uses exactly, over all replicas, and rejects uses beyond the window's limit. Rejected uses do not
 * count, so a caller that keeps trying succeeds when the window ends.
 */
export async function spend(
  needs: { db: Database; clock: Clock },
  by: Spender,
  limit: ExactLimit & { subject: string; uses?: number },
): Promise<void> {
  const now = needs.clock.now();
  const { name, subject, windowSeconds, perWindow, uses = 1 } = limit;
  const [row] = await needs.db.forSystem("limits", (tx) =>
    tx.query<{ is_spent: boolean; window_start: Date; used: number }>(SPEND, [
      name,
      subject,
      now,
      windowSeconds,
      perWindow,
      uses,
    ]),
  );
  const endsAt = (row?.window_start ?? now).getTime() + windowSeconds * 1000;
  const allowance = {
    policy: name,
    quota: perWindow,
    windowSeconds,
    remaining: Math.max(0, perWindow - (row?.used ?? 0)),
    resetSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
    hasEnded: !row?.is_spent,
  };
  if (!limit.isHidden) by.allowances.push(allowance);
  if (allowance.hasEnded) throw tooMany(allowance);
}

/** Returns what does not count after all, such as a sign-in that succeeded. */
export async function refund(
  needs: { db: Database },
  by: Spender,
  { name, subject }: { name: string; subject: string },
): Promise<void> {
  await needs.db.forSystem("limits", (tx) =>
    tx.query("update limit_counters set used = used - 1 where name = $1 and subject = $2 and used > 0", [
      name,
      subject,
    ]),
  );
  const shown = by.allowances.find(({ policy }) => policy === name);
  if (shown) shown.remaining++;
}

/** A rejected use changes nothing, so the statement returns the previous row. */
const SPEND = `
  with spent as (
    insert into limit_counters as c (name, subject, window_start, used) select $1, $2, $3, $6::int where $6::int <= $5
    on conflict (name, subject) do update set
      window_start = case when c.window_start + make_interval(secs => $4) <= $3 then $3 else c.window_start end,
      used = case when c.window_start + make_interval(secs => $4) <= $3 then $6::int else c.used + $6::int end
      where c.window_start + make_interval(secs => $4) <= $3 or c.used + $6::int <= $5
    returning window_start, used)
  select true as is_spent, window_start, used from spent
  union all
  select false, window_start, used from limit_counters where name = $1 and subject = $2 and not exists (select from spent)`;

/** Windows are at most a day long. */
export async function sweepLimits({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - 2 * 86_400_000);
  await sweepTable(db, { table: "limit_counters", where: "window_start < $1", values: [before] });
}
