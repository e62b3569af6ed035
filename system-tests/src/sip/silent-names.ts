import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newAddress } from "./loopback.ts";

/** A name server that takes questions and answers none. */
export interface SilentNames extends AsyncDisposable {
  /** A file that says to ask it. */
  resolvConf: string;
  questions(): number;
}

export async function openSilentNames(): Promise<SilentNames> {
  const folder = mkdtempSync(join(tmpdir(), "dialplane-names-"));
  const resolvConf = join(folder, "resolv.conf");
  const address = newAddress();
  const socket = createSocket("udp4");
  let questions = 0;
  socket.on("message", () => void (questions += 1));
  socket.bind(53, address);
  await once(socket, "listening");
  writeFileSync(resolvConf, `nameserver ${address}\noptions timeout:5 attempts:2\n`);
  return {
    resolvConf,
    questions: () => questions,
    async [Symbol.asyncDispose]() {
      socket.close();
      await once(socket, "close");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
