import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RedirectReply {
  status: number;
  headers: Record<string, string>;
  text: string;
}

export interface AskedCall {
  numberId?: string;
  number?: string;
  url: string;
  /** More headers of the call, each a line. */
  lines?: string[];
}

/** Asks about calls as the switch does: INVITEs over one TCP connection. */
export class AskingSwitch implements Disposable {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, (reply: RedirectReply) => void>();
  #text = "";

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("error", () => {});
    socket.on("data", (chunk) => this.#take(String(chunk)));
  }

  static async open(port: number): Promise<AskingSwitch> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return new AskingSwitch(socket);
  }

  /** The final answer. */
  ask(call: AskedCall): Promise<RedirectReply> {
    return this.start(call).reply;
  }

  start(call: AskedCall): { reply: Promise<RedirectReply>; cancel(): void } {
    const branch = `z9hG4bK${randomBytes(8).toString("hex")}`;
    const { promise, resolve } = Promise.withResolvers<RedirectReply>();
    this.#waiting.set(branch, resolve);
    this.#socket.write(inviteOf(branch, call), "latin1");
    const cancel = (): void => void this.#socket.write(requestOf("CANCEL", branch, []), "latin1");
    return { reply: promise, cancel };
  }

  write(text: string): void {
    this.#socket.write(text, "latin1");
  }

  closed(): Promise<unknown> {
    return once(this.#socket, "close");
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#text += chunk;
    for (let end = this.#text.indexOf("\r\n\r\n"); end >= 0; end = this.#text.indexOf("\r\n\r\n")) {
      const reply = parse(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 4);
      const branch = /branch=([^;\s]+)/.exec(reply.headers["via"] ?? "")?.[1] ?? "";
      if (reply.status >= 200 && reply.headers["cseq"]?.endsWith("INVITE"))
        this.#waiting.get(branch)?.(reply);
    }
  }
}

export function inviteOf(
  branch: string,
  { numberId = "number-1", number = "+4930901820", url, lines = [] }: AskedCall,
): string {
  return requestOf("INVITE", branch, [
    ...lines,
    `X-Dialplane-Number: ${number}`,
    `X-Dialplane-Number-Id: ${numberId}`,
    "X-Dialplane-Generation: 7",
    `X-Dialplane-Record: ${randomBytes(16).toString("hex")}`,
    `X-Dialplane-Url: ${url}`,
  ]);
}

function requestOf(method: string, branch: string, lines: string[]): string {
  const body = method === "INVITE" ? "v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\n" : "";
  return [
    `${method} sip:+4930901820@127.0.0.1 SIP/2.0`,
    `Via: SIP/2.0/TCP 127.0.0.1:5060;branch=${branch}`,
    "v: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKcaller",
    'f: "Olive, \\"the <sip:no@no>\\"" <sip:+442079460000@carrier.example>;tag=1',
    "t: <sip:+4930901820@127.0.0.1>",
    "i: call-1@192.0.2.1",
    `CSeq: 1 ${method}`,
    ...lines,
    `l: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

function parse(head: string): RedirectReply {
  const [first = "", ...lines] = head.split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] ??= line.slice(colon + 1).trim();
  }
  return { status: Number(first.split(" ")[1]), headers, text: head };
}
