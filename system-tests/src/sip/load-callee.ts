import { randomBytes } from "node:crypto";
import { calleeDialogOf, writeInDialog } from "./sip-call.ts";
import { branchOf, headerOf, parseMessage, type SipMessage, writeReply } from "./sip-message.ts";
import { SipRepeats } from "./sip-repeats.ts";
import { openUdp, type Peer, type SipTransport } from "./sip-transport.ts";

/** How a call goes. */
export interface PlannedCall {
  ringMs: number;
  talkMs: number;
  hangsUp: "caller" | "callee";
}

interface TakenCall {
  invite: SipMessage;
  /** 200 as sent. */
  answer: string | undefined;
  isAcknowledged: boolean;
  hasEnded: boolean;
}

/** Accepts any number of concurrent calls. A phone keeps every message, this only the state of each call. */
export class LoadCallee implements AsyncDisposable {
  readonly at: Peer;
  readonly #transport: SipTransport;
  readonly #plan: (callId: string) => PlannedCall;
  readonly #calls = new Map<string, TakenCall>();
  readonly #answers = new Map<string, string>();
  readonly #repeats = new SipRepeats();

  static async open(address: string, plan: (callId: string) => PlannedCall): Promise<LoadCallee> {
    let callee: LoadCallee | undefined;
    const transport = await openUdp(address, 0, (text, from) => {
      if (callee) callee.#receive(parseMessage(text), from);
    });
    return (callee = new LoadCallee(transport, plan));
  }

  private constructor(transport: SipTransport, plan: (callId: string) => PlannedCall) {
    this.#transport = transport;
    this.#plan = plan;
    this.at = { address: transport.address, port: transport.port };
  }

  get contact(): string {
    return `sip:callee@${this.at.address}:${this.at.port};transport=udp`;
  }

  /** Call-IDs of the calls that it has answered. */
  answered(): string[] {
    return [...this.#calls].flatMap(([callId, { answer }]) => (answer === undefined ? [] : [callId]));
  }

  /** Call-IDs of active calls from its view. */
  up(): string[] {
    return [...this.#calls].flatMap(([callId, call]) =>
      call.isAcknowledged && !call.hasEnded ? [callId] : [],
    );
  }

  isQuiet(): boolean {
    return this.#repeats.isQuiet();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const call of this.#calls.values()) call.hasEnded = true;
    this.#repeats.stopAll();
    await this.#transport.close();
  }

  #receive(message: SipMessage, from: Peer): void {
    const callId = headerOf(message, "Call-ID");
    const call = this.#calls.get(callId);
    if (message.status !== null) {
      if (message.status >= 200) this.#end(callId);
    } else if (message.method === "INVITE") {
      if (!call) this.#ring(message, callId, from);
      // The same call by another way, section 8.2.2.2.
      else if (branchOf(call.invite) !== branchOf(message))
        void this.#transport.send(this.#write(message, "482 Loop Detected", "merged"), from);
    } else if (message.method === "ACK") {
      if (call) this.#acknowledged(callId, call, from);
    } else this.#answerEnd(message, callId, from);
  }

  #ring(invite: SipMessage, callId: string, from: Peer): void {
    const call: TakenCall = { invite, answer: undefined, isAcknowledged: false, hasEnded: false };
    this.#calls.set(callId, call);
    const tag = randomBytes(6).toString("hex");
    void this.#transport.send(this.#write(invite, "180 Ringing", tag), from);
    setTimeout(() => {
      if (call.hasEnded) return;
      const answer = (call.answer = this.#write(invite, "200 OK", tag));
      this.#repeats.start(callId, () => void this.#transport.send(answer, from));
    }, this.#plan(callId).ringMs);
  }

  #acknowledged(callId: string, call: TakenCall, from: Peer): void {
    if (call.isAcknowledged || call.answer === undefined) return;
    call.isAcknowledged = true;
    this.#repeats.stop(callId);
    const { hangsUp, talkMs } = this.#plan(callId);
    if (hangsUp === "caller") return;
    const dialog = calleeDialogOf(call.invite, parseMessage(call.answer));
    setTimeout(() => {
      if (call.hasEnded) return;
      const bye = writeInDialog({ transport: this.#transport, contact: this.contact }, dialog, "BYE");
      this.#repeats.start(callId, () => void this.#transport.send(bye, from));
    }, talkMs);
  }

  #answerEnd(bye: SipMessage, callId: string, from: Peer): void {
    const branch = branchOf(bye);
    const isUp = this.#calls.get(callId)?.hasEnded === false;
    const answer = this.#answers.get(branch) ?? this.#write(bye, isUp ? "200 OK" : "481 No Such Call", "x");
    this.#answers.set(branch, answer);
    this.#end(callId);
    void this.#transport.send(answer, from);
  }

  #end(callId: string): void {
    this.#repeats.stop(callId);
    const call = this.#calls.get(callId);
    if (call) call.hasEnded = true;
  }

  #write(request: SipMessage, status: string, tag: string): string {
    return writeReply(request, status, [["Contact", `<${this.contact}>`]], tag);
  }
}
