import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Fate of the agent's frame: it passes, is lost, or the connection breaks before it. */
export type Fate = "pass" | "lose" | "break";

export interface ControlLineProxy extends AsyncDisposable {
  port: number;
  /** Called for each frame, in order. The next frame waits for the result. */
  decide(fate: (frame: string) => Fate | Promise<Fate>): void;
}

/** Between an agent and its switch, for faults of the line at a moment that a test chooses. */
export async function openControlLineProxy(switchPort: number): Promise<ControlLineProxy> {
  let fateOf: (frame: string) => Fate | Promise<Fate> = () => "pass";
  const open = new Set<Socket>();
  const server = createServer((agent) => {
    const line = connect(switchPort, "127.0.0.1");
    const end = (): void => {
      for (const socket of [agent, line]) {
        open.delete(socket);
        socket.destroy();
      }
    };
    for (const socket of [agent, line]) open.add(socket.on("error", end).on("close", end));
    line.pipe(agent);
    void passOn(agent, async (frame) => {
      const fate = await fateOf(frame);
      if (fate === "break") end();
      else if (fate === "pass") line.write(`${frame.length}:${frame},`, "latin1");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    decide: (fate) => void (fateOf = fate),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function passOn(from: Socket, take: (frame: string) => Promise<void>): Promise<void> {
  let received = "";
  from.setEncoding("latin1");
  try {
    for await (const text of from) {
      received += text as string;
      for (let colon = received.indexOf(":"); colon > 0; colon = received.indexOf(":")) {
        const end = colon + 1 + Number(received.slice(0, colon));
        if (received.length <= end) break;
        const frame = received.slice(colon + 1, end);
        received = received.slice(end + 1);
        await take(frame);
      }
    }
  } catch {
    // The line was broken; the agent opens another.
  }
}
