import { Resolver as DnsResolver } from "node:dns/promises";
import { once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { EgressRules } from "./egress-rules.ts";
import { isPublicAddress, isWithin } from "./networks.ts";

/** Intended use of a target. Omitted parts are not checked. */
interface Use {
  port?: number | undefined;
  plainHttp?: boolean;
}

/** All addresses of a name, or none. */
export type Resolver = (host: string) => Promise<string[]>;

/** Why something was not sent or no answer came; the message is fit for the target's owner. */
export class EgressFault extends Error {
  readonly reason: "refused" | "timeout" | "too_large" | "unreachable";

  constructor(reason: EgressFault["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EgressFault";
    this.reason = reason;
  }
}

/** Without a port: whether the address may be used on any at all. */
export function isAllowedAddress(rules: EgressRules, address: string, use: Use = {}): boolean {
  if (isIP(address) === 0 || isClosed(rules, address)) return false;
  return isPublicAddress(address) || isOpened(rules, use, address);
}

/** Whether an entry of the operator's covers it; without an address, of a name say, whether one could. */
export function isOpened(rules: EgressRules, use: Use, address?: string): boolean {
  return rules.open.some(
    ({ network, firstPort, lastPort, plainHttp }) =>
      (use.port === undefined || (firstPort <= use.port && use.port <= lastPort)) &&
      (!use.plainHttp || plainHttp) &&
      (address === undefined || (isWithin([network], address) && !isClosed(rules, address))),
  );
}

/**
 * Reserved, or used inside networks only: RFC 6761, 6762, 7686, 8375, 9476, ICANN's list of collisions, and the services
 * of Kubernetes and Consul.
 */
const INSIDE_ENDINGS = new Set(
  "local localhost localdomain internal intranet private lan home corp arpa onion alt test invalid svc consul".split(
    " ",
  ),
);

/** Names that cannot be meant for the public; what others resolve to is seen when they are resolved. */
export function isForbiddenName(rules: EgressRules, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (rules.names.some((ending) => `.${name}`.endsWith(ending))) return false;
  const labels = name.split(".");
  const last = labels.at(-1)!;
  // A name that ends in a number is an address to some who read it.
  return labels.length < 2 || INSIDE_ENDINGS.has(last) || /^(\d+|0x[\da-f]*)$/.test(last);
}

/** Fault of a customer's URL, as a sentence for the user. */
export function checkTargetUrl(rules: EgressRules, text: string): string | undefined {
  const url = /^https?:\/\/[^/]/i.test(text) ? URL.parse(text) : null;
  if (!url) return "The URL must look like https://hooks.example.com/path.";
  // The stored URL must equal the requested one: a URL parser silently drops line breaks and converts
  // backslashes.
  if (!/^[\x21-\x5b\x5d-\x7e]{1,2000}$/.test(text))
    return "The URL must be ASCII without spaces or backslashes, at most 2000 characters long.";
  if (url.username || url.password) return "The URL must not contain a user or a password.";
  if (url.hash) return "The URL must not have a fragment.";

  const { host, address, use } = targetOf(url);
  if (address !== undefined && !isAllowedAddress(rules, address))
    return `The URL points to ${address}, which is not a public address. Use a public address, or ask your operator to allow it.`;
  if (address === undefined && isForbiddenName(rules, host))
    return `The URL points to ${host}, which is not a public name.`;
  if (isCallable(rules, use, address)) return undefined;
  if (use.plainHttp && !isOpened(rules, { plainHttp: true }, address))
    return "The URL must begin with https://. Plain http is not allowed.";
  return `Only port 443 is allowed. Port ${use.port} is not open.`;
}

/** Every address of the host. One that is not allowed spoils all: which of them is used is not ours to say. */
export async function resolveAllowed(
  rules: EgressRules,
  host: string,
  port: number | undefined,
  resolver: Resolver = resolveByDns,
): Promise<string[]> {
  if (isIP(host) === 0 && isForbiddenName(rules, host))
    throw new EgressFault("refused", `${host} is not a public name.`);
  return resolveWhere(host, resolver, (address) => isAllowedAddress(rules, address, { port }));
}

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface Message {
  method: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
}

interface Limits {
  timeoutMs: number;
  maxBytes?: number;
  resolver?: Resolver;
}

/** POSTs to a customer's URL. */
export async function guardedPost(
  rules: EgressRules,
  url: string,
  message: Omit<Message, "method">,
  limits: Limits,
): Promise<Reply> {
  return guardedRequest(rules, url, { method: "POST", ...message }, limits);
}

/**
 * Requests a customer's URL. Resolves the name once, checks each address, and connects to that result, which
 * prevents DNS rebinding. Follows no redirects, uses no proxy from the environment, and reuses no
 * connections. Without `maxBytes` the body is dropped.
 */
export async function guardedRequest(
  rules: EgressRules,
  url: string,
  message: Message,
  limits: Limits,
): Promise<Reply> {
  const fault = checkTargetUrl(rules, url);
  if (fault !== undefined) throw new EgressFault("refused", fault);
  const target = new URL(url);
  const { host, use } = targetOf(target);
  const signal = AbortSignal.timeout(limits.timeoutMs);
  try {
    const resolving = resolveWhere(host, limits.resolver ?? resolveByDns, (address) =>
      isCallable(rules, use, address),
    );
    const addresses = await orAborted(resolving, signal);
    const response = await ask(target, addresses, message, signal);
    return {
      status: response.statusCode!,
      headers: response.headers,
      body: limits.maxBytes === undefined ? dropBody(response) : await readUpTo(response, limits.maxBytes),
    };
  } catch (error) {
    if (error instanceof EgressFault) throw error;
    if (signal.aborted)
      throw new EgressFault("timeout", `${host} did not respond within ${limits.timeoutMs} ms.`, {
        cause: error,
      });
    throw new EgressFault("unreachable", `${host} could not be reached.`, { cause: error });
  }
}

function targetOf(url: URL): { host: string; address: string | undefined; use: Use } {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const plainHttp = url.protocol === "http:";
  const port = Number(url.port || (plainHttp ? 80 : 443));
  return { host, address: isIP(host) ? host : undefined, use: { port, plainHttp } };
}

function isCallable(rules: EgressRules, use: Use, address: string | undefined): boolean {
  if (isOpened(rules, use, address)) return true;
  const isUsual = use.port === 443 && !use.plainHttp;
  return (
    isUsual && (address === undefined || (isPublicAddress(address) && isAllowedAddress(rules, address, use)))
  );
}

function isClosed(rules: EgressRules, address: string): boolean {
  return rules.closed.some((network) => isWithin([network], address));
}

async function resolveWhere(
  host: string,
  resolver: Resolver,
  isAllowed: (address: string) => boolean,
): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await resolver(host);
  if (addresses.length === 0) throw new EgressFault("unreachable", `${host} has no address.`);
  // The addresses stay unsaid: they would tell a stranger how the inside is laid out.
  if (!addresses.every(isAllowed))
    throw new EgressFault("refused", `${host} resolves to an address that is not allowed.`);
  return addresses;
}

/** Not getaddrinfo: its few threads are shared by the process, and a dead name would hold one for seconds. */
async function resolveByDns(host: string): Promise<string[]> {
  const dns = new DnsResolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([
    work,
    once(signal, "abort").then(() => {
      throw signal.reason;
    }),
  ]);
}

function ask(
  url: URL,
  addresses: string[],
  { method, body, headers = {} }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const client = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    // A separate agent: the shared one keeps connections alive and can use a proxy from the environment.
    const agent = new client.Agent();
    const request = client.request(url, {
      method,
      headers,
      agent,
      signal,
      lookup: pinnedTo(addresses),
    });
    request.on("response", resolve);
    request.on("error", reject);
    // Ends what neither answers nor fails, such as a server that wants another protocol; later it changes nothing.
    request.on("close", () => reject(new Error("connection closed without a response")));
    request.end(body);
  });
}

function pinnedTo(addresses: string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) =>
    options.all ? done(null, answer) : done(null, answer[0]!.address, answer[0]!.family);
}

function dropBody(response: IncomingMessage): Buffer {
  response.on("error", () => {}).destroy();
  return Buffer.alloc(0);
}

async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection: the rest is not even received.
    if (length > maxBytes) throw new EgressFault("too_large", `The reply is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
