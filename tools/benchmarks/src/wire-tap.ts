import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A statement as it went over the wire; nothing stands for null. */
export interface SentStatement {
  text: string;
  values: (string | undefined)[];
  /** Counted from 1 in the order of their opening. */
  connection: number;
}

export interface WireTap extends AsyncDisposable {
  /** The same database, by way of the tap. */
  url: string;
  /** Statements sent since the last call, by connections of this role, in their order. */
  take(role: string): SentStatement[];
}

/** Proxy between a program and PostgreSQL that records the statements, so that pgbench can send the same. */
export async function tapWire(databaseUrl: string): Promise<WireTap> {
  const target = new URL(databaseUrl);
  const sent: { role: string; statement: SentStatement }[] = [];
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const connection = ++opened;
    const reader = new FrontendReader((role, statement) =>
      sent.push({ role, statement: { ...statement, connection } }),
    );
    client.on("data", (chunk: Buffer) => reader.read(chunk));
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {}); // either end may go first
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    take(role) {
      return sent.splice(0).flatMap((one) => (one.role === role ? [one.statement] : []));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

type OnStatement = (role: string, statement: Omit<SentStatement, "connection">) => void;

/** One connection's half of the protocol that comes from the client: PostgreSQL's manual, “Message Formats”. */
class FrontendReader {
  readonly #onStatement: OnStatement;
  readonly #prepared = new Map<string, string>();
  #pending: Buffer = Buffer.alloc(0);
  #role: string | undefined;

  constructor(onStatement: OnStatement) {
    this.#onStatement = onStatement;
  }

  read(chunk: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, chunk]);
    for (;;) {
      // Only the first message has no letter before its length.
      const start = this.#role === undefined ? 0 : 1;
      if (this.#pending.length < start + 4) return;
      const end = start + this.#pending.readInt32BE(start);
      if (this.#pending.length < end) return;
      const body = new MessageBody(this.#pending.subarray(start + 4, end));
      if (this.#role === undefined) this.#role = roleIn(body);
      else this.#hear(String.fromCharCode(this.#pending[0]!), body);
      this.#pending = this.#pending.subarray(end);
    }
  }

  #hear(kind: string, body: MessageBody): void {
    if (kind === "P") this.#prepared.set(body.text(), body.text());
    if (kind === "Q") this.#onStatement(this.#role!, { text: body.text(), values: [] });
    if (kind !== "B") return;
    body.text(); // the portal
    const text = this.#prepared.get(body.text())!;
    const formats = Array.from({ length: body.int16() }, () => body.int16());
    const values = Array.from({ length: body.int16() }, (_, at) => {
      const length = body.int32();
      if (length === -1) return undefined;
      const bytes = body.bytes(length);
      const isBinary = (formats.length === 1 ? formats[0] : formats[at]) === 1;
      return isBinary ? `\\x${bytes.toString("hex")}` : bytes.toString("utf8");
    });
    this.#onStatement(this.#role!, { text, values });
  }
}

function roleIn(startup: MessageBody): string {
  startup.int32(); // version of the protocol
  for (;;) {
    const [name, value] = [startup.text(), startup.text()];
    if (name === "user" || name === "") return value;
  }
}

class MessageBody {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    return this.bytes(2).readInt16BE();
  }

  int32(): number {
    return this.bytes(4).readInt32BE();
  }

  bytes(length: number): Buffer {
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}
