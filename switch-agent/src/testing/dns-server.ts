import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";

type Answer =
  | { type: "A"; address: string; ttl?: number }
  | { type: "SRV"; priority: number; weight: number; port: number; target: string }
  | { type: "NAPTR"; order: number; service: string; replacement: string };

const TYPES = { A: 1, AAAA: 28, SRV: 33, NAPTR: 35 } as const;
const NAME_ERROR = 3;

export interface DnsServer {
  /** As node:dns wants it. */
  address: string;
  /** By name in small letters; a name that is not in it does not exist. */
  zone: Map<string, Answer[]>;
  /** Takes questions and answers none. */
  isSilent: boolean;
  /** Names about which it answers nothing. */
  silent: Set<string>;
  asked: string[];
  close(): void;
}

/** A name server of this machine with as much of the protocol as a SIP name needs. */
export async function openDnsServer(): Promise<DnsServer> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const server: DnsServer = {
    address: `127.0.0.1:${socket.address().port}`,
    zone: new Map(),
    isSilent: false,
    silent: new Set(),
    asked: [],
    close: () => void socket.close(),
  };
  socket.on("message", (question: Buffer, from: RemoteInfo) => {
    const { name, end } = readName(question);
    server.asked.push(name);
    if (server.isSilent || server.silent.has(name)) return;
    socket.send(replyTo(question, end, server.zone.get(name)), from.port, from.address);
  });
  return server;
}

function replyTo(question: Buffer, end: number, records: Answer[] | undefined): Buffer {
  const type = question.readUInt16BE(end);
  const fitting = (records ?? []).filter((record) => TYPES[record.type] === type);
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(0x8180 | (records ? 0 : NAME_ERROR), 2);
  head.writeUInt16BE(fitting.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12, end + 4), ...fitting.map(recordOf)]);
}

function recordOf(record: Answer): Buffer {
  const data = dataOf(record);
  const head = Buffer.alloc(12);
  // The name is the one in the question, 12 bytes from the beginning.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(TYPES[record.type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(record.type === "A" ? (record.ttl ?? 60) : 60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(record: Answer): Buffer {
  if (record.type === "A") return Buffer.from(record.address.split(".").map(Number));
  if (record.type === "SRV")
    return Buffer.concat([numbers(record.priority, record.weight, record.port), nameBytes(record.target)]);
  const texts = ["s", record.service, ""].map((text) =>
    Buffer.from(`${String.fromCharCode(text.length)}${text}`),
  );
  return Buffer.concat([numbers(record.order, 10), ...texts, nameBytes(record.replacement)]);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  values.forEach((value, place) => bytes.writeUInt16BE(value, 2 * place));
  return bytes;
}

function nameBytes(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
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
