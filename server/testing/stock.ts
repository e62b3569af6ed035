import type { App } from "../src/app.ts";
import type { Environment } from "../src/platform/db/database.ts";
import { newId } from "../src/platform/ids.ts";
import { type SeededNumber, seedNumbers } from "../src/seed.ts";
import { seedManyNumbers } from "../src/seed-many-numbers.ts";
import type { TestDatabase } from "./test-database.ts";

export interface StockedNumber {
  e164: string;
  country?: string | null;
  type?: string;
}

/** Loads numbers without a holder. */
export async function stockNumbers(
  { admin }: Pick<TestDatabase, "admin">,
  environment: Environment,
  numbers: readonly StockedNumber[],
): Promise<void> {
  const rows = numbers.map(({ e164, country = "GB", type = "local" }) => ({
    id: newId(),
    e164,
    country,
    type,
  }));
  await admin(
    `insert into numbers (id, environment, e164, country, type, group_id, shard, created_at)
     select r.id, $1, r.e164, r.country, r.type, g.id, shard_of(g.id, r.e164), now()
     from json_to_recordset($2) r(id uuid, e164 text, country text, type text)
     join switch_groups g on g.environment = $1 and g.is_default`,
    [environment, JSON.stringify(rows)],
  );
}

/** A number of the stock that an organisation holds. */
export async function holdNumber(
  app: App,
  organisationId: string,
  environment: Environment,
  e164?: string,
): Promise<SeededNumber> {
  const [number] = await seedNumbers(app, organisationId, environment, e164 === undefined ? 1 : [e164]);
  return number!;
}

/** Adds `count` live numbers of one organisation. Faster than one by one. */
export async function holdManyNumbers(
  { admin }: Pick<TestDatabase, "admin">,
  organisationId: string,
  count: number,
): Promise<void> {
  await seedManyNumbers((sql) => admin(sql), { organisationIds: [organisationId], count });
}
