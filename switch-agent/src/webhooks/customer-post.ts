import { Resolver } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { AddressRules } from "../kamailio/address-rules.ts";

export interface PostNeeds {
  rules: AddressRules;
  /** Instead of the machine's own. */
  dnsServers?: string[] | undefined;
}

interface Message {
  body: string;
  headers: Record<string, string>;
}

export type CustomerPost = (
  url: string,
  message: Message,
  limits: { maxBytes: number; signal: AbortSignal },
) => Promise<{ status: number; body: Buffer }>;

/**
 * POSTs to a customer's webhook server. Resolves the name once, checks each address, and connects to that
 * result, which prevents DNS rebinding. Follows no redirects, uses no proxy and reuses no connections.
 */
export function customerPost({ rules, dnsServers }: PostNeeds): CustomerPost {
  // Not getaddrinfo, whose few threads a dead name would hold for seconds.
  const dns = new Resolver({ timeout: 1_000, tries: 2 });
  if (dnsServers) dns.setServers(dnsServers);
  return async (text, message, { maxBytes, signal }) => {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
      throw new Error("The URL must be http or https, without a user or a password.");
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const isPlain = url.protocol === "http:";
    const port = Number(url.port || (isPlain ? 80 : 443));
    const addresses = isIP(host) ? [host] : await addressesOf(dns, host);
    signal.throwIfAborted();
    if (addresses.length === 0) throw new Error("The host name has no address.");
    // One that is not allowed spoils all: which of them is used is not ours to say.
    if (!addresses.every((address) => rules.isAskable(address, port, isPlain)))
      throw new Error("The host name resolves to an address that is not allowed.");
    const response = await send(url, addresses, message, signal);
    return { status: response.statusCode ?? 0, body: await readUpTo(response, maxBytes) };
  };
}

async function addressesOf(dns: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

function send(
  url: URL,
  addresses: string[],
  { body, headers }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const client = url.protocol === "https:" ? https : http;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = client.request(url, {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    agent: new client.Agent(),
    signal,
    lookup: pinnedTo(addresses),
  });
  request.on("response", resolve);
  request.on("error", reject);
  // Ends what neither answers nor fails; later it changes nothing.
  request.on("close", () => reject(new Error("The server closed the connection without a response.")));
  request.end(body);
  return promise;
}

function pinnedTo(addresses: string[]): LookupFunction {
  const answer = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) =>
    options.all ? done(null, answer) : done(null, answer[0]!.address, answer[0]!.family);
}

async function readUpTo(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Leaving the loop closes the connection: the rest is not even received.
    if (length > maxBytes) throw new Error(`The response is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
