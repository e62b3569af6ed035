import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { PlacedProbe, ProbeToPlace } from "./probe-service.ts";

/** Longer than any carrier takes to find a switch. */
const GIVE_UP_MS = 20_000;
/** A probe that rings was not recognised: it hangs up before the phone is answered. */
const RINGING_MS = 2_000;
/** Time for the response to CANCEL. */
const CANCEL_MS = 2_000;

export interface ProbeLine {
  /** Port of the switch's HTTP, which also takes probes. */
  port: number;
  /** Address and port of the switch, for Contact and SDP. */
  contact: string;
}

interface Response {
  status: number;
  headers: Map<string, string[]>;
}

/** Places the call through the switch on this machine, and hangs up as soon as its result is known. */
export function placeProbeCall({ port, contact }: ProbeLine, probe: ProbeToPlace): Promise<PlacedProbe> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      const call = new ProbeCall(socket, contact, probe);
      call.run().then(resolve, reject);
    });
  });
}

class ProbeCall {
  readonly #socket: Socket;
  readonly #contact: string;
  readonly #probe: ProbeToPlace;
  readonly #startedMs = performance.now();
  readonly #callId = randomBytes(16).toString("hex");
  readonly #tag = randomBytes(8).toString("hex");
  readonly #branch = `z9hG4bK${randomBytes(12).toString("hex")}`;
  readonly #uri: string;
  #received = "";
  #hasRung = false;
  #timer: NodeJS.Timeout | undefined;
  #finished = Promise.withResolvers<number | null>();

  constructor(socket: Socket, contact: string, probe: ProbeToPlace) {
    this.#socket = socket;
    this.#contact = contact;
    this.#probe = probe;
    this.#uri = `sip:${probe.number}@${contact}`;
  }

  async run(): Promise<PlacedProbe> {
    this.#socket.setEncoding("latin1");
    this.#socket.on("data", (text: string) => this.#take(text));
    this.#socket.on("close", () => this.#finished.resolve(null));
    this.#timer = setTimeout(() => this.#cancel(), GIVE_UP_MS);
    this.#send(this.#request("INVITE", { more: this.#inviteHeaders(), body: this.#sdp() }));
    const code = await this.#finished.promise;
    clearTimeout(this.#timer);
    this.#socket.end();
    const tookMs = Math.round(performance.now() - this.#startedMs);
    return { probe_id: this.#probe.id, code, has_rung: this.#hasRung, took_ms: tookMs };
  }

  #take(text: string): void {
    this.#received += text;
    for (let end = this.#received.indexOf("\r\n\r\n"); end >= 0; end = this.#received.indexOf("\r\n\r\n")) {
      const head = this.#received.slice(0, end);
      const length = Number(/^(?:content-length|l)\s*:\s*(\d+)/im.exec(head)?.[1] ?? 0);
      if (this.#received.length < end + 4 + length) return;
      this.#received = this.#received.slice(end + 4 + length);
      this.#respond(head);
    }
  }

  #respond(head: string): void {
    const response = readResponse(head);
    if (!response || !/INVITE/.test(response.headers.get("cseq")?.[0] ?? "")) return;
    const { status } = response;
    if (status < 180) return;
    if (status < 200) return this.#ring();
    if (status < 300) this.#hangUp(response);
    else this.#send(this.#request("ACK", { to: response.headers.get("to")?.[0] }));
    this.#finished.resolve(status);
  }

  #ring(): void {
    if (this.#hasRung) return;
    this.#hasRung = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#cancel(), RINGING_MS);
  }

  #cancel(): void {
    this.#send(this.#request("CANCEL"));
    this.#timer = setTimeout(() => this.#finished.resolve(null), CANCEL_MS);
  }

  /** Another party has answered the call. */
  #hangUp({ headers }: Response): void {
    const [to] = headers.get("to") ?? [];
    const uri = /<([^>]+)>/.exec(headers.get("contact")?.[0] ?? "")?.[1] ?? this.#uri;
    const routes = (headers.get("record-route") ?? []).toReversed();
    const more = routes.map((route) => `Route: ${route}`);
    for (const method of ["ACK", "BYE"] as const)
      this.#send(this.#request(method, { to, uri, more, branch: `${this.#branch}${method}` }));
  }

  #request(
    method: "INVITE" | "ACK" | "BYE" | "CANCEL",
    {
      to = `<${this.#uri}>`,
      uri = this.#uri,
      branch = this.#branch,
      more = [] as string[],
      body = "",
    }: { to?: string | undefined; uri?: string; branch?: string; more?: string[]; body?: string } = {},
  ): string {
    const { localPort } = this.#socket;
    const { caller, number, token } = this.#probe;
    return [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/TCP 127.0.0.1:${localPort};branch=${branch};rport`,
      "Max-Forwards: 70",
      `From: <sip:${caller ?? number}@${this.#contact}>;tag=${this.#tag}`,
      `To: ${to}`,
      `Call-ID: ${this.#callId}`,
      `CSeq: ${method === "BYE" ? 2 : 1} ${method}`,
      `X-Dialplane-Probe: ${token}`,
      ...more,
      `Content-Length: ${body.length}`,
      "",
      body,
    ].join("\r\n");
  }

  #inviteHeaders(): string[] {
    const { gateway } = this.#probe;
    return [
      `Contact: <sip:probe@${this.#contact};transport=tcp>`,
      ...(gateway === null ? [] : [`X-Dialplane-Gateway: ${gateway}`]),
      "Content-Type: application/sdp",
    ];
  }

  /** Nothing is ever sent to this port. */
  #sdp(): string {
    const address = this.#contact.replace(/:\d+$/, "").replaceAll(/[[\]]/g, "");
    const network = address.includes(":") ? "IP6" : "IP4";
    return [
      "v=0",
      `o=- 1 1 IN ${network} ${address}`,
      "s=-",
      `c=IN ${network} ${address}`,
      "t=0 0",
      "m=audio 9 RTP/AVP 8 0",
      "",
    ].join("\r\n");
  }

  #send(text: string): void {
    if (this.#socket.writable) this.#socket.write(text, "latin1");
  }
}

function readResponse(head: string): Response | undefined {
  const [first = "", ...lines] = head.split("\r\n");
  const status = Number(/^SIP\/2\.0 (\d{3})/.exec(first)?.[1]);
  if (!status) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    const long = SHORT_NAMES[name.toLowerCase()] ?? name.toLowerCase();
    headers.set(long, [...(headers.get(long) ?? []), value]);
  }
  return { status, headers };
}

const SHORT_NAMES: Record<string, string> = { t: "to", m: "contact" };
