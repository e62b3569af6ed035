import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const API_COMMANDS = [
  command({
    name: "api",
    group: "Tools",
    summary: "Send an API request",
    args: ["method", "path"],
    options: {
      body: {
        type: "string",
        short: "d",
        value: "json",
        summary: "request body, @file to read a file, - to read stdin",
      },
      "idempotency-key": {
        type: "string",
        value: "key",
        summary: "idempotency key (default: a generated one, if required)",
      },
      "if-match": {
        type: "string",
        value: "generation",
        summary: "generation that must still be current",
      },
      wait: {
        type: "string",
        value: "seconds",
        summary: "time the service may wait for the change to apply",
      },
      paginate: { type: "boolean", summary: "fetch all pages and join them into one list" },
    },
    details:
      "Uses your sign-in or API key, and prints the response body. The API reference is at /docs of the service.",
    examples: [
      "dialplane api GET '/v1/numbers?limit=2'",
      'dialplane api PATCH /v1/numbers/$ID -d \'{"label":"Desk"}\'',
    ],
    async run({ context, args: [verb, path], options }) {
      const method = verb!.toUpperCase();
      if (!METHODS.includes(method))
        throw usageFailure(`The method must be one of ${METHODS.join(", ")}, not “${verb}”.`);
      if (!path!.startsWith("/")) throw usageFailure("The path must begin with a slash, such as /v1/me.");
      const client = await context.client();
      const body = options.body === undefined ? undefined : await readBody(options.body);
      const ask = (address: string) =>
        client.request(method, address, {
          body,
          idempotencyKey: options["idempotency-key"],
          ifGeneration: options["if-match"] === undefined ? undefined : Number(options["if-match"]),
          waitSeconds: options.wait === undefined ? undefined : Number(options.wait),
          signal: context.signal,
        });
      const answer = await ask(path!);
      if (answer instanceof ReadableStream) {
        for await (const chunk of answer.pipeThrough(new TextDecoderStream()))
          await context.terminal.write(chunk);
        return;
      }
      if (answer === undefined) return;
      const whole = options.paginate && method === "GET" ? await everyPage(answer, path!, ask) : answer;
      await context.terminal.write(`${JSON.stringify(whole, null, 2)}\n`);
    },
  }),
];

async function readBody(given: string): Promise<unknown> {
  const source =
    given === "-"
      ? await text(process.stdin)
      : given.startsWith("@")
        ? readFileSync(given.slice(1), "utf8")
        : given;
  try {
    return JSON.parse(source);
  } catch {
    throw usageFailure("The body is not valid JSON.");
  }
}

interface OnePage {
  data?: unknown[];
  next_cursor?: string | null;
}

/** The first page, with the data of all; events call their place `after`. */
async function everyPage(
  first: unknown,
  path: string,
  ask: (address: string) => PromiseLike<unknown>,
): Promise<unknown> {
  const all = [...((first as OnePage).data ?? [])];
  const [place = "", query] = path.split("?", 2);
  const parameter = place === "/v1/events" ? "after" : "cursor";
  for (let { next_cursor: cursor } = first as OnePage; cursor;) {
    const search = new URLSearchParams(query);
    search.set(parameter, cursor);
    const page = (await ask(`${place}?${search.toString()}`)) as OnePage;
    all.push(...(page.data ?? []));
    cursor = page.next_cursor;
  }
  return { ...(first as object), data: all, next_cursor: null };
}
