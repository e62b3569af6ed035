import type { Fixtures } from "./fixture.ts";
import type { Neighbours } from "./neighbours.ts";

/** Requests about restores of the database. The one of the fixtures began before all keys were created. */
export const RESTORE_FIXTURES: Fixtures = {
  listRestores: { query: "limit=2" },
  getRestore: { params: restoreOf },
  listRestoreFindings: { params: restoreOf, query: "limit=2" },
  compareRestore: { params: restoreOf },
  adoptRestoreFinding: { params: restoreFindingOf, body: () => ({}) },
  dropRestoreFinding: { params: restoreFindingOf },
  replayRevocations: { params: restoreOf, body: () => ({ entries: [] }) },
  suspendApiKeys: { params: restoreOf },
  finishRestore: { params: restoreOf, body: () => ({ without_unreachable: true }) },
};

/** The open restore, compared, without switches that are held. */
export async function restoreOf({ service }: Pick<Neighbours, "service">): Promise<{ id: string }> {
  await service.database.admin(
    "update restores set ended_at = now(), ended_by = 'fixture' where ended_at is null",
  );
  const [row] = await service.database.admin<{ id: string }>(
    `insert into restores (id, epoch, cause, began_at, began_by, compared_at)
     select gen_random_uuid(), epoch, 'operator', '2000-01-01', 'fixture', now() from feed_epoch returning id`,
  );
  return row!;
}

/** Finding for a connection that only a switch has. */
async function restoreFindingOf({ service }: Pick<Neighbours, "service">): Promise<{ id: string }> {
  const { id } = await restoreOf({ service });
  const organisationId = await service.organisation();
  const [row] = await service.database.admin<{ id: string }>(
    `insert into restore_findings (id, restore_id, kind, item_kind, item_id, holder_id, there, generation_there,
       switches)
     values (gen_random_uuid(), $1, 'only_on_switch', 'connection', gen_random_uuid(), $2,
       '{"targets": [{"host": "pbx.example.com", "port": 5060, "transport": "udp", "priority": 1, "weight": 1}]}', 3, '{fra-1}')
     returning id`,
    [id, organisationId],
  );
  return row!;
}
