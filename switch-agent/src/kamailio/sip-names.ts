import type { NaptrRecord, SrvRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import type { AddressRules } from "./address-rules.ts";

/** Not getaddrinfo, whose few threads a dead name would hold for seconds. */
const LOOK_UP = { timeout: 1_000, tries: 2 };
/** An address record that does not say for how long it holds. */
const USUAL_TTL_SECONDS = 60;
export const MOST_ADDRESSES = 8;

type Transport = "udp" | "tcp" | "tls";
interface Place {
  host: string;
  port: number;
  transport: Transport;
}

export interface Resolved {
  /** `address:port;transport`, best first; empty if a name leads to what is not allowed. */
  addresses: string[];
  ttlSeconds: number;
  /** False if a name server did not respond: there may be more addresses. */
  isWhole: boolean;
}

/**
 * Resolves a key of table `host`, `name[:port][;transport]`. Rejects if the look-up fails or finds no
 * address.
 */
export type SipResolver = (key: string) => Promise<Resolved>;

export interface SipResolverOptions {
  rules: AddressRules;
  /** Whether the switch has an IPv6 address to send from. */
  hasIpv6: boolean;
  /** Instead of the machine's own. */
  dnsServers?: string[] | undefined;
}

/**
 * Follows RFC 3263: NAPTR gives the transport, SRV the host, A or AAAA the address. Skips the steps that the
 * URI fixes.
 */
export function sipResolver({ rules, hasIpv6, dnsServers }: SipResolverOptions): SipResolver {
  const dns = new Resolver(LOOK_UP);
  if (dnsServers) dns.setServers(dnsServers);
  return async (key) => {
    const places = await placesOf(dns, key);
    const found = await Promise.allSettled(places.flatMap((place) => addressesOf(dns, place, hasIpv6)));
    const all = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const lost = found.find((one) => one.status === "rejected");
    if (all.length === 0) throw lost?.reason ?? new Error("It has no address.");
    const isWhole = lost === undefined;
    const ttlSeconds = Math.min(...all.map(({ ttl }) => ttl));
    // One address that is not allowed spoils all: which of them a call would use is not ours to say.
    if (!all.every(({ address, port }) => rules.isAllowed(address, port)))
      return { addresses: [], ttlSeconds, isWhole };
    const texts = all.map(
      ({ address, port, transport }) =>
        `${address.includes(":") ? `[${address}]` : address}:${port};${transport}`,
    );
    return { addresses: [...new Set(texts)].slice(0, MOST_ADDRESSES), ttlSeconds, isWhole };
  };
}

async function placesOf(dns: Resolver, key: string): Promise<Place[]> {
  const [, host = "", port, fixed] = /^([^:;]+)(?::(\d+))?(?:;(\w+))?$/.exec(key) ?? [];
  const transport = fixed as Transport | undefined;
  if (port) return [{ host, port: Number(port), transport: transport ?? "udp" }];
  const services = transport
    ? [{ name: serviceName(transport, host), transport }]
    : await servicesOf(dns, host);
  const found = await Promise.all(
    services.map(async ({ name, transport: by }) => {
      const records = await orNone(dns.resolveSrv(name));
      return inOrder(records).map((record): Place => ({
        host: record.name,
        port: record.port,
        transport: by,
      }));
    }),
  );
  const places = found.flat();
  if (places.length > 0) return places;
  return [{ host, port: transport === "tls" ? 5061 : 5060, transport: transport ?? "udp" }];
}

async function servicesOf(dns: Resolver, host: string): Promise<{ name: string; transport: Transport }[]> {
  const by: Record<string, Transport> = { "sip+d2u": "udp", "sip+d2t": "tcp", "sips+d2t": "tls" };
  const records: NaptrRecord[] = await orNone(dns.resolveNaptr(host));
  const services = records
    .toSorted((one, other) => one.order - other.order || one.preference - other.preference)
    .flatMap(({ service, flags, replacement }) => {
      const transport = by[service.toLowerCase()];
      return transport && flags.toLowerCase() === "s" ? [{ name: replacement, transport }] : [];
    });
  if (services.length > 0) return services;
  return (["udp", "tcp"] as const).map((transport) => ({ name: serviceName(transport, host), transport }));
}

function serviceName(transport: Transport, host: string): string {
  return transport === "tls" ? `_sips._tcp.${host}` : `_sip._${transport}.${host}`;
}

/** Stable order: a changed order at each look-up would update the switch each time. */
function inOrder(records: SrvRecord[]): SrvRecord[] {
  return records.toSorted(
    (one, other) =>
      one.priority - other.priority || other.weight - one.weight || (one.name < other.name ? -1 : 1),
  );
}

/** One for each kind of address. */
function addressesOf(
  dns: Resolver,
  place: Place,
  hasIpv6: boolean,
): Promise<(Place & { address: string; ttl: number })[]>[] {
  const kinds = [
    dns.resolve4(place.host, { ttl: true }),
    ...(hasIpv6 ? [dns.resolve6(place.host, { ttl: true })] : []),
  ];
  return kinds.map(async (looking) =>
    (await orNone(looking))
      .map(({ address, ttl }) => ({ ...place, address, ttl: ttl || USUAL_TTL_SECONDS }))
      .sort((one, other) => (one.address < other.address ? -1 : 1)),
  );
}

/**
 * No such records: continue without. A failed query must throw instead, because it must not remove a good
 * address.
 */
async function orNone<Record_>(looking: Promise<Record_[]>): Promise<Record_[]> {
  try {
    return await looking;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENODATA" || code === "ENOTFOUND") return [];
    throw error;
  }
}
