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

/** An address without the zone or port some write beside it; nothing where there is none. */
export function plainAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return ipaddr.isValid(bare) && (bare.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? bare
    : undefined;
}

/** Whether an address belongs to one of the networks; an empty list holds everybody. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0) return true;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}
