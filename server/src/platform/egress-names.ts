import { isIP } from "node:net";
import type { Clock } from "./clock.ts";
import { EgressFault, type EgressRules, resolveAllowed, type Resolver } from "./egress.ts";

/** What the names of customers' targets lead to, at the moment. */
export interface Names {
  /** Why nothing may be sent there, in a sentence; undefined where it may, or where nobody can tell. */
  faultOf(host: string, port: number | undefined): Promise<string | undefined>;
}

/** A name that nobody can resolve in this time is taken as it is; it is looked up again at every use. */
const LOOK_UP_MS = 1_000;
/** So that many who name the same are one question. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

export function openNames({
  clock,
  egress,
  resolver,
}: {
  clock: Clock;
  egress: EgressRules;
  resolver?: Resolver;
}): Names {
  const kept = new Map<string, { until: number; fault: Promise<string | undefined> }>();
  return {
    async faultOf(host, port) {
      if (isIP(host)) return undefined;
      const now = clock.now().getTime();
      const name = `${host}:${port ?? ""}`;
      const known = kept.get(name);
      if (known && known.until > now) return known.fault;
      const fault = inTime(faultIn(resolveAllowed(egress, host, port, resolver)));
      kept.delete(name);
      kept.set(name, { until: now + KEPT_MS, fault });
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return fault;
    },
  };
}

/** Without an address it is no fault: a name may have no other records than those of RFC 3263. */
async function faultIn(resolving: Promise<unknown>): Promise<string | undefined> {
  try {
    await resolving;
    return undefined;
  } catch (error) {
    return error instanceof EgressFault && error.reason === "refused" ? error.message : undefined;
  }
}

async function inTime(looking: Promise<string | undefined>): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, LOOK_UP_MS, undefined);
  return Promise.race([looking, promise]).finally(() => clearTimeout(timer));
}
