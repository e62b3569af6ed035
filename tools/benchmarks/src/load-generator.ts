import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { requestBytes, requestFrom, type RequestTemplate } from "./bench-request.ts";
import { cpuOf, cpuOfCluster } from "./cpu-time.ts";
import { type CpuMicros, cpuPerOperation, type Leg, quantile } from "./leg.ts";

/** Separate program, so that the load generator's CPU time is not counted. http-leg.ts starts it. */
export interface Load {
  port: number;
  /** Templates, chosen at random for each request. */
  templates: RequestTemplate[];
  connections: number;
  warmUpSeconds: number;
  seconds: number;
  serverPid: number;
  clusterPid: number;
}

const FIRST_RESPONSE_WITHIN_MS = 60_000;

export type LoadOutcome = { leg: Leg } | { error: string };

process.once("disconnect", () => process.exit(1)); // the parent has exited
process.once("message", (load: Load) => {
  drive(load).then(
    (leg) => tell({ leg }),
    (error: unknown) => tell({ error: error instanceof Error ? error.message : String(error) }),
  );
});

function tell(outcome: LoadOutcome): void {
  process.send!(outcome, () => process.disconnect());
}

async function drive(load: Load): Promise<Leg> {
  const failure = Promise.withResolvers<never>();
  const latenciesMs: number[] = [];
  let isMeasuring = false;
  const connections = await Promise.all(
    Array.from({ length: load.connections }, () =>
      keepAsking(load.port, {
        nextRequest: () => requestBytes(requestFrom(oneOf(load.templates))),
        onAnswer(latencyMs) {
          if (isMeasuring) latenciesMs.push(latencyMs);
        },
        onFailure: failure.reject,
      }),
    ),
  );

  await Promise.race([pause(load.warmUpSeconds * 1000), failure.promise]);
  isMeasuring = true;
  const startedAt = performance.now();
  const before = cpuSoFar(load);
  await Promise.race([pause(load.seconds * 1000), failure.promise]);
  // A machine with other things to do may need longer for one answer than a short leg takes.
  while (latenciesMs.length === 0 && performance.now() - startedAt < FIRST_RESPONSE_WITHIN_MS)
    await Promise.race([pause(10), failure.promise]);
  const after = cpuSoFar(load);
  const seconds = (performance.now() - startedAt) / 1000;
  isMeasuring = false;
  await Promise.race([Promise.all(connections.map((connection) => connection.finish())), failure.promise]);

  const operations = latenciesMs.length;
  if (operations === 0) throw new Error("not one answer");
  return {
    operations,
    perSecond: operations / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    mostMs: quantile(latenciesMs, 1),
    cpu: cpuPerOperation(
      {
        server: after.server - before.server,
        postgres: after.postgres - before.postgres,
        client: after.client - before.client,
      },
      operations,
    ),
  };
}

interface Talk {
  nextRequest(): Buffer;
  onAnswer(latencyMs: number): void;
  onFailure(error: Error): void;
}

/** Sends requests one after the other until `finish`, which waits for the last response. */
async function keepAsking(port: number, talk: Talk): Promise<{ finish(): Promise<void> }> {
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const finished = Promise.withResolvers<void>();
  let isFinishing = false;
  let received: Buffer = Buffer.alloc(0);
  let askedAt = 0;

  const ask = (): void => {
    askedAt = performance.now();
    socket.write(talk.nextRequest());
  };
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = answerIn(received);
    if (answer === "incomplete") return;
    if (answer === "bad")
      return talk.onFailure(new Error(`unexpected answer: ${received.toString("latin1")}`));
    received = Buffer.alloc(0);
    talk.onAnswer(performance.now() - askedAt);
    if (!isFinishing) return ask();
    socket.destroy();
    finished.resolve();
  });
  socket.on("error", talk.onFailure);
  socket.on("end", () => talk.onFailure(new Error("connection closed by the server")));
  ask();
  return {
    finish() {
      isFinishing = true;
      return finished.promise;
    },
  };
}

/** One request is in progress at a time, so what has come is one answer or the beginning of one. */
function answerIn(received: Buffer): "complete" | "incomplete" | "bad" {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return "incomplete";
  const head = received.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith("HTTP/1.1 2") || length === undefined) return "bad";
  const missing = headEnd + 4 + Number(length) - received.length;
  return missing === 0 ? "complete" : missing > 0 ? "incomplete" : "bad";
}

function oneOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)]!;
}

function cpuSoFar({ serverPid, clusterPid }: Load): CpuMicros & { server: number } {
  const { user, system } = process.cpuUsage();
  return { server: cpuOf(serverPid), postgres: cpuOfCluster(clusterPid), client: user + system };
}
