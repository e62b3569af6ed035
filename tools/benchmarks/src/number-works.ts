import type { BenchNumbers } from "./bench-numbers.ts";
import type { ServerUnderLoad } from "./bench-processes.ts";
import { type BenchRequest, requestFrom, type RequestTemplate } from "./bench-request.ts";
import { numberOfId } from "./number-ids.ts";
import { type PgbenchScript, pgbenchScript, rehearsalOf, type Variation } from "./pgbench-script.ts";
import { psql } from "./psql.ts";
import type { SentStatement, WireTap } from "./wire-tap.ts";

export type WorkName = "list" | "read" | "set";

/** The same work for the API and for pgbench. */
export interface NumberWork {
  templates: RequestTemplate[];
  script: PgbenchScript;
  /** Statements of the API for one request, which pgbench sends too. */
  texts: string[];
}

export const ORGANISATION_ROLE = "dialplane_organisation";
export const PAGE_SIZE = 50;
/** Pages from the beginning of the list. API and pgbench choose among them at random. */
export const MOST_PAGES = 200;

interface Watched {
  api: ServerUnderLoad;
  tap: WireTap;
  databaseUrl: string;
}

/** Asks an API whose statements can be seen, and makes of each work what pgbench is to do. */
export async function watchWorks(
  watched: Watched,
  numbers: BenchNumbers,
): Promise<Record<WorkName, NumberWork>> {
  const pages = await walkList(watched.api, numbers.large.key);
  const positions = pages.map(({ position }) => position);
  const { large, medium } = numbers;
  const inLarge = { first: 0, last: large.numbers.count - 1 };
  const inMedium = { first: inLarge.last + 1, last: inLarge.last + medium.length * medium[0]!.numbers.count };
  const read = { method: "GET", path: "/v1/numbers/{number}/routing" } as const;
  const set = { method: "PUT", path: read.path, body: DESTINATION } as const;
  return {
    list: await watch(watched, {
      templates: pages.map(({ template }) => template),
      atNumber: positions[0],
      numbers: { first: Math.min(...positions), last: Math.max(...positions) },
      organisationIds: [],
    }),
    read: await watch(watched, {
      templates: [{ ...read, token: large.key, numbers: large.numbers }],
      numbers: inLarge,
      organisationIds: [],
    }),
    set: await watch(watched, {
      templates: medium.map((holder) => ({ ...set, token: holder.key, numbers: holder.numbers })),
      numbers: inMedium,
      organisationIds: medium.map(({ organisationId }) => organisationId),
    }),
  };
}

/** Another one each time: setting what is set already would change nothing. */
const DESTINATION = JSON.stringify({ mode: "sip_uri", sip_uri: "sip:{fresh}@example.com" });

interface Asked extends Omit<Variation, "request"> {
  templates: RequestTemplate[];
  /** Number of the request, if the request does not contain it. */
  atNumber?: number | undefined;
}

async function watch({ api, tap, databaseUrl }: Watched, asked: Asked): Promise<NumberWork> {
  const request = requestFrom(asked.templates[0]!);
  tap.take(ORGANISATION_ROLE);
  const answer = await answerTo(api, request);
  const sent = flightOf(request.path, tap.take(ORGANISATION_ROLE));
  const variation = { ...asked, request: { ...request, number: asked.atNumber ?? request.number } };
  if (request.method === "GET") await rehearse(databaseUrl, answer, { sent, variation });
  const texts = sent.map(({ text }) => text);
  return { templates: asked.templates, script: pgbenchScript(sent, variation), texts };
}

/** Settings and one statement, in one flight. New connections have prepared the settings before. */
export function flightOf(path: string, sent: readonly SentStatement[]): SentStatement[] {
  const isSetting = sent.map(({ text }) => text.includes("set_config"));
  if (isSetting.length < 2 || isSetting.indexOf(false) !== isSetting.length - 1)
    throw new Error(`${path} is not one statement in one flight: ${sent.map(({ text }) => text).join("; ")}`);
  return sent.slice(-2);
}

/** Whatever was put in place of the values, the database must give what the API answered. */
async function rehearse(
  databaseUrl: string,
  answer: string,
  { sent, variation }: { sent: readonly SentStatement[]; variation: Variation },
): Promise<void> {
  const said = await psql(databaseUrl, ["begin", ...rehearsalOf(sent, variation), "commit"]);
  const json = /[[{].*[\]}]/s.exec(said)?.[0];
  if (json === undefined || json === "[]" || !answer.includes(json))
    throw new Error(`pgbench would be given other rows than the API: ${said} instead of ${answer}`);
}

async function walkList(
  api: ServerUnderLoad,
  token: string,
): Promise<{ template: RequestTemplate; position: number }[]> {
  const pages: { template: RequestTemplate; position: number }[] = [];
  let path = `/v1/numbers?limit=${PAGE_SIZE}`;
  while (pages.length < MOST_PAGES) {
    const text = await answerTo(api, requestFrom({ method: "GET", path, token }));
    const page = JSON.parse(text) as { data: { id: string }[]; next_cursor: string | null };
    if (page.next_cursor === null) break;
    path = `/v1/numbers?limit=${PAGE_SIZE}&cursor=${page.next_cursor}`;
    pages.push({ template: { method: "GET", path, token }, position: numberOfId(page.data.at(-1)!.id) });
  }
  return pages;
}

export async function answerTo(
  api: ServerUnderLoad,
  { method, path, headers, body }: BenchRequest,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${api.port}${path}`, { method, headers, body: body ?? null });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text;
}
