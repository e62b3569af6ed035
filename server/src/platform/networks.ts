import ipaddr from "ipaddr.js";

/** An address or a network as people write them; never the old short forms, in which 10.1 means 10.0.0.1. */
export function isNetwork(text: string): boolean {
  return canonicalNetwork(text) !== undefined;
}

/** One spelling per network: the first address, and how many bits count. */
export function canonicalNetwork(text: string): string | undefined {
  const { IPv4, IPv6 } = ipaddr;
  const cidr = text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`;
  const bits = `/${Number(cidr.slice(cidr.indexOf("/") + 1))}`;
  if (IPv4.isValidCIDRFourPartDecimal(cidr)) return IPv4.networkAddressFromCIDR(cidr).toString() + bits;
  if (!IPv6.isValidCIDR(cidr) || cidr.includes("%")) return undefined;
  const first = IPv6.networkAddressFromCIDR(cidr);
  // Callers of that kind are IPv4 callers; such a network would never match anyone.
  return first.isIPv4MappedAddress() ? undefined : first.toRFC5952String() + bits;
}

/** An address without the zone or port some write next to it; undefined if there is none. */
export function plainAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return ipaddr.isValid(bare) && (bare.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : undefined;
}

/** Whether an address belongs to one of the networks. An empty list allows every address. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}

/** 2000::/3 is all of IPv6 that is handed out so far; these parts of it lead elsewhere or nowhere (RFC 6890, RFC 9637). */
const HANDED_OUT = "2000::/3";
const NOT_PUBLIC = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
/** Azure's host, which serves each machine its own certificates and settings (WireServer). */
const CLOUD_HOSTS = ["168.63.129.16/32"];

/**
 * Whether an address is public. The library alone is not enough: it accepts `::7f00:1` (127.0.0.1 in a
 * deprecated form) and unassigned addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address)) return false;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && (!isWithin([HANDED_OUT], address) || isWithin(NOT_PUBLIC, address)))
    return false;
  return parsed.range() === "unicast" && !isWithin(CLOUD_HOSTS, address);
}
