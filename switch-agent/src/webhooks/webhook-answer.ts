import { isIP } from "node:net";
import type { AddressRules } from "../kamailio/address-rules.ts";
import type { SipResolver } from "../kamailio/sip-names.ts";
import { parseSipUri, portOf, type SipUri } from "../sip-uri.ts";
import type { CallQuestion } from "./call-question.ts";
import { REJECTIONS, type Verdict } from "./redirect-server.ts";

export interface AnswerNeeds {
  rules: AddressRules;
  resolve: SipResolver;
  hasIpv6: boolean;
  /** Of numbers that calls may be forwarded to; none if nothing is forwarded. */
  listForwardPrefixes(): readonly string[];
}

/** Decision of a customer's webhook server. Throws with the reason if it is not allowed. */
export async function verdictOf(
  needs: AnswerNeeds,
  question: CallQuestion,
  status: number,
  body: Buffer,
): Promise<Verdict> {
  if (status < 200 || status > 299) throw new Error(`The response was ${status}.`);
  const said = readObject(body);
  switch (said["action"]) {
    case "dial":
      return dial(needs, textIn(said, "sip_uri"));
    case "forward":
      return forward(needs, question, textIn(said, "forward_to"));
    case "reject":
      return reject(said["code"]);
    default:
      throw new Error("The response has no known action.");
  }
}

async function dial({ rules, resolve, hasIpv6 }: AnswerNeeds, text: string): Promise<Verdict> {
  const uri = parseSipUri(text);
  if ("fault" in uri) throw new Error(uri.fault);
  const addresses = isIP(uri.host) ? [addressOf(uri)] : (await resolve(nameOf(uri))).addresses;
  if (isIP(uri.host) && !rules.isAllowed(uri.host, portOf(uri))) addresses.pop();
  if (isIP(uri.host) === 6 && !hasIpv6) addresses.pop();
  if (addresses.length === 0) throw new Error("Calls to the address in the SIP URI are not allowed.");
  return { verb: "dial", uri: text, addresses };
}

function forward({ listForwardPrefixes }: AnswerNeeds, question: CallQuestion, to: string): Verdict {
  if (!/^\+[1-9]\d{6,14}$/.test(to)) throw new Error("forward_to is not a number such as +442079460000.");
  if (!listForwardPrefixes().some((prefix) => to.startsWith(prefix)))
    throw new Error("Forwarding to this prefix is not allowed.");
  if (to === question.number || question.isForwarded) throw new Error("Forwarding loop.");
  return { verb: "forward", to };
}

function reject(code: unknown): Verdict {
  if (typeof code !== "number" || !Object.hasOwn(REJECTIONS, code))
    throw new Error("Calls cannot be rejected with this code.");
  return { verb: "reject", code };
}

function readObject(body: Buffer): Record<string, unknown> {
  let said: unknown;
  try {
    said = JSON.parse(body.toString("utf8"));
  } catch {
    throw new Error("The response is not JSON.");
  }
  if (typeof said !== "object" || said === null) throw new Error("The response is not a JSON object.");
  return said as Record<string, unknown>;
}

function textIn(said: Record<string, unknown>, name: string): string {
  const text = said[name];
  if (typeof text !== "string") throw new Error(`The response has no ${name}.`);
  return text;
}

function addressOf(uri: SipUri): string {
  const host = isIP(uri.host) === 6 ? `[${uri.host}]` : uri.host;
  return `${host}:${portOf(uri)};${uri.transport ?? "udp"}`;
}

/** As sipResolver wants it. */
function nameOf({ host, port, transport }: SipUri): string {
  return `${host}${port ? `:${port}` : ""}${transport ? `;${transport}` : ""}`;
}
