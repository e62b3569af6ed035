import { BlockList, isIP } from "node:net";

/** Which addresses a customer's target may have. */
export interface AddressRules {
  /** The same for the same rules. */
  text: string;
  /** For calls. */
  isAllowed(address: string, port: number): boolean;
  /** Rule for routing webhooks. They use HTTPS unless the operator allows HTTP for the address. */
  isAskable(address: string, port: number, isPlain: boolean): boolean;
}

/** Below are mail, DNS, web and their like, which a caller could make us talk to. */
const LOWEST_PORT = 1024;
const HTTPS_PORT = 443;

/** Whatever is not the public's, by RFC 6890 and its successors; and Azure's host. */
const INSIDE = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15",
  "198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 2001::/23 2001:db8::/32 2002::/16 3fff::/20",
].flatMap((line) => line.split(" "));
/** All of IPv6 that is handed out so far. */
const HANDED_OUT = "2000::/3";

/**
 * Reads the addresses in the service's EGRESS_ALLOW: `10.0.0.0/8`, `127.0.0.0/8:5060-5090`, and
 * `-203.0.113.7` for denied ones. The switch's own sockets are denied too, because calls would loop. Name
 * suffixes are ignored: only resolved addresses count.
 */
export function readAddressRules(text: string, ownSockets: readonly string[] = []): AddressRules {
  const own = new Set(ownSockets);
  const [closed, inside, handedOut] = [new BlockList(), listOf(INSIDE), listOf([HANDED_OUT])];
  const open: { list: BlockList; first: number; last: number; isPlain: boolean }[] = [];
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "" || entry.startsWith(".")) continue;
    if (entry.startsWith("-")) {
      add(closed, entry, entry.slice(1));
      continue;
    }
    const parts = /^([^/+]+\/\d+)(?::(\d+)(?:-(\d+))?)?(\+http)?$/.exec(entry);
    if (!parts)
      throw new Error(
        `“${entry}” is not a network with a prefix length, such as 10.0.0.0/8 or 10.0.0.0/8:5060.`,
      );
    const [, network = "", first = "1", last = parts[2] ?? "65535", plain] = parts;
    const list = new BlockList();
    add(list, entry, network);
    open.push({ list, first: Number(first), last: Number(last), isPlain: plain !== undefined });
  }
  const isOpened = (address: string, port: number, isPlain = false): boolean =>
    open.some(
      (one) => one.first <= port && port <= one.last && (one.isPlain || !isPlain) && has(one.list, address),
    );
  const isPublic = (address: string): boolean =>
    isIP(address) !== 0 && !has(inside, address) && (isIP(address) === 4 || has(handedOut, address));
  return {
    text: [LOWEST_PORT, HANDED_OUT, ...INSIDE, text, ...ownSockets].join(" "),
    isAllowed: (address, port) =>
      !own.has(`${address}:${port}`) &&
      !has(closed, address) &&
      (isOpened(address, port) || (port >= LOWEST_PORT && isPublic(address))),
    isAskable: (address, port, isPlain) =>
      !has(closed, address) &&
      (isOpened(address, port, isPlain) || (port === HTTPS_PORT && !isPlain && isPublic(address))),
  };
}

function has(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) add(list, network, network);
  return list;
}

function add(list: BlockList, entry: string, network: string): void {
  const [address = "", bits] = network.split("/");
  const family = familyOf(address);
  try {
    if (family === undefined) throw new Error("no address");
    list.addSubnet(address, bits === undefined ? (family === "ipv4" ? 32 : 128) : Number(bits), family);
  } catch {
    throw new Error(`“${entry}” holds no network such as 10.0.0.0/8 or fd00::/8.`);
  }
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? "ipv4" : "ipv6";
}
