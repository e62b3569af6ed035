import type { ServerUnderLoad } from "./bench-processes.ts";
import { type BenchRequest, requestFrom, type RequestTemplate } from "./bench-request.ts";
import { ingestScript } from "./ingest-script.ts";
import { numberIdOf } from "./number-ids.ts";
import { answerTo, flightOf, ORGANISATION_ROLE } from "./number-works.ts";
import { type PgbenchScript, pgbenchScript, rehearsalOf } from "./pgbench-script.ts";
import { psql } from "./psql.ts";
import type { UsagePopulation } from "./usage-population.ts";
import type { SentStatement, WireTap } from "./wire-tap.ts";

export const SWITCH_ROLE = "dialplane_switch";

/** Reading usage, for the API and for pgbench. */
export interface UsageRead {
  template: RequestTemplate;
  /** As the API was seen to send it for the first of the numbers; what is second is the statement itself. */
  sent: SentStatement[];
  /** The same for numbers drawn from first to last. */
  script(first: number, last: number): PgbenchScript;
}

export interface UsageWorks {
  month: UsageRead;
  year: UsageRead;
  /** The month, with a bucket for each hour. */
  hours: UsageRead;
  /** All numbers of the organisation, by day and over the year. */
  organisation: UsageRead;
  /** Its numbers with most calls in three months. */
  top: UsageRead;
  ingest: { templates: RequestTemplate[]; script: PgbenchScript; texts: string[] };
}

interface Watched {
  api: ServerUnderLoad;
  tap: WireTap;
  /** As the role that the API reads with. */
  databaseUrl: string;
}

/** Asks an API whose statements can be seen, and makes of each work what pgbench is to do. */
export async function watchUsage(watched: Watched, population: UsagePopulation): Promise<UsageWorks> {
  const { year, month, firsts } = population.year;
  const query = (window: { from: string; to: string }): string => `from=${window.from}&to=${window.to}`;
  const ofNumber = "/v1/numbers/{number}/usage";
  const lastMonths = { from: `${firsts.at(-4)}T00:00:00Z`, to: `${firsts.at(-1)}T00:00:00Z` };
  const read = (path: string): Promise<UsageRead> => watchRead(watched, population, path);
  return {
    month: await read(`${ofNumber}?${query(month)}`),
    year: await read(`${ofNumber}?${query(year)}`),
    hours: await read(`${ofNumber}?${query(month)}&granularity=hour`),
    organisation: await read(`/v1/usage?${query(year)}&granularity=day`),
    top: await read(`/v1/usage/numbers?${query(lastMonths)}`),
    ingest: await watchIngest(watched, population),
  };
}

async function watchRead(
  { api, tap, databaseUrl }: Watched,
  { key, hourly }: UsagePopulation,
  path: string,
): Promise<UsageRead> {
  const template: RequestTemplate = {
    method: "GET",
    path,
    token: key,
    numbers: { first: 0, count: hourly, step: 1 },
  };
  const request = requestFrom({ ...template, numbers: { first: 0, count: 1, step: 1 } });
  tap.take(ORGANISATION_ROLE);
  const answer = await answerTo(api, request);
  const sent = flightOf(path, tap.take(ORGANISATION_ROLE));
  const script = (first: number, last: number): PgbenchScript =>
    pgbenchScript(sent, variationOf(request, first, last));
  if (path.includes("{number}")) await rehearse(databaseUrl, answer, sent);
  return { template, sent, script };
}

function variationOf(request: BenchRequest, first: number, last: number) {
  return { request: { number: request.number, fresh: "" }, numbers: { first, last }, organisationIds: [] };
}

/** Whatever was put in place of the values, the database must give what the API answered. */
async function rehearse(databaseUrl: string, answer: string, sent: readonly SentStatement[]): Promise<void> {
  const request = { number: 0, fresh: "" };
  const rehearsal = rehearsalOf(sent, { request, numbers: { first: 0, last: 0 }, organisationIds: [] });
  const said = await psql(databaseUrl, ["begin", ...rehearsal, "commit"]);
  const usage = JSON.parse(/^t\|(\[.*?\])\|/ms.exec(said)?.[1] ?? "null") as Record<string, number>[] | null;
  const calls = usage?.reduce((sum, one) => sum + one.calls!, 0);
  const { totals } = JSON.parse(answer) as { totals: { calls: number } };
  if (!calls || calls !== totals.calls)
    throw new Error(`pgbench would be given other rows than the API: ${said} instead of ${answer}`);
}

async function watchIngest(
  { api, tap }: Watched,
  { numbers, switches }: UsagePopulation,
): Promise<UsageWorks["ingest"]> {
  const templates = switches.map(({ credential }): RequestTemplate => ({
    method: "POST",
    path: "/switch/v1/call-records",
    token: credential,
    callsOf: numbers,
  }));
  tap.take(SWITCH_ROLE);
  const receipt = JSON.parse(await answerTo(api, requestFrom(templates[0]!))) as { rejected: unknown[] };
  if (receipt.rejected.length > 0)
    throw new Error(`records were rejected: ${JSON.stringify(receipt.rejected[0])}`);
  const sent = tap.take(SWITCH_ROLE);
  const at = sent.findIndex(({ text }) => text.includes("insert into call_records"));
  const transaction = sent.slice(at - 2, at + 2);
  const texts = transaction.map(({ text }) => text);
  if (!texts[0]?.startsWith("begin") || !texts[1]?.includes("set_config") || texts[3] !== "commit")
    throw new Error(`a batch is not one statement in one transaction: ${texts.join("; ")}`);
  const switchIds = switches.map(({ id }) => id);
  return { templates, script: ingestScript(transaction, { switchIds, numbers }), texts };
}

/** The naive way: every call of a number in a window, looked at one by one. */
export function rawSumSql(
  organisationId: string,
  number: number,
  { from, to }: { from: string; to: string },
): string {
  const results = ["answered", "busy", "no_answer", "cancelled", "rejected", "failed"];
  const seconds = "sum(ceil(extract(epoch from ended_at - answered_at)))";
  return `select json_build_object('calls', count(*),
      ${results.map((result) => `'${result}', count(*) filter (where result = '${result}')`).join(", ")},
      'talk_seconds', coalesce(${seconds}, 0)::bigint,
      'forwarded_seconds', coalesce(${seconds} filter (where mode = 'forward'), 0)::bigint)
    from call_records where organisation_id = '${organisationId}' and environment = 'live' and holding_id = '${numberIdOf(number)}'
      and started_at >= '${from}' and started_at < '${to}' and result <> 'not_served'`;
}
