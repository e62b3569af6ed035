import type { Database } from "../../platform/db/database.ts";

export interface CarrierSettingsRow {
  id: string;
  name: string;
  kind: string;
  url: string | null;
  sealed_credentials: Buffer | null;
  root_id: number | null;
  countries: string[];
  number_types: string[];
  features: string[];
  inventory: boolean;
  state: "open" | "draining" | "closed";
}

/** The preferred one first. */
export async function listCarrierSettings(db: Database): Promise<CarrierSettingsRow[]> {
  return db.forSystem.read<CarrierSettingsRow>(
    "carriers",
    `select id, name, kind, url, sealed_credentials, root_id, countries, number_types, features,
       inventory, state
     from carriers order by preference, name`,
  );
}
