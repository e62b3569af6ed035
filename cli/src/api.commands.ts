import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { usageFailure } from "./cli-failure.ts";
import { command } from "./cli-command.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export const API_COMMANDS = [
  command({
    name: "api",
    summary: "any request to the service, with your sign-in",
    args: ["method", "path"],
    options: {
      body: {
        type: "string",
        short: "d",
        value: "json",
        summary: "the body; @file reads a file, - reads stdin",
      },
      "idempotency-key": {
        type: "string",
        value: "key",
        summary: "one is made where the operation needs it",
      },
      "if-match": {
        type: "string",
        value: "generation",
        summary: "only if this generation is still the one",
      },
      wait: { type: "string", value: "seconds", summary: "let the service wait so long for the effect" },
      paginate: { type: "boolean", summary: "all pages of a list, as one" },
    },
    details:
      "Prints what the service answered: JSON, or whatever else it is. The contract is at /docs of the service.",
    examples: [
      "dialplane api GET '/v1/numbers?limit=2'",
      'dialplane api PATCH /v1/numbers/$ID -d \'{"label":"Desk"}\'',
    ],
    async run({ context, args: [verb, path], options }) {
      const method = verb!.toUpperCase();
      if (!METHODS.includes(method)) throw usageFailure(`The method is one of ${METHODS.join(", ")}.`);
      if (!path!.startsWith("/")) throw usageFailure("The path begins with a slash, such as /v1/me.");
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
    throw usageFailure("The body is no JSON.");
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
