import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Addresses of this process alone, so that tests side by side do not hear each other's calls. */
const block = `127.${64 + ((process.pid >> 8) % 128)}.${process.pid % 256}`;
let last = 0;

export function newAddress(): string {
  last += 1;
  if (last > 254) throw new Error("a test process has 254 addresses");
  return `${block}.${last}`;
}

/** Ports of 127.0.0.1 on which nobody listens. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  // All are held until the last is found, so that none is given twice.
  for (const server of servers) await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) await new Promise((done) => void server.close(done));
  return ports;
}
