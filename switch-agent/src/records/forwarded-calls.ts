import type { DatabaseSync } from "node:sqlite";
import { dayOf, type ForwardingUse } from "../allowance.ts";
import type { OpenCall } from "./call-join.ts";

const SCHEMA = `
  create table if not exists forwarded (
    day integer not null, organisation_id text not null, calls integer not null, seconds integer not null,
    primary key (day, organisation_id)
  ) without rowid;
`;
/** Days that a limit can still concern, with a switch whose clock is behind. */
const KEPT_DAYS = 3;

/** Forwarded calls by the organisation that pays for them, counted from the rows of calls. */
export class ForwardedCalls {
  readonly #sql: ReturnType<typeof statements>;
  /** Payer of a number's calls, for calls that were answered while the switch was restarted. */
  readonly #payerOf: (numberId: string) => string | undefined;

  constructor(db: DatabaseSync, payerOf: (numberId: string) => string | undefined) {
    db.exec(SCHEMA);
    this.#sql = statements(db);
    this.#payerOf = payerOf;
  }

  /** Adds what a row has changed. Call in the transaction that stores the call. */
  count(before: OpenCall | undefined, after: OpenCall): void {
    for (const one of this.#useOf(after)) this.#add(one, 1);
    for (const one of before ? this.#useOf(before) : []) this.#add(one, -1);
  }

  on(day: number): ForwardingUse[] {
    return (this.#sql.list.all(day) as unknown as Row[]).map(({ organisation_id, ...use }) => ({
      organisationId: organisation_id,
      day,
      ...use,
    }));
  }

  dropBefore(nowMs: number): void {
    this.#sql.drop.run(dayOf(nowMs) - KEPT_DAYS);
  }

  #add({ organisationId, day, calls, seconds }: ForwardingUse, sign: 1 | -1): void {
    this.#sql.add.run(day, organisationId, sign * calls, sign * seconds);
  }

  /** Calls count on the day on which they are forwarded, and seconds on the day on which the call ends. */
  #useOf({ final, lateAnswerUs, lateEvents, byeUs, about, startedUs }: OpenCall): ForwardingUse[] {
    const { attempts = [], payers = [] } = (final ? final.events : lateEvents) ?? {};
    const isForwarded = attempts.at(-1)?.mode === "forward";
    const late = !final && isForwarded && about.numberId !== null ? this.#payerOf(about.numberId) : undefined;
    const all = late ? [{ organisationId: late, day: dayOf(startedUs / 1000) }] : payers;
    const use = all.map(({ organisationId, day }) => ({ organisationId, day, calls: 1, seconds: 0 }));
    const last = all.at(-1);
    const answeredUs = final && final.code < 300 ? final.atUs : lateAnswerUs;
    if (!isForwarded || !last || byeUs === null || answeredUs === null) return use;
    const seconds = Math.max(0, secondOf(byeUs) - secondOf(answeredUs));
    return [...use, { organisationId: last.organisationId, day: dayOf(byeUs / 1000), calls: 0, seconds }];
  }
}

/** Whole seconds of the clock, as the switch counts: rounding the length would differ for every call that is a moment late. */
function secondOf(us: number): number {
  return Math.floor(us / 1_000_000);
}

interface Row {
  organisation_id: string;
  calls: number;
  seconds: number;
}

function statements(db: DatabaseSync) {
  return {
    add: db.prepare(
      `insert into forwarded (day, organisation_id, calls, seconds) values (?, ?, ?, ?)
       on conflict (day, organisation_id) do update
       set calls = calls + excluded.calls, seconds = seconds + excluded.seconds`,
    ),
    list: db.prepare("select organisation_id, calls, seconds from forwarded where day = ?"),
    drop: db.prepare("delete from forwarded where day < ?"),
  };
}
