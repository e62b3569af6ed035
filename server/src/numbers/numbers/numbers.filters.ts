import type { OrganisationScope } from "../../platform/db/database.ts";
import type { NumberFilters } from "./numbers.list.store.ts";
import type { NumberFilter } from "./numbers.schema.ts";
import { searchTermsOf, searchTextsOf } from "./numbers.written.ts";

type Read = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** Rows of other tables that filters refer to. */
interface LookedUp {
  /** Country in which the organisation writes numbers without a country code. */
  country: string | undefined;
  /** Connections of the wanted health. */
  connections?: readonly string[];
}

export async function lookedUpFor(
  read: Read,
  scope: OrganisationScope,
  { q, destination, health }: NumberFilter,
): Promise<LookedUp> {
  const isWritten = q !== undefined || destination !== undefined;
  return {
    country: isWritten ? await countryOf(read, scope) : undefined,
    ...(health && { connections: await connectionsOf(read, scope, health) }),
  };
}

async function countryOf(read: Read, { organisationId }: OrganisationScope): Promise<string | undefined> {
  const [row] = await read<{ default_country: string | null }>(
    "select default_country from organisations where id = $1",
    [organisationId],
  );
  return row?.default_country ?? undefined;
}

/** A connection has lost a target only if an index of lost targets has it: most have none. */
const LOST = `select c.connection_id as id from (
    select distinct h.connection_id from target_health h
    where h.organisation_id = $1 and h.environment = $2 and h.last_known = 'down') c
  where connection_health(c.connection_id) = $3`;
const ANY = `select c.id from connections c
  where c.organisation_id = $1 and c.environment = $2 and connection_health(c.id) = $3`;

async function connectionsOf(
  read: Read,
  { organisationId, environment }: OrganisationScope,
  health: NonNullable<NumberFilter["health"]>,
): Promise<string[]> {
  const text = health === "down" || health === "partial" ? LOST : ANY;
  const rows = await read<{ id: string }>(text, [organisationId, environment, health]);
  return rows.map(({ id }) => id);
}

/** Filters of a request, as the search takes them. People write numbers as they are dialled in the country. */
export function numberFiltersOf(
  { q, e164, connection_id, destination, health: _health, metadata, ...others }: NumberFilter,
  { country, connections, seesRouting }: LookedUp & { seesRouting: boolean },
): NumberFilters {
  return {
    ...(others as NumberFilters),
    ...(q !== undefined && { terms: termsOf(q, country, seesRouting) }),
    ...(e164 && { e164s: e164 }),
    ...(connection_id && { connection_ids: connection_id }),
    ...(connections && { first_connections: connections }),
    ...(destination !== undefined && {
      destination: { texts: searchTextsOf(destination, country), connections: [] },
    }),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
  };
}

function termsOf(
  q: string,
  country: string | undefined,
  seesRouting: boolean,
): NonNullable<NumberFilters["terms"]> {
  const terms = searchTermsOf(q, country);
  return "texts" in terms && seesRouting ? { ...terms, connections: [] } : terms;
}
