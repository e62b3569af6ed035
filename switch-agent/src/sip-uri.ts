export type SipTransport = "udp" | "tcp" | "tls";

export interface SipUri {
  scheme: "sip" | "sips";
  /** As written: escapes stay, for a switch compares and sends it so. */
  user?: string;
  /** In lower case; an IPv6 address without its brackets. */
  host: string;
  port?: number;
  /** Fixed transport. Without it DNS decides. Always tls for sips. */
  transport?: SipTransport;
}

/**
 * Subset of RFC 3261 (sections 19.1 and 25.1) for customers' destinations. It excludes parts that could
 * redirect a switch: headers, passwords, maddr, routes, methods.
 */
export function parseSipUri(text: string): SipUri | { fault: string } {
  if (text.length > 255) return { fault: "A SIP URI has at most 255 characters." };
  if (!/^[\x21-\x7e]*$/.test(text)) return { fault: "A SIP URI is plain ASCII without spaces." };
  const parts = /^(sips?):(?:([^@]*)@)?([^;?@]*)((?:;[^;?@]*)*)$/i.exec(text);
  if (!parts) return { fault: shapeFault(text) };
  const [, scheme = "", user, hostPort = "", parameters = ""] = parts;

  const fault = user === undefined ? undefined : userFault(user);
  if (fault !== undefined) return { fault };
  const target = readHostPort(hostPort);
  if ("fault" in target) return target;
  const read = readParameters(parameters, user);
  if ("fault" in read) return read;

  const uri: SipUri = { scheme: scheme.toLowerCase() as SipUri["scheme"], ...target };
  if (user !== undefined) uri.user = user;
  if (uri.scheme === "sips" && read.transport === "udp")
    return { fault: "sips needs TLS, which does not run over UDP." };
  const transport = uri.scheme === "sips" ? "tls" : read.transport;
  if (transport) uri.transport = transport;
  return uri;
}

/** RFC 3261, section 19.1.2. */
export const portOf = ({ port, transport }: SipUri): number => port ?? (transport === "tls" ? 5061 : 5060);

/**
 * A name, an IPv4 address or a bracketed IPv6 address, normalised as in parseSipUri. Undefined if it is
 * invalid. Short and octal IPv4 forms are invalid, because parsers disagree on them.
 */
export function readHost(text: string): string | undefined {
  if (text.startsWith("[")) return readIpv6(text);
  if (/^[\d.]+$/.test(text)) return IPV4.test(text) ? text : undefined;
  const labels = text.split(".");
  const isName =
    text.length <= 253 && labels.every((label) => LABEL.test(label)) && /^[a-z]/i.test(labels.at(-1)!);
  return isName ? text.toLowerCase() : undefined;
}

const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = new RegExp(`^${BYTE}(?:\\.${BYTE}){3}$`);

function readIpv6(text: string): string | undefined {
  if (!/^\[[\da-f:.]+\]$/i.test(text)) return undefined;
  return URL.parse(`http://${text}/`)?.hostname.slice(1, -1);
}

function shapeFault(text: string): string {
  if (!/^sips?:/i.test(text)) return "A SIP URI starts with sip: or sips:.";
  if (text.includes("?")) return "A SIP URI must not have headers after a question mark.";
  return "A SIP URI looks like sip:user@host:port;transport=tcp.";
}

function userFault(user: string): string | undefined {
  if (user === "") return "The user before the @ is missing.";
  if (user.includes(":")) return "A SIP URI must not have a password.";
  // RFC 3261 allows ; and ? in a user, but some parsers stop there. All accept them escaped.
  if (!/^(?:[\w.!~*'()&=+$,/-]|%[\da-f]{2})*$/i.test(user))
    return "The user before the @ contains a character that must be percent-encoded.";
  try {
    return /\p{Cc}/u.test(decodeURIComponent(user)) ? "The user contains a control character." : undefined;
  } catch {
    return "The escapes in the user are not UTF-8.";
  }
}

function readHostPort(text: string): { host: string; port?: number } | { fault: string } {
  const [, hostText = "", portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [];
  const host = readHost(hostText);
  if (host === undefined)
    return { fault: "The host must be a name, an IPv4 address or an IPv6 address in brackets." };
  if (portText === undefined) return { host };
  const port = /^[1-9]\d{0,4}$/.test(portText) ? Number(portText) : 0;
  return port >= 1 && port <= 65_535 ? { host, port } : { fault: "The port must be from 1 to 65535." };
}

function readParameters(
  text: string,
  user: string | undefined,
): { transport?: SipTransport } | { fault: string } {
  const read: { transport?: SipTransport } = {};
  const seen = new Set<string>();
  for (const parameter of text.toLowerCase().split(";").slice(1)) {
    const name = parameter.split("=", 1)[0]!;
    if (seen.has(name)) return { fault: `The parameter ${name} is given twice.` };
    seen.add(name);
    if (parameter === "user=phone") {
      if (!/^\+?[\d*().-]+$/.test(user ?? ""))
        return { fault: "user=phone needs a phone number before the @." };
    } else if (/^transport=(?:udp|tcp|tls)$/.test(parameter)) {
      read.transport = parameter.slice("transport=".length) as SipTransport;
    } else return { fault: "The parameters may be transport=udp, tcp or tls, and user=phone." };
  }
  return read;
}
