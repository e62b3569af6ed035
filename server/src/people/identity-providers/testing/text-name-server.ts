import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A name server of this machine that knows TXT records only (RFC 1035). */
export interface TextNameServer extends AsyncDisposable {
  /** As node:dns wants it. */
  address: string;
  /** By name: each record in the parts it is sent in. A name that is not in it does not exist. */
  records: Map<string, string[][]>;
  /** Names for which it says that it has failed (SERVFAIL). */
  failing: Set<string>;
}

const TXT = 16;
const NAME_ERROR = 3;
const SERVER_FAILURE = 2;

export async function openTextNameServer(): Promise<TextNameServer> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const records: TextNameServer["records"] = new Map();
  const failing: TextNameServer["failing"] = new Set();
  socket.on("message", (question, from) => {
    const { name, end } = readName(question);
    const reply = replyTo(question.subarray(0, end + 4), records.get(name));
    if (failing.has(name)) reply.writeUInt16BE(0x8180 | SERVER_FAILURE, 2);
    socket.send(reply, from.port, from.address);
  });
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    failing,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
    },
  };
}

function replyTo(question: Buffer, records: string[][] | undefined): Buffer {
  const isAsked = question.readUInt16BE(question.length - 4) === TXT;
  const answers = isAsked ? (records ?? []) : [];
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (records ? 0 : NAME_ERROR), 2);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12), ...answers.map(recordOf)]);
}

function recordOf(parts: string[]): Buffer {
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, "latin1")])));
  const head = Buffer.alloc(12);
  // The name is the one in the question, 12 bytes from the beginning.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let place = 12;
  for (let length = question[place]!; length > 0; length = question[place]!) {
    labels.push(question.toString("latin1", place + 1, place + 1 + length));
    place += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: place + 1 };
}
