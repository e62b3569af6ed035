import type { OrganisationScope } from "../../platform/db/database.ts";
import type { NumberFilters } from "./numbers.list.store.ts";
import type { NumberFilter } from "./numbers.schema.ts";
import { searchTermsOf, searchTextsOf } from "./numbers.written.ts";

/** Whether a filter can hold a number as people write it. */
export function hasWrittenNumber({ q, destination }: NumberFilter): boolean {
  return q !== undefined || destination !== undefined;
}

type Read = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

/** Country in which the organisation writes numbers without a country code. */
export async function countryOf(
  read: Read,
  { organisationId }: OrganisationScope,
): Promise<string | undefined> {
  const [row] = await read<{ default_country: string | null }>(
    "select default_country from organisations where id = $1",
    [organisationId],
  );
  return row?.default_country ?? undefined;
}

/** Filters of a request, as the search takes them. People write numbers as they are dialled in the country. */
export function numberFiltersOf(
  { q, e164, connection_id, destination, metadata, ...others }: NumberFilter,
  { country, seesRouting }: { country: string | undefined; seesRouting: boolean },
): NumberFilters {
  return {
    ...(others as NumberFilters),
    ...(q !== undefined && { terms: termsOf(q, country, seesRouting) }),
    ...(e164 && { e164s: e164 }),
    ...(connection_id && { connection_ids: connection_id }),
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
