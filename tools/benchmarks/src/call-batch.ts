import { randomBytes } from "node:crypto";
import { numberIdOf, numberIdSql } from "./number-ids.ts";

/** As many as an agent hands over at once. */
export const BATCH = 1_000;
/** Calls of a batch are of numbers that lie apart. */
const STEP = 7;
/** One in so many is busy. */
const BUSY_ONE_IN = 7;

/** What a switch tells of calls of the last minute: those of a number by chance, and of the ones after it. */
export function callBatch(numbers: number): string {
  const first = Math.floor(Math.random() * numbers);
  const ids = randomBytes(16 * BATCH).toString("hex");
  const secondBefore = (seconds: number): string =>
    new Date(Date.now() - seconds * 1000).toISOString().slice(0, 19);
  const [started, answered, ended] = [60, 58, 28].map(secondBefore);
  const records = Array.from({ length: BATCH }, (_, at) => {
    const micros = `.${String(at).padStart(6, "0")}Z`;
    const isBusy = at % BUSY_ONE_IN === 0;
    return {
      ...ALIKE,
      id: ids.slice(32 * at, 32 * at + 32),
      started_at: started + micros,
      answered_at: isBusy ? null : answered + micros,
      ended_at: ended + micros,
      ending: isBusy ? "refused" : "hung_up",
      number_id: numberIdOf((first + at * STEP) % numbers),
      code: isBusy ? 486 : 200,
    };
  });
  return JSON.stringify({ records });
}

export const ALIKE = {
  mode: "sip_uri",
  generation: 1,
  trunk: "acme",
  why: null,
  caller: "+15550009999",
  called: "+4930901820",
  target: "sip:alice@192.0.2.9:5080",
  sip_call_id: "1-11035@192.0.2.3",
};

/** The same made by the database; records as the service hands them on, each with its result. */
export function callBatchSql(
  numbers: number,
  { first, alike }: { first: string; alike: string },
): { records: string; numberIds: string } {
  const numberId = numberIdSql(`(${first} + at * ${STEP}) % ${numbers}`);
  const ago = (seconds: number): string =>
    `date_trunc('second', now()) - interval '${seconds} seconds' + at * interval '1 microsecond'`;
  const isBusy = `at % ${BUSY_ONE_IN} = 0`;
  const series = `generate_series(0, ${BATCH - 1}) at`;
  return {
    records: `(select jsonb_agg(${alike}::jsonb || jsonb_build_object('id', replace(gen_random_uuid()::text, '-', ''),
      'started_at', ${ago(60)}, 'answered_at', case when ${isBusy} then null else ${ago(58)} end, 'ended_at', ${ago(28)},
      'ending', case when ${isBusy} then 'refused' else 'hung_up' end, 'result', case when ${isBusy} then 'busy' else 'answered' end,
      'number_id', ${numberId}, 'code', case when ${isBusy} then 486 else 200 end)) from ${series})`,
    numberIds: `(select array_agg(${numberId}) from ${series})`,
  };
}
