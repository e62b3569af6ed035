import { OPERATIONS } from "../../src/operations.ts";
import type { Service } from "../service.ts";
import { organisationTables } from "./database-catalogue.ts";
import { strongestCaller } from "./foreign-ids.ts";
import { prepare, type Served, sendAs, widest } from "./isolation-matrix.ts";
import type { Neighbours, Tenant } from "./neighbours.ts";

/** Whatever is read in one organisation holds nothing of the other. */
export async function leakFaults(served: Served): Promise<string[]> {
  const reading = OPERATIONS.filter(
    ({ method, access }) => method === "GET" && access.callers !== "operator" && access.callers !== "switch",
  );
  const answers = [];
  for (const operation of reading) {
    const caller = await strongestCaller(served, operation);
    const request = widest(operation, await prepare(served, operation, caller.holder));
    answers.push({ operation, answer: await sendAs(served, caller, request) });
  }
  const marks = await marksOf(served.neighbours);
  return answers.flatMap(({ operation, answer }) => [
    ...(answer.status === 200 ? [] : [`${operation.id}: ${answer.status}`]),
    ...[...marks]
      .filter((mark) => answer.text.includes(mark))
      .map((mark) => `${operation.id}: shows ${mark}`),
  ]);
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Every identifier in a row of the other organisation that occurs in no row of this one. */
async function marksOf({ service, home, other }: Neighbours): Promise<Set<string>> {
  const foreign = await rowsOf(service, other);
  const own = await rowsOf(service, home);
  const shared = new Set(own.match(UUID));
  return new Set([
    "Other Ltd",
    "other-live@",
    "other-test@",
    ...foreign.match(UUID)!.filter((id) => !shared.has(id)),
  ]);
}

/** Every row that says it is the organisation's, as text. */
export async function rowsOf({ database }: Service, { organisationId }: Tenant): Promise<string> {
  const rows = await Promise.all(
    (await organisationTables(database)).map((table) =>
      database.admin<{ text: string }>(
        `select to_jsonb(t)::text as text from ${table} t where organisation_id = $1 order by 1`,
        [organisationId],
      ),
    ),
  );
  return rows
    .flat()
    .map(({ text }) => text)
    .join("\n");
}
