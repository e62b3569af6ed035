import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { until } from "./service.ts";

export interface LiveEvent {
  id: string;
  type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  data: any;
}

/** A stream of events as a browser opens it, with everything that has come so far. */
export interface EventStream extends AsyncDisposable {
  status: number;
  headers: IncomingMessage["headers"];
  events: LiveEvent[];
  /** Raw text, including comments. */
  text(): string;
  /** When it was closed, by this process's own clock; undefined while it is open. */
  endedAtMs(): number | undefined;
}

export async function openEventStream(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<EventStream> {
  const asked = request(new URL(path, url), { agent: false, headers });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const events: LiveEvent[] = [];
  let text = "";
  let parsedTo = 0;
  let endedAtMs: number | undefined;
  answer.setEncoding("utf8");
  answer.on("data", (chunk: string) => {
    text += chunk;
    for (let end; (end = text.indexOf("\n\n", parsedTo)) !== -1; parsedTo = end + 2) {
      const fields = new Map(
        text
          .slice(parsedTo, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data = fields.get("data");
      if (data) events.push({ id: fields.get("id")!, type: fields.get("event")!, data: JSON.parse(data) });
    }
  });
  answer.on("error", () => {});
  answer.on("close", () => (endedAtMs = performance.now()));
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    events,
    text: () => text,
    endedAtMs: () => endedAtMs,
    async [Symbol.asyncDispose]() {
      asked.destroy();
      await until(() => endedAtMs);
    },
  };
}
