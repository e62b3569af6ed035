import type { OrganisationScope } from "../../platform/db/database.ts";
import type { NumberFilter } from "./numbers.schema.ts";

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
