import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { EVENTS } from "../src/events/events/events.catalogue.ts";

type Query = <Row extends object>(sql: string) => Promise<Row[]>;

/**
 * Compares the recorded events with the catalogue: one of each type and set of fields. Every test that records an
 * event checks it this way when its database is dropped.
 */
export async function undocumentedEvents(admin: Query): Promise<string[]> {
  const rows = await admin<{ type: string; data: unknown }>(
    `select distinct on (type, fields) type, data
     from events, lateral (select array_agg(field order by field) as fields from jsonb_object_keys(data) field) f`,
  );
  return rows.flatMap(({ type, data }) => faultsOf(type, data).map((fault) => `${type}: ${fault}`));
}

const CHECKS = new Map(
  Object.entries(EVENTS).map(([type, { data }]) => [
    type,
    Compile(Type.Object(data, { additionalProperties: false })),
  ]),
);

function faultsOf(type: string, data: unknown): string[] {
  const check = CHECKS.get(type);
  if (!check) return ["the type is not in the catalogue"];
  return check.Errors(data).map(({ instancePath, message }) => `data${instancePath} ${message}`);
}
