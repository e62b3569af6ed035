import { type AddressInfo, createServer, type Server } from "node:net";

/** Addresses of this process alone, so that parallel tests do not receive each other's calls. */
const block = `127.${64 + ((process.pid >> 8) % 128)}.${process.pid % 256}`;
let last = 0;

export function newAddress(): string {
  last += 1;
  if (last > 254) throw new Error("a test process has 254 addresses");
  return `${block}.${last}`;
}

/** Free ports of 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = [];
  // All are held until the last is found, so that none is given twice.
  while (held.length < count) {
    const server = await listenSomewhere();
    if (server) held.push(server);
  }
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  for (const server of held) await new Promise((done) => void server.close(done));
  return ports;
}

/** Below the ports that the system gives to outgoing connections, which come and go; undefined if it is taken. */
function listenSomewhere(): Promise<Server | undefined> {
  const port = 12_000 + Math.floor(Math.random() * 8_000);
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
