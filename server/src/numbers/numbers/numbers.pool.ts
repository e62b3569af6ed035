import type { App } from "../../app.ts";
import type { Page } from "../../platform/http/page.ts";
import { ApiError } from "../../platform/api-error.ts";
import type { Author } from "../../events/audit/audit.ts";
import type { ImportPool, Pool, PoolImport } from "./numbers.pool.schema.ts";
import {
  countStock,
  findLiveGroupName,
  listStock,
  type PoolFilter,
  type PoolNumberRow,
} from "./numbers.pool.store.ts";
import { importRanges } from "./numbers.stocking.ts";

export type { PoolNumberRow };

/** How many numbers the operator has, and how many of them can still be ordered. */
export async function getPool({ db }: Pick<App, "db">): Promise<Pool> {
  const rows = await db.forSystem("stock", (tx) => countStock(tx));
  const kinds = rows.map(({ type, ...row }) => ({
    ...row,
    type: type as Pool["kinds"][number]["type"],
    held: row.total - row.free,
  }));
  const sum = (of: "total" | "free" | "held"): number => kinds.reduce((all, kind) => all + kind[of], 0);
  return { total: sum("total"), free: sum("free"), held: sum("held"), kinds };
}

export async function listPoolNumbers(
  { db }: Pick<App, "db">,
  filter: PoolFilter,
  { after, limit }: Page,
): Promise<PoolNumberRow[]> {
  return db.forSystem("stock", (tx) => listStock(tx, filter, after, limit));
}

/** Done twice it adds nothing the second time. */
export async function importPool(
  app: Pick<App, "db" | "clock">,
  author: Author,
  { entries, country, group_id: groupId, dry_run: isDryRun = false }: ImportPool,
): Promise<PoolImport> {
  const group = groupId === undefined ? undefined : await requireGroup(app, groupId);
  const report = await importRanges(app, author, entries, { group, country, isDryRun });
  return { dry_run: isDryRun, ...report };
}

async function requireGroup({ db }: Pick<App, "db">, id: string): Promise<string> {
  const name = await db.forSystem("stock", (tx) => findLiveGroupName(tx, id));
  if (name === undefined)
    throw new ApiError("switch_group_not_found", "No switch group with this ID in the live environment.");
  return name;
}
