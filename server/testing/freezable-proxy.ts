import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface FreezableProxy extends AsyncDisposable {
  /** The given address, but through this proxy. */
  url: string;
  /** From now on no byte passes either way; connections stay open, as when a network silently drops everything. */
  freeze(): void;
  thaw(): void;
  /** Closes all connections and accepts no new ones, as if the server were down. */
  cut(): void;
  mend(): void;
}

export async function startProxy(targetUrl: string): Promise<FreezableProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isCut = false;
  const server = createServer((inner) => {
    if (isCut) return void inner.destroy();
    const outer = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => void to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        if (!isFrozen) to.destroy();
      });
      if (isFrozen) from.pause();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(targetUrl);
  url.port = String((server.address() as { port: number }).port);

  return {
    url: url.href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      isFrozen = false;
      // Frozen connections are lost: their clients have given up by now.
      for (const socket of sockets) socket.destroy();
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
