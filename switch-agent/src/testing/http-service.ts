import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { ControlPlane, Position, Report } from "../control-plane.ts";
import type { CallRecord } from "../records/call-join.ts";
import type { CallStanding, LiveReport, RecordService } from "../records/record-service.ts";

export const CREDENTIAL = "switch-credential-for-tests";

/** The protocol over real sockets, in front of any control plane, and of what takes records if there is one. */
export async function openHttpService(
  control: ControlPlane,
  records?: RecordService,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer((request, response) => {
    answer({ control, records }, request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(
  { control, records }: { control: ControlPlane; records: RecordService | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await json(request);
  if (request.headers.authorization !== `Bearer ${CREDENTIAL}`) {
    response.writeHead(401, { "content-type": "application/problem+json" });
    response.end(JSON.stringify({ code: "not_authenticated", detail: "No such credential." }));
  } else if (request.url === "/switch/v1/reports") {
    await control.report(body as Report);
    response.writeHead(204).end();
  } else if (request.url === "/switch/v1/streams") {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    for await (const message of control.follow(body as Position, gone.signal))
      if (!response.write(`${JSON.stringify(message)}\n`) && !gone.signal.aborted) await drained(response);
    response.end();
  } else if (records && request.url === "/switch/v1/call-records") {
    const receipt = await records.upload((body as { records: CallRecord[] }).records);
    response.writeHead(200).end(JSON.stringify(receipt));
  } else if (records && request.url === "/switch/v1/live") {
    const isTaken = await records.reportLive(body as LiveReport);
    response.writeHead(200).end(JSON.stringify({ is_taken: isTaken }));
  } else if (records && request.url === "/switch/v1/call-standing") {
    response.writeHead(200).end(JSON.stringify(await records.reportStanding(body as CallStanding)));
  } else response.writeHead(404).end();
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });
}
