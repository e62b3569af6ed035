import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";

export interface Peer {
  address: string;
  port: number;
}

export interface SipTransport {
  readonly kind: "udp" | "tcp" | "tls";
  readonly address: string;
  readonly port: number;
  send(text: string, to: Peer): Promise<void>;
  close(): Promise<void>;
}

export type Receive = (text: string, from: Peer) => void;

export async function openUdp(address: string, port: number, receive: Receive): Promise<SipTransport> {
  const socket = createSocket("udp4");
  socket.on("message", (data, from) => receive(data.toString("latin1"), from));
  // A closed port causes an ICMP error at the next datagram, which is ignored.
  socket.on("error", () => undefined);
  socket.bind(port, address);
  await once(socket, "listening");
  let isOpen = true;
  return {
    kind: "udp",
    address,
    port: socket.address().port,
    send: (text, to) =>
      new Promise((done) => {
        socket.send(Buffer.from(text, "latin1"), to.port, to.address, () => done());
      }),
    close: async () => {
      if (isOpen) await new Promise<void>((done) => void socket.close(done));
      isOpen = false;
    },
  };
}

export interface Certificate {
  key: string;
  cert: string;
}

/** Listens, and uses a connection that is there before it opens one from its own address. */
export async function openStream(
  address: string,
  port: number,
  receive: Receive,
  certificate: Certificate | null = null,
): Promise<SipTransport> {
  const connections = new Map<string, Socket>();
  const keep = (socket: Socket, peer: Peer): void => {
    connections.set(`${peer.address}:${peer.port}`, socket);
    let buffered = "";
    socket.on("data", (data) => {
      buffered += data.toString("latin1");
      for (let length = completeLength(buffered); length > 0; length = completeLength(buffered)) {
        receive(buffered.slice(0, length), peer);
        buffered = buffered.slice(length);
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => connections.delete(`${peer.address}:${peer.port}`));
  };
  const accept = (socket: Socket): void =>
    keep(socket, { address: socket.remoteAddress!, port: socket.remotePort! });
  const server: Server = certificate === null ? createServer(accept) : createTlsServer(certificate, accept);
  server.listen(port, address);
  await once(server, "listening");
  return {
    kind: certificate === null ? "tcp" : "tls",
    address,
    port: (server.address() as Peer).port,
    send: async (text, to) => {
      let socket = connections.get(`${to.address}:${to.port}`);
      if (socket === undefined) {
        const where = { host: to.address, port: to.port, localAddress: address };
        socket = certificate === null ? connect(where) : connectTls({ ...where, rejectUnauthorized: false });
        keep(socket, to);
        await once(socket, certificate === null ? "connect" : "secureConnect");
      }
      socket.write(text, "latin1");
    },
    close: async () => {
      for (const socket of connections.values()) socket.destroy();
      if (server.listening) await new Promise((done) => void server.close(done));
    },
  };
}

/** How long the first whole message is; 0 while there is none. */
function completeLength(buffered: string): number {
  const end = buffered.indexOf("\r\n\r\n");
  if (end < 0) return 0;
  const body = Number(/^content-length:\s*(\d+)/im.exec(buffered.slice(0, end))?.[1] ?? 0);
  return buffered.length >= end + 4 + body ? end + 4 + body : 0;
}
