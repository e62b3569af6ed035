import { Resolver as DnsResolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { Clock } from "./clock.ts";
import type { EgressRules } from "./egress-rules.ts";
import { EgressFault, resolveAllowed, type Resolver } from "./egress.ts";

/** DNS look-ups for customers' targets. */
export interface Names {
  /** Reason why the target is denied, as a sentence. Undefined if it is allowed, or if the look-up fails. */
  faultOf(host: string, port: number | undefined): Promise<string | undefined>;
  /** From now on nothing may be sent to these sockets, `address:port`, whatever name leads there. */
  closeTo(listSockets: () => Promise<readonly string[]>): void;
  /**
   * Current TXT records, never cached: the user has just created one and waits. Undefined if the look-up
   * failed, which says nothing about the records.
   */
  textsOf(name: string): Promise<string[] | undefined>;
}

/** A name that does not resolve in this time is accepted. It is looked up again at each use. */
const LOOK_UP_MS = 1_000;
/** So that many who name the same are one question. */
const KEPT_MS = 10_000;
const MOST_KEPT = 1_000;

export function openNames({
  clock,
  egress,
  resolver,
  texts = textsByDns,
}: {
  clock: Clock;
  egress: EgressRules;
  resolver?: Resolver;
  texts?: Names["textsOf"];
}): Names {
  const kept = new Map<string, { until: number; fault: Promise<string | undefined> }>();
  let listSockets: () => Promise<readonly string[]> = async () => [];
  let closed: { until: number; sockets: Promise<ReadonlySet<string>> } | undefined;
  const closedSockets = (): Promise<ReadonlySet<string>> => {
    const now = clock.now().getTime();
    if (!closed || closed.until <= now)
      closed = { until: now + KEPT_MS, sockets: listSockets().then((sockets) => new Set(sockets)) };
    return closed.sockets;
  };
  const rejectClosed = async (addresses: readonly string[], port: number | undefined): Promise<void> => {
    const sockets = await closedSockets();
    const own = addresses.find((address) => sockets.has(`${address}:${port}`));
    if (own)
      throw new EgressFault(
        "refused",
        `${own}:${port} is a switch of this service: calls would come back to it.`,
      );
  };
  return {
    closeTo(list) {
      listSockets = list;
      closed = undefined;
    },
    async faultOf(host, port) {
      if (isIP(host)) return faultIn(rejectClosed([host], port));
      const now = clock.now().getTime();
      const name = `${host}:${port ?? ""}`;
      const known = kept.get(name);
      if (known && known.until > now) return known.fault;
      const fault = inTime(
        faultIn(
          resolveAllowed(egress, host, port, resolver).then((addresses) => rejectClosed(addresses, port)),
        ),
      );
      kept.delete(name);
      kept.set(name, { until: now + KEPT_MS, fault });
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
      return fault;
    },
    textsOf: texts,
  };
}

/** Codes of negative DNS responses: the name, or its TXT records, do not exist. Other codes are failures. */
const NO_RECORDS = new Set(["ENOTFOUND", "ENODATA"]);

/** The texts of a name; none if it has none, undefined if no server answered. Each is whole, however it was cut for the way. */
export async function textsByDns(
  name: string,
  nameServers: readonly string[] = [],
): Promise<string[] | undefined> {
  const dns = new DnsResolver({ timeout: 2_000, tries: 2 });
  if (nameServers.length > 0) dns.setServers(nameServers);
  try {
    return (await dns.resolveTxt(name)).map((parts) => parts.join(""));
  } catch (error) {
    return NO_RECORDS.has((error as NodeJS.ErrnoException).code ?? "") ? [] : undefined;
  }
}

/** A name without an address is valid: it may have only the records of RFC 3263. */
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
