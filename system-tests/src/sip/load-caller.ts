import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PlannedCall } from "./load-callee.ts";
import { dialogOf, type Speaker, writeInDialog, writeInvite } from "./sip-call.ts";
import { branchOf, headerOf, parseMessage, type SipMessage, writeReply } from "./sip-message.ts";
import { SipRepeats } from "./sip-repeats.ts";
import { openUdp, type Peer, type SipTransport } from "./sip-transport.ts";

/** State of a call from the caller's view. */
export interface PlacedCall {
  number: string;
  /** null while there is none. */
  final: number | null;
  /** ACK of an answered call, as sent. */
  acknowledgement: string | undefined;
  hasEnded: boolean;
  /** How the end of it was answered, by whichever side; null while it was not. */
  ending: number | null;
  hangUp(): void;
}

export interface Load {
  to: Peer;
  numbers: string[];
  perSecond: number;
  calls: number;
}

/** A carrier with any number of concurrent calls, which keeps the state of each. */
export class LoadCaller implements AsyncDisposable {
  readonly at: Peer;
  /** By Call-ID. */
  readonly calls = new Map<string, PlacedCall>();
  readonly #transport: SipTransport;
  readonly #plan: (callId: string) => PlannedCall;
  readonly #repeats = new SipRepeats();

  static async open(address: string, plan: (callId: string) => PlannedCall): Promise<LoadCaller> {
    let caller: LoadCaller | undefined;
    const transport = await openUdp(address, 0, (text, from) => {
      if (caller) caller.#receive(parseMessage(text), from);
    });
    return (caller = new LoadCaller(transport, plan));
  }

  private constructor(transport: SipTransport, plan: (callId: string) => PlannedCall) {
    this.#transport = transport;
    this.#plan = plan;
    this.at = { address: transport.address, port: transport.port };
  }

  /** Evenly; resolves when the last one has been begun. */
  async place({ to, numbers, perSecond, calls }: Load): Promise<void> {
    const startedMs = performance.now();
    for (let placed = 0; placed < calls; await sleep(5)) {
      const due = Math.floor(((performance.now() - startedMs) / 1000) * perSecond) + 1;
      for (; placed < Math.min(due, calls); placed += 1) this.#begin(to, numbers[placed % numbers.length]!);
    }
  }

  /** Call-IDs of those that were answered. */
  answered(): string[] {
    return [...this.calls].flatMap(([callId, { final }]) => (final === 200 ? [callId] : []));
  }

  /** Call-IDs of those that are up, as it sees them. */
  up(): string[] {
    return this.answered().filter((callId) => !this.calls.get(callId)!.hasEnded);
  }

  isQuiet(): boolean {
    return this.#repeats.isQuiet();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const call of this.calls.values()) call.hasEnded = true;
    this.#repeats.stopAll();
    await this.#transport.close();
  }

  get #speaker(): Speaker {
    const { address, port } = this.at;
    return { transport: this.#transport, contact: `sip:caller@${address}:${port};transport=udp` };
  }

  #begin(to: Peer, number: string): void {
    const callId = `${randomBytes(10).toString("hex")}@${this.at.address}`;
    const nothingYet = { final: null, acknowledgement: undefined, hasEnded: false, ending: null };
    this.calls.set(callId, { number, ...nothingYet, hangUp() {} });
    const invite = writeInvite(this.#speaker, number, { callId });
    this.#repeats.start(callId, () => void this.#transport.send(invite, to));
  }

  #receive(message: SipMessage, from: Peer): void {
    const callId = headerOf(message, "Call-ID");
    const call = this.calls.get(callId);
    if (!call) return;
    if (message.method === "BYE") {
      this.#end(callId, call, 200);
      void this.#transport.send(writeReply(message, "200 OK", [], "x"), from);
    } else if (message.status !== null) {
      if (headerOf(message, "CSeq").endsWith("INVITE")) this.#heard(callId, call, message, from);
      else if (message.status >= 200) this.#end(callId, call, message.status);
    }
  }

  #heard(callId: string, call: PlacedCall, reply: SipMessage, from: Peer): void {
    // Any reply proves that the INVITE has arrived. After a final one, retransmissions concern the end of the
    // call.
    if (call.final === null) this.#repeats.stop(callId);
    const status = reply.status!;
    if (status >= 300) {
      call.final ??= status;
      void this.#transport.send(this.#acknowledgeRefusal(reply, from), from);
    } else if (status >= 200) {
      if (call.acknowledgement === undefined) this.#answered(callId, call, reply, from);
      void this.#transport.send(call.acknowledgement!, from);
    }
  }

  #answered(callId: string, call: PlacedCall, answer: SipMessage, from: Peer): void {
    const dialog = dialogOf(answer);
    call.acknowledgement = writeInDialog(this.#speaker, dialog, "ACK");
    call.hangUp = () => {
      if (call.hasEnded) return;
      const bye = writeInDialog(this.#speaker, { ...dialog, cseq: dialog.cseq + 1 }, "BYE");
      this.#repeats.start(callId, () => void this.#transport.send(bye, from));
    };
    const { hangsUp, talkMs } = this.#plan(callId);
    // Rejected by one way and then answered by another: not wanted any longer.
    if (call.final !== null) return call.hangUp();
    call.final = 200;
    if (hangsUp === "caller") setTimeout(call.hangUp, talkMs);
  }

  #end(callId: string, call: PlacedCall, ending: number): void {
    this.#repeats.stop(callId);
    call.hasEnded = true;
    call.ending ??= ending;
  }

  /** Under the INVITE's branch: RFC 3261, section 17.1.1.3. */
  #acknowledgeRefusal(apiError: SipMessage, to: Peer): string {
    const dialog = { ...dialogOf(apiError), routes: [], target: `sip:${to.address}:${to.port}` };
    const text = writeInDialog(this.#speaker, dialog, "ACK");
    return text.replace(/;branch=\w+/, `;branch=${branchOf(apiError)}`);
  }
}
