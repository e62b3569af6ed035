import type { OrganisationTx } from "../../platform/db/database.ts";

export interface SettingsRow {
  id: string;
  name: string;
  default_country: string | null;
  created_at: Date;
}

const COLUMNS = "id, name, default_country, created_at";

export async function findSettings(tx: OrganisationTx): Promise<SettingsRow> {
  const [row] = await tx.query<SettingsRow>(`select ${COLUMNS} from organisations where id = $1`, [
    tx.organisationId,
  ]);
  return row!;
}

export async function lockSettings(tx: OrganisationTx): Promise<SettingsRow> {
  const [row] = await tx.query<SettingsRow>(
    `select ${COLUMNS} from organisations where id = $1 for no key update`,
    [tx.organisationId],
  );
  return row!;
}

export async function setDefaultCountry(tx: OrganisationTx, country: string | null): Promise<void> {
  await tx.query("update organisations set default_country = $2 where id = $1", [tx.organisationId, country]);
}
