import { isIP } from "node:net";
import { parseSipUri, readHost, type SipTransport } from "@dialplane/switch-agent";
import type { EgressRules } from "../../platform/egress-rules.ts";
import { isAllowedAddress, isForbiddenName, isOpened } from "../../platform/egress.ts";

/** Returns the fault of a destination, as a sentence for the caller. Names are resolved elsewhere. */
export function checkSipUri(egress: EgressRules, text: string): string | undefined {
  const uri = parseSipUri(text);
  return "fault" in uri ? uri.fault : checkHost(egress, uri);
}

export interface SipTarget {
  host: string;
  port?: number | undefined;
  transport?: SipTransport | undefined;
}

/** The same for the target of a connection, whose host is separate: IPv6 without brackets. */
export function checkTarget(egress: EgressRules, target: SipTarget): string | undefined {
  const host = readHost(target.host.includes(":") ? `[${target.host}]` : target.host);
  if (host === undefined)
    return "The host must be a name, an IPv4 address or an IPv6 address, without brackets or a port.";
  return checkHost(egress, { ...target, host });
}

const SOURCE_BITS = 24;

/** Whether a network may be a source of a connection: at most a /24, and each address may be a target. */
export function sourceFault(egress: EgressRules, network: string): string | undefined {
  const [base = "", bits = ""] = network.split("/");
  if (isIP(base) !== 4 || Number(bits) < SOURCE_BITS)
    return `${network} is not an IPv4 address or a network from /24 to /32.`;
  const [, block = "", first = ""] = /^(.*)\.(\d+)$/.exec(base) ?? [];
  const size = 2 ** (32 - Number(bits));
  for (let at = 0; at < size; at++) {
    const address = `${block}.${Number(first) + at}`;
    if (!isAllowedAddress(egress, address))
      return `${address} is not a public address. Use a public address, or ask your operator to allow it.`;
  }
  return undefined;
}

/** Below are mail, DNS, web and their like, which a caller could make us talk to. */
const LOWEST_PORT = 1024;

function checkHost(egress: EgressRules, { host, port, transport }: SipTarget): string | undefined {
  if (isIP(host) === 0) {
    if (isForbiddenName(egress, host)) return `${host} is not a public name.`;
    // Lower ones are opened together with addresses, and a name's are not known yet.
    return (port ?? LOWEST_PORT) < LOWEST_PORT ? portIsClosed(host, port) : undefined;
  }
  if (!isAllowedAddress(egress, host))
    return `${host} is not a public address. Use a public address, or ask your operator to allow it.`;
  const used = port ?? (transport === "tls" ? 5061 : 5060);
  const isFine = used >= LOWEST_PORT && isAllowedAddress(egress, host, { port: used });
  return isFine || isOpened(egress, { port: used }, host) ? undefined : portIsClosed(host, used);
}

function portIsClosed(host: string, port: number | undefined): string {
  return `Port ${port} is not open for calls to ${host}.`;
}

/** Operator rule for numbers with a prefix. The longest matching prefix applies. */
export interface ForwardPrefix {
  digits: string;
  isOpen: boolean;
  /** Open even for number types that charge the calling party. */
  isSpecialOpen: boolean;
}

/**
 * | entry | means |
 * |---|---|
 * | `+49` | calls may be forwarded to ordinary numbers that begin so |
 * | `-1876` | but not to these |
 * | `+44844!` | and to these of whatever kind |
 */
export function readForwardPrefixes(text: string): ForwardPrefix[] {
  const prefixes = text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(readForwardPrefix);
  const twice = prefixes.find(({ digits }, at) => prefixes.findIndex((one) => one.digits === digits) < at);
  if (twice) throw new Error(`${twice.digits} is listed twice.`);
  return prefixes;
}

function readForwardPrefix(entry: string): ForwardPrefix {
  const [, sign, digits = "", mark] = /^([+-])([1-9]\d{0,14})(!?)$/.exec(entry) ?? [];
  if (!sign || (sign === "-" && mark))
    throw new Error(`“${entry}” must be a prefix such as +49, -1876 or +44844!.`);
  return { digits, isOpen: sign === "+", isSpecialOpen: mark === "!" };
}

/** Number types that pay the called party or cannot be answered. Unknown types may be either. */
const SPECIAL_TYPES: Partial<Record<string, string>> = {
  premium: "premium-rate numbers",
  shared_cost: "shared-cost numbers",
  personal: "personal numbers",
  pager: "pagers",
  other: "numbers of an unknown type",
};

/** Nothing is open by default: each forwarded call costs the operator money, and fraud looks for such doors. */
export function checkForward(
  prefixes: readonly ForwardPrefix[],
  number: { e164: string; country: string | null; type: string },
): string | undefined {
  if (!prefixes.some(({ isOpen }) => isOpen))
    return "Forwarding is off on this installation. Ask the operator to allow a prefix.";
  const prefix = prefixes
    .filter(({ digits }) => number.e164.startsWith(`+${digits}`))
    .reduce<ForwardPrefix | undefined>(
      (best, one) => (best && best.digits.length > one.digits.length ? best : one),
      undefined,
    );
  if (!prefix?.isOpen) return "The operator does not allow forwarding to this prefix.";
  if (prefix.isSpecialOpen) return undefined;
  const special =
    SPECIAL_TYPES[number.type] ??
    (number.country === null ? "satellite phones and other numbers without a country" : undefined);
  return special && `Calls are not forwarded to ${special}.`;
}
