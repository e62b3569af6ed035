import { once } from "node:events";
import { connect } from "node:net";

/** The switch's control line, as its agent would use it: one question at a time. */
export interface ControlClient {
  ask(op: string, table: string, lines: string[]): Promise<string[]>;
  close(): void;
}

export async function openControlLine(port: number): Promise<ControlClient> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => socket.destroy());
  let buffered = "";
  let waiting: { resolve(frame: string): void; reject(error: Error): void } | null = null;
  socket.on("close", () => waiting?.reject(new Error("the switch closed its control line")));
  socket.on("data", (data) => {
    buffered += data.toString();
    const colon = buffered.indexOf(":");
    const end = colon + 1 + Number(buffered.slice(0, colon));
    if (colon < 0 || buffered.length < end + 1) return;
    waiting?.resolve(buffered.slice(colon + 1, end));
    buffered = buffered.slice(end + 1);
  });
  let id = 0;
  const askNow = (op: string, table: string, lines: string[]): Promise<string[]> => {
    id += 1;
    const frame = [`${op} ${id}${table === "" ? "" : ` ${table}`}`, ...lines].join("\n");
    const answer = new Promise<string>((resolve, reject) => {
      waiting = { resolve, reject };
    });
    socket.write(`${Buffer.byteLength(frame)}:${frame},`);
    return answer.then((text) => text.split("\n"));
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    ask: (op, table, lines) => {
      const answer = last.then(() => askNow(op, table, lines));
      last = answer.catch(() => undefined);
      return answer;
    },
    close: () => socket.destroy(),
  };
}
