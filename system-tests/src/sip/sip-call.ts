import { randomBytes } from "node:crypto";
import type { Phone } from "./phone.ts";
import type { SipMessage } from "./sip-message.ts";
import { headerOf, routesOf, uriIn, writeMessage } from "./sip-message.ts";
import type { Peer } from "./sip-transport.ts";

export interface CallOptions {
  /** Added to the INVITE as they are. */
  headers?: [string, string][];
  maxForwards?: number;
  contact?: string;
  callId?: string;
  /** The caller's number. */
  from?: string;
}

export interface Call {
  /** The final answer. */
  final: SipMessage;
  status: number;
  invite: string;
  dialog: Dialog;
  bye(): Promise<number>;
  /** Sends a request within the call and returns the status of its response. */
  ask(method: string): Promise<number>;
}

/** State of a call at one end, with everything that later requests need. */
export interface Dialog {
  callId: string;
  local: string;
  remote: string;
  routes: string[];
  target: string;
  cseq: number;
}

/** As much of a phone as it takes to write a request. */
export type Speaker = Pick<Phone, "transport" | "contact">;

const newBranch = (): string => `z9hG4bK${randomBytes(8).toString("hex")}`;

export function writeInvite(phone: Speaker, number: string, options: CallOptions = {}): string {
  const { transport } = phone;
  return writeMessage(`INVITE sip:${number}@switch.invalid SIP/2.0`, [
    ["Via", viaOf(phone)],
    ["From", `<sip:${options.from ?? "+15550009999"}@carrier.invalid>;tag=${randomBytes(6).toString("hex")}`],
    ["To", `<sip:${number}@switch.invalid>`],
    ["Call-ID", options.callId ?? `${randomBytes(10).toString("hex")}@${transport.address}`],
    ["CSeq", "1 INVITE"],
    ["Contact", `<${options.contact ?? phone.contact}>`],
    ["Max-Forwards", String(options.maxForwards ?? 70)],
    ...(options.headers ?? []),
  ]);
}

const viaOf = ({ transport }: Speaker, branch = newBranch()): string =>
  `SIP/2.0/${transport.kind.toUpperCase()} ${transport.address}:${transport.port};branch=${branch}`;

/** Places a call and waits for its final answer, which it acknowledges. */
export async function placeCall(
  phone: Phone,
  to: Peer,
  number: string,
  options?: CallOptions,
): Promise<Call> {
  const invite = writeInvite(phone, number, options);
  const final = await phone.ask(invite, to);
  const dialog = dialogOf(final);
  if (final.status! < 300) await phone.sendText(writeInDialog(phone, dialog, "ACK"), to);
  else await phone.sendText(acknowledgeRefusal(invite, final), to);
  const ask = async (method: string): Promise<number> => {
    dialog.cseq += 1;
    return (await phone.ask(writeInDialog(phone, dialog, method), to)).status!;
  };
  return { final, status: final.status!, invite, dialog, ask, bye: () => ask("BYE") };
}

/** Dialog of the caller, from the final response. */
export function dialogOf(final: SipMessage): Dialog {
  return {
    callId: headerOf(final, "Call-ID"),
    local: headerOf(final, "From"),
    remote: headerOf(final, "To"),
    routes: routesOf(final, "Record-Route").reverse(),
    target: uriIn(headerOf(final, "Contact")),
    cseq: Number.parseInt(headerOf(final, "CSeq"), 10),
  };
}

/** As the callee knows it from the INVITE and what it answered. */
export function calleeDialogOf(invite: SipMessage, answered: SipMessage): Dialog {
  return {
    callId: headerOf(invite, "Call-ID"),
    local: headerOf(answered, "To"),
    remote: headerOf(invite, "From"),
    routes: routesOf(invite, "Record-Route"),
    target: uriIn(headerOf(invite, "Contact")),
    cseq: 1,
  };
}

export function writeInDialog(
  phone: Speaker,
  dialog: Dialog,
  method: string,
  changed: Partial<Dialog> = {},
): string {
  const { callId, local, remote, routes, target, cseq } = { ...dialog, ...changed };
  return writeMessage(`${method} ${target} SIP/2.0`, [
    ["Via", viaOf(phone)],
    ...routes.map((route): [string, string] => ["Route", route]),
    ["From", local],
    ["To", remote],
    ["Call-ID", callId],
    ["CSeq", `${cseq} ${method}`],
    ["Contact", `<${phone.contact}>`],
    ["Max-Forwards", "70"],
  ]);
}

/** RFC 3261, section 17.1.1.3: under the branch of the INVITE, to where that went. */
export function acknowledgeRefusal(invite: string, final: SipMessage): string {
  const to = headerOf(final, "To");
  return invite
    .replace(/^INVITE/, "ACK")
    .replace("CSeq: 1 INVITE", "CSeq: 1 ACK")
    .replace(/^To: .*$/m, `To: ${to}`);
}

/** A CANCEL repeats the INVITE's branch. */
export function writeCancel(invite: string): string {
  return invite.replace(/^INVITE/, "CANCEL").replace("CSeq: 1 INVITE", "CSeq: 1 CANCEL");
}
