import type { ServerProcess } from "../server-process.ts";

export interface Memory {
  heapMb: number;
  rssMb: number;
}

/** Node option that `memoryOf` needs. */
export const INSPECTED = "--inspect=127.0.0.1:0";

/** Collects garbage in the process, then reads its memory: through the inspector, so that the program needs no code for it. */
export async function memoryOf(server: ServerProcess): Promise<Memory> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.output())?.[1];
  if (!address) throw new Error(`Start the process with ${INSPECTED}.`);
  const inspector = new WebSocket(address);
  await new Promise((resolve, reject) => {
    inspector.addEventListener("open", resolve, { once: true });
    inspector.addEventListener("error", reject, { once: true });
  });
  try {
    // The second collection takes what finalizers of the first one released.
    await ask(inspector, 1, "HeapProfiler.collectGarbage");
    await ask(inspector, 2, "HeapProfiler.collectGarbage");
    const expression = "JSON.stringify(process.memoryUsage())";
    const { result } = await ask(inspector, 3, "Runtime.evaluate", { expression });
    const { heapUsed, rss } = JSON.parse(result!.value) as { heapUsed: number; rss: number };
    return { heapMb: heapUsed / 2 ** 20, rssMb: rss / 2 ** 20 };
  } finally {
    inspector.close();
  }
}

interface Answer {
  id: number;
  result: { result?: { value: string } };
}

function ask(inspector: WebSocket, id: number, method: string, params = {}): Promise<Answer["result"]> {
  return new Promise((resolve) => {
    const onMessage = ({ data }: MessageEvent): void => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== id) return;
      inspector.removeEventListener("message", onMessage);
      resolve(answer.result);
    };
    inspector.addEventListener("message", onMessage);
    inspector.send(JSON.stringify({ id, method, params }));
  });
}
