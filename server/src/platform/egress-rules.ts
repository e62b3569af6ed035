import { canonicalNetwork } from "./networks.ts";

/** The operator's additions to, and exceptions from, the public addresses that customers' targets may use. */
export interface EgressRules {
  open: OpenNetwork[];
  /** Closed although public, and although opened: the operator's own addresses, such as its switches. */
  closed: string[];
  /** Endings of names, each with its dot, that may be used although they belong to the inside. */
  names: string[];
}

interface OpenNetwork {
  network: string;
  firstPort: number;
  lastPort: number;
  plainHttp: boolean;
}

/**
 * | entry | means |
 * |---|---|
 * | `10.0.0.0/8` | these addresses too |
 * | `127.0.0.0/8:5060-5090` | on these ports only |
 * | `127.0.0.0/8:8080+http` | and webhooks without TLS |
 * | `-203.0.113.7` | always denied |
 * | `.corp.internal` | names with this suffix; their addresses need a separate entry |
 */
export function readEgress(text: string): EgressRules {
  const rules: EgressRules = { open: [], closed: [], names: [] };
  for (const entry of text.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    else if (entry.startsWith("-")) rules.closed.push(readNetwork(entry, entry.slice(1)));
    else if (entry.startsWith(".")) rules.names.push(readEnding(entry));
    else rules.open.push(readOpening(entry));
  }
  return rules;
}

function readNetwork(entry: string, text: string): string {
  const network = canonicalNetwork(text);
  if (network === undefined) throw new Error(`“${entry}” holds no network such as 10.0.0.0/8 or fd00::/8.`);
  return network;
}

function readEnding(entry: string): string {
  if (!/^(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i.test(entry))
    throw new Error(`“${entry}” is not the ending of a name such as .corp.internal.`);
  return entry.toLowerCase();
}

function readOpening(entry: string): OpenNetwork {
  // With its bits written out, a port after an IPv6 network cannot be taken for a part of it.
  const parts = /^([^/+]+\/\d+)(?::(\d+)(?:-(\d+))?)?(\+http)?$/.exec(entry);
  if (!parts) {
    throw new Error(
      `“${entry}” must be a network with its bits, then perhaps ports and +http, such as 10.0.0.0/8:8000-8080+http.`,
    );
  }
  const [, network = "", first, last = first, plain] = parts;
  const [firstPort, lastPort] = first === undefined ? [1, 65_535] : [Number(first), Number(last)];
  if (firstPort < 1 || lastPort > 65_535 || firstPort > lastPort)
    throw new Error(`“${entry}” must name ports from 1 to 65535, the lower one first.`);
  return { network: readNetwork(entry, network), firstPort, lastPort, plainHttp: plain !== undefined };
}
