import { setTimeout as sleep } from "node:timers/promises";
import type { Phone, Reply } from "../sip/phone.ts";
import {
  acknowledgeRefusal,
  calleeDialogOf,
  type Dialog,
  dialogOf,
  writeCancel,
  writeInDialog,
  writeInvite,
} from "../sip/sip-call.ts";
import { headerOf, parseMessage, type SipMessage } from "../sip/sip-message.ts";
import type { Peer } from "../sip/sip-transport.ts";
import { until } from "../sip/until.ts";

/** How a call ended, as its caller knows it and as its record has to tell it. */
export interface EndedCall {
  way: string;
  callId: string;
  result: string;
  endedBy: "caller" | "callee" | "switch";
  reason: string | null;
  /** Talk time as the caller measured it. Null for a call that was not answered. */
  talkMs: number | null;
}

export interface Parties {
  caller: Phone;
  callee: Phone;
  /** Another member of the callee's cluster. */
  sibling: Phone;
  switchAt: Peer;
}

export const REFUSALS: Record<number, string> = {
  403: "rejected",
  404: "rejected",
  480: "no_answer",
  484: "rejected",
  486: "busy",
  488: "rejected",
  503: "failed",
  603: "rejected",
};

const WAY = "Subject";
const TALK_MS = 700;
const RING_MS = 300;
const PATIENCE_MS = 120_000;
const OK: Reply = { status: "200 OK" };

/** Does what the caller writes into the call: the same phone takes calls of every kind. */
export function takeCalls({ callee, sibling }: Parties): void {
  callee.behave((request) => {
    if (request.method !== "INVITE") return [OK];
    const way = headerOf(request, WAY);
    const ringing = { status: "180 Ringing" };
    if (/^\d{3}$/.test(way)) return [ringing, { status: `${way} Refused` }];
    if (way === "cancelled") return [ringing, { status: "487 Request Terminated", afterMs: 2 * RING_MS }];
    if (way === "dead") return [ringing];
    if (way === "too late") return [ringing, { ...OK, afterMs: 7_000 }];
    const named = (text: string): string => text.replace(/^Contact: .*$/m, `Contact: <${sibling.contact}>`);
    return [ringing, { ...OK, afterMs: RING_MS, ...(way === "sibling" && { spoil: named }) }];
  });
}

/** Places a call that ends in this way, and sees it to its end. */
export async function placeUntilEnd(parties: Parties, number: string, way: string): Promise<EndedCall> {
  const { caller, switchAt } = parties;
  const invite = writeInvite(caller, number, { headers: [[WAY, way]] });
  const callId = headerOf(parseMessage(invite), "Call-ID");
  if (way === "cancelled") {
    await caller.ask(invite, switchAt, (status) => status === 180);
    await caller.ask(writeCancel(invite), switchAt);
  }
  const final = await caller.ask(invite, switchAt);
  const ended = { way, callId, talkMs: null };
  if (final.status! >= 300) {
    await caller.sendText(acknowledgeRefusal(invite, final), switchAt);
    if (way === "cancelled") return { ...ended, result: "cancelled", endedBy: "caller", reason: null };
    // On a machine that is starved, a callee may be silent for so long that the switch gives it up.
    const isSilent = final.status === 480 && !(way in REFUSALS);
    if (isSilent || way === "dead" || way === "too late")
      return { ...ended, result: "no_answer", endedBy: "switch", reason: "no_answer" };
    const isMapped = way === "503";
    return {
      ...ended,
      result: REFUSALS[Number(way)]!,
      endedBy: "callee",
      reason: isMapped ? "target_failed" : null,
    };
  }
  const answeredMs = performance.now();
  await talk(parties, { way, callId, final });
  const talkMs = performance.now() - answeredMs;
  return { ...ended, talkMs, result: "answered", endedBy: endedBy(way), reason: reasonOf(way) };
}

const endedBy = (way: string): EndedCall["endedBy"] =>
  way === "caller" ? "caller" : reasonOf(way) === null ? "callee" : "switch";

const reasonOf = (way: string): string | null =>
  way === "too long" ? "max_length" : way === "never acknowledged" ? "never_acknowledged" : null;

async function talk(
  parties: Parties,
  { way, callId, final }: { way: string; callId: string; final: SipMessage },
): Promise<void> {
  const { caller, callee, sibling, switchAt } = parties;
  const dialog = dialogOf(final);
  if (way !== "never acknowledged") await caller.sendText(writeInDialog(caller, dialog, "ACK"), switchAt);
  if (way === "too long" || way === "never acknowledged") return untilHungUp(caller, callId);
  await sleep(TALK_MS);
  if (way === "caller") return hangUp(caller, { ...dialog, cseq: 2 }, switchAt);
  const invite = callee.requests("INVITE").find((one) => headerOf(one, "Call-ID") === callId)!;
  await hangUp(way === "sibling" ? sibling : callee, calleeDialogOf(invite, final), switchAt);
}

export async function hangUp(by: Phone, dialog: Dialog, switchAt: Peer): Promise<void> {
  const { status } = await by.ask(writeInDialog(by, dialog, "BYE"), switchAt);
  if (status !== 200) throw new Error(`a BYE got ${status}`);
}

async function untilHungUp(caller: Phone, callId: string): Promise<void> {
  const hasEnded = (): boolean =>
    caller.received.some(
      ({ message }) => message.method === "BYE" && headerOf(message, "Call-ID") === callId,
    );
  await until("the switch to end the call", hasEnded, PATIENCE_MS);
}
