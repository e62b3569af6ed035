import { connect, type Socket } from "node:net";

/** An unanswered frame was lost or never will be: evapi drops one in silence when its length is split in two reads. */
const ANSWER_MS = 1_000;
/** Timeout of a request, including its time in the queue. */
const GIVE_UP_MS = 4_000;
const RECONNECT_MS = 100;
const HEARTBEAT_MS = 500;
/** evapi resets a connection at 32 KB; each frame costs a change of processes. */
const MAX_FRAME_BYTES = 15_000;
/** Abilities by the version of kamailio.cfg that added them. */
const FEATURES = { failover: 2, forwarding: 3, trunks: 4, probes: 5 };

export interface Beat {
  boot: string;
  isSynced: boolean;
}

interface Question {
  id: number;
  frame: string;
  resolve(lines: string[]): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/**
 * Connection to Kamailio's evapi: ASCII netstrings, with responses matched by ID. Unconfirmed requests are
 * sent again on a new connection, so all requests must be idempotent.
 */
export class ControlLine {
  readonly #port: number;
  readonly #beaten: (beat: Beat | undefined) => void;
  readonly #heartbeat: NodeJS.Timeout;
  /** Optional abilities of the running kamailio.cfg. Earlier versions do not report theirs. */
  features: readonly string[] = [];
  #socket: Socket | undefined;
  #isReady = false;
  #received = "";
  #queue: Question[] = [];
  #current: Question | undefined;
  #answerTimer: NodeJS.Timeout | undefined;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #isBeating = false;
  #lastId = 0;
  #isClosed = false;

  /** `beaten` gets the switch's heartbeat response every 500 ms, or undefined if there is none. */
  constructor(port: number, beaten: (beat: Beat | undefined) => void) {
    this.#port = port;
    this.#beaten = beaten;
    this.#heartbeat = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#connect();
  }

  /** Sends a heartbeat. The switch sends events only to a client that does so. */
  async beat(): Promise<Beat> {
    const [head = ""] = await this.ask("P");
    const [boot = "", synced = ""] = head.split(" ");
    const cfg = Number(/ cfg=(\d+)/.exec(head)?.[1] ?? 1);
    this.features = Object.entries(FEATURES).flatMap(([name, since]) => (cfg >= since ? [name] : []));
    if (boot === "") throw new Error("The switch did not report its boot ID.");
    return { boot, isSynced: synced === "1" };
  }

  /** Returns the rest of the response's first line, and its other lines. `lines` must fit into one frame. */
  ask(op: string, rest = "", lines: string[] = []): Promise<string[]> {
    if (this.#isClosed) return Promise.reject(new Error("The connection is closed."));
    const id = ++this.#lastId;
    const frame = [`${op} ${id}${rest === "" ? "" : ` ${rest}`}`, ...lines].join("\n");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => setImmediate(() => this.#giveUp(id)), GIVE_UP_MS);
      this.#queue.push({ id, frame, resolve, reject, timer });
      this.#pump();
    });
  }

  /** As many lines, from a place on, as go into one frame; at least one. */
  static fit(lines: string[], from: number, bytes = MAX_FRAME_BYTES): number {
    let length = 0;
    let place = from;
    for (; place < lines.length; place++) {
      length += lines[place]!.length + 1;
      if (length > bytes && place > from) break;
    }
    return place;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#heartbeat);
    clearTimeout(this.#reconnectTimer);
    this.#socket?.destroy();
    const open = this.#current ? [this.#current, ...this.#queue] : this.#queue;
    this.#current = undefined;
    this.#queue = [];
    clearTimeout(this.#answerTimer);
    for (const question of open) this.#refuse(question, "The connection is closed.");
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const beat = await this.beat().catch(() => undefined);
    this.#isBeating = false;
    if (!this.#isClosed) this.#beaten(beat);
  }

  #connect(): void {
    if (this.#isClosed) return;
    const socket = connect({ port: this.#port, host: "127.0.0.1", noDelay: true });
    this.#socket = socket;
    this.#received = "";
    socket.setEncoding("latin1");
    socket.on("connect", () => {
      this.#isReady = true;
      void this.#beat();
      this.#pump();
    });
    socket.on("data", (text: string) => this.#take(text));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#lost(socket));
  }

  #lost(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#isReady = false;
    clearTimeout(this.#answerTimer);
    if (this.#current) this.#queue.unshift(this.#current);
    this.#current = undefined;
    clearTimeout(this.#reconnectTimer);
    if (!this.#isClosed) this.#reconnectTimer = setTimeout(() => this.#connect(), RECONNECT_MS);
  }

  #pump(): void {
    if (this.#current || !this.#isReady) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#current = next;
    this.#socket!.write(`${next.frame.length}:${next.frame},`, "latin1");
    const { id } = next;
    // The answer may be here already, unread while the agent was busy: reading comes first.
    this.#answerTimer = setTimeout(
      () => setImmediate(() => this.#current?.id === id && this.#socket?.destroy()),
      ANSWER_MS,
    );
  }

  #take(text: string): void {
    this.#received += text;
    for (;;) {
      const colon = this.#received.indexOf(":");
      if (colon < 0) return;
      const end = colon + 1 + Number(this.#received.slice(0, colon));
      if (Number.isNaN(end)) return void this.#socket?.destroy();
      if (this.#received.length < end + 1) return;
      const frame = this.#received.slice(colon + 1, end);
      this.#received = this.#received.slice(end + 1);
      this.#takeFrame(frame);
    }
  }

  #takeFrame(frame: string): void {
    const lines = frame.split("\n");
    const [, id = "", ...rest] = lines[0]!.split(" ");
    const current = this.#current;
    // An answer to what was sent before the line broke.
    if (current?.id !== Number(id)) return;
    this.#current = undefined;
    clearTimeout(this.#answerTimer);
    clearTimeout(current.timer);
    lines[0] = rest.join(" ");
    current.resolve(lines);
    this.#pump();
  }

  #giveUp(id: number): void {
    const words = `The switch did not respond on its control connection within ${GIVE_UP_MS / 1000} s.`;
    if (this.#current?.id === id) {
      const question = this.#current;
      this.#current = undefined;
      this.#refuse(question, words);
      this.#socket?.destroy();
      return;
    }
    const place = this.#queue.findIndex((question) => question.id === id);
    if (place >= 0) this.#refuse(this.#queue.splice(place, 1)[0]!, words);
  }

  #refuse(question: Question, words: string): void {
    clearTimeout(question.timer);
    question.reject(new Error(words));
  }
}
