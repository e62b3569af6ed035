import type { DatabaseSync } from "node:sqlite";

export interface Standing {
  /** Every call that began before is over and acknowledged, but for those of the open numbers. */
  settledUs: number;
  open: { numberId: string; sinceUs: number }[];
}

const INDEXES = `
  create index if not exists calls_ended_by_start on calls (started_us) where state <> 'up';
  create index if not exists records_to_send_by_start on records (acknowledged, json_extract(record, '$.started_at'));
`;

/**
 * Time through which a store's records are complete, at most `throughUs`, and the `limit` numbers with the
 * longest active calls. If there are more, the time stops before the rest, as for undelivered records.
 */
export function standingIn(
  db: DatabaseSync,
): (epochId: number, throughUs: number, limit: number) => Standing {
  db.exec(INDEXES);
  const listOpen = db.prepare(
    `select number_id as numberId, min(started_us) as sinceUs from calls
     where state = 'up' and number_id is not null and started_us < ? group by 1 order by 2 limit ?`,
  );
  const findEnded = db.prepare("select min(started_us) as startedUs from calls where state <> 'up'");
  // Epoch by epoch, because the index has the start behind it.
  const findUnsent = db.prepare(
    `with recursive unsent (epoch) as (values (0) union all select epoch + 1 from unsent where epoch + 1 < ?)
     select min((select min(json_extract(record, '$.started_at')) from records where acknowledged = unsent.epoch)) as startedAt from unsent`,
  );
  return (epochId, throughUs, limit) => {
    const open = listOpen.all(throughUs, limit + 1) as unknown as Standing["open"];
    const untilUs = open.length > limit ? open.pop()!.sinceUs : throughUs;
    const { startedUs } = findEnded.get() as { startedUs: number | null };
    const { startedAt } = findUnsent.get(epochId) as { startedAt: string | null };
    const unsentUs = startedAt === null ? untilUs : Date.parse(startedAt) * 1000;
    const settledUs = Math.min(untilUs, startedUs ?? untilUs, unsentUs);
    return { settledUs, open: open.filter(({ sinceUs }) => sinceUs < settledUs) };
  };
}
