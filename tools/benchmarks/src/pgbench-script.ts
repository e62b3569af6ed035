import type { BenchRequest } from "./bench-request.ts";
import { numberIdOf, numberIdSql } from "./number-ids.ts";
import type { SentStatement } from "./wire-tap.ts";

/** Statements of one request, for pgbench: the texts stay, and variable parts are drawn at each execution. */
export interface PgbenchScript {
  text: string;
  variables: Record<string, string>;
}

/** How the values of the request at hand are varied. */
export interface Variation {
  request: Pick<BenchRequest, "number" | "fresh">;
  /** Numbers are drawn from here; both ends belong to it. */
  numbers: { first: number; last: number };
  /** The number's remainder chooses one of them. Empty if there is only one organisation. */
  organisationIds: readonly string[];
}

/** As a request gets it: all in one flight. */
export function pgbenchScript(sent: readonly SentStatement[], variation: Variation): PgbenchScript {
  const variables: Record<string, string> = {};
  const statements = sent.map(({ text, values }, at) =>
    withValues(text, (place) => {
      const name = `v${at}_${place}`;
      return expressionOf(values[place - 1], variation, (constant) => {
        variables[name] = constant;
        return `:${name}`;
      });
    }),
  );
  const { first, last } = variation.numbers;
  const lines = [
    `\\set n random(${first}, ${last})`,
    "\\startpipeline",
    ...statements.map((text) => `${text};`),
    "\\endpipeline",
    "",
  ];
  return { text: lines.join("\n"), variables };
}

/** The same statements with the number of the request itself, to see that they give what the API answered. */
export function rehearsalOf(sent: readonly SentStatement[], variation: Variation): string[] {
  return sent.map(({ text, values }) =>
    withValues(text, (place) => expressionOf(values[place - 1], variation, quoted)).replaceAll(
      ":n::",
      `${variation.request.number}::`,
    ),
  );
}

/** Inlines the value of each placeholder, because pgbench makes a separate parameter of each occurrence. */
export function withValues(text: string, valueAt: (place: number) => string): string {
  if (/(?<!:):\w/.test(text)) throw new Error(`pgbench would take a colon for a variable: ${text}`);
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => valueAt(Number(place)));
}

const NUMBER = ":n::bigint";
/** As the service makes them: in the order of time, so that an index grows at its end. */
const NEW_ID = `('0' || to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint) || '7' || substr(md5(random()::text), 1, 19))::uuid`;
const DAY_MS = 86_400_000;

function expressionOf(
  value: string | undefined,
  { request, organisationIds }: Variation,
  constant: (value: string) => string,
): string {
  if (value === undefined) return "null";
  if (value === numberIdOf(request.number)) return numberIdSql(NUMBER);
  if (organisationIds.includes(value)) {
    const all = organisationIds.map((id) => `'${id}'`).join(", ");
    return `(array[${all}])[${NUMBER} % ${organisationIds.length} + 1]`;
  }
  if (request.fresh && value === request.fresh) return "gen_random_uuid()::text";
  if (request.fresh && value.includes(request.fresh)) {
    return `replace(${constant(value)}, '${request.fresh}', gen_random_uuid()::text)::jsonb`;
  }
  if (!request.fresh) return constant(value);
  if (/^[\da-f]{8}-[\da-f]{4}-7[\da-f-]+$/.test(value)) return NEW_ID;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+[+-]\d\d:\d\d$/.test(value)) {
    const days = Math.round((Date.parse(value) - Date.now()) / DAY_MS);
    return `now() + interval '${days} days'`;
  }
  return constant(value);
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
