import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SipMessage } from "./sip-message.ts";
import { branchOf, headerOf, parseMessage, writeReply } from "./sip-message.ts";
import { openStream, openUdp } from "./sip-transport.ts";
import type { Certificate, Peer, SipTransport } from "./sip-transport.ts";
import { until } from "./until.ts";

export interface Reply {
  /** Such as "486 Busy Here". */
  status: string;
  headers?: [string, string][];
  afterMs?: number;
  /** Modifies sent messages, which may become invalid. */
  spoil?(text: string): string;
}

export interface Received {
  message: SipMessage;
  from: Peer;
}

/** Says how a request is answered; an empty list is silence. */
export type Manners = (request: SipMessage) => Reply[];

/** Rings and answers; says yes to everything else. */
const answerCall: Manners = (request) =>
  request.method === "INVITE" ? [{ status: "180 Ringing" }, { status: "200 OK" }] : [{ status: "200 OK" }];

/** Gives this answer to calls, and yes to everything else. */
export const answerWith =
  (...replies: (string | Reply)[]): Manners =>
  (request) =>
    request.method === "INVITE"
      ? replies.map((reply) => (typeof reply === "string" ? { status: reply } : reply))
      : [{ status: "200 OK" }];

export interface Phone extends AsyncDisposable {
  transport: SipTransport;
  /** Its own address as in a Contact. */
  contact: string;
  /** Every request and reply, in the order in which they came; retransmissions are left out. */
  received: Received[];
  requests(method: string): SipMessage[];
  /** How it answers from now on. */
  behave(manners: Manners): void;
  sendText(text: string, to: Peer): Promise<void>;
  /** The reply to what was sent last under this branch that fits; repeats the request as UDP needs it. */
  ask(text: string, to: Peer, fits?: (status: number) => boolean): Promise<SipMessage>;
  close(): Promise<void>;
}

export interface PhoneOptions {
  port?: number;
  kind?: "udp" | "tcp" | "tls";
  certificate?: Certificate;
  contact?: string;
}

export async function openPhone(address: string, options: PhoneOptions = {}): Promise<Phone> {
  const received: Received[] = [];
  const answered = new Map<string, string[]>();
  let manners: Manners = answerCall;
  const tag = randomBytes(4).toString("hex");

  const receive = (text: string, from: Peer): void => {
    if (text.trim() === "") return;
    const message = parseMessage(text);
    const key = `${message.method} ${branchOf(message)}`;
    if (message.method !== null && message.method !== "ACK") {
      const sent = answered.get(key);
      for (const reply of sent ?? []) void transport.send(reply, from);
      if (sent !== undefined) return;
      void answer(message, from, key);
    }
    received.push({ message, from });
  };
  const answer = async (request: SipMessage, from: Peer, key: string): Promise<void> => {
    const sent: string[] = [];
    answered.set(key, sent);
    for (const { status, headers = [], afterMs = 0, spoil = (text: string) => text } of manners(request)) {
      if (afterMs > 0) await sleep(afterMs);
      const reply = spoil(writeReply(request, status, [["Contact", `<${phone.contact}>`], ...headers], tag));
      sent.push(reply);
      await transport.send(reply, from);
    }
  };

  const { kind = "udp", port = 0, certificate } = options;
  const transport =
    kind === "udp"
      ? await openUdp(address, port, receive)
      : await openStream(address, port, receive, kind === "tls" ? certificate! : null);
  const phone: Phone = {
    transport,
    contact: options.contact ?? `sip:phone@${address}:${transport.port};transport=${kind}`,
    received,
    requests: (method) => received.flatMap(({ message }) => (message.method === method ? [message] : [])),
    behave: (changed) => {
      manners = changed;
    },
    sendText: (text, to) => transport.send(text, to),
    ask: (text, to, fits = (status) => status >= 200) => ask(phone, text, to, fits),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
  return phone;
}

async function ask(
  phone: Phone,
  text: string,
  to: Peer,
  fits: (status: number) => boolean,
): Promise<SipMessage> {
  const request = parseMessage(text);
  const isAnswer = ({ message }: Received): boolean =>
    message.status !== null &&
    branchOf(message) === branchOf(request) &&
    headerOf(message, "CSeq") === headerOf(request, "CSeq");
  const answers = (): SipMessage[] =>
    phone.received.flatMap((one) => (isAnswer(one) && fits(one.message.status!) ? [one.message] : []));
  await phone.sendText(text, to);
  let sentAt = performance.now();
  return until(`an answer to ${request.startLine}`, async () => {
    if (answers().length > 0) return answers()[0]!;
    if (
      phone.transport.kind === "udp" &&
      performance.now() - sentAt > 500 &&
      !phone.received.some(isAnswer)
    ) {
      sentAt = performance.now();
      await phone.sendText(text, to);
    }
    return undefined;
  });
}
