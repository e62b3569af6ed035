import type { CountedCall, CountedCalls } from "./counted-calls.ts";
import { listCalls, type ShownCall, totalsOf } from "./shown-calls.ts";

/**
 * Lost messages are retransmitted for 32 seconds at most, both for the 200 and the BYE: RFC 3261, section
 * 17.1.2.2.
 */
const MOST_OFF_MS = 2 * 32_000;
/** Three of four lose nothing, not even where a switch is killed repeatedly. */
const TOLERANCE_MS = 1_000;
/** As often too late as too early. */
const MEDIAN_TOLERANCE_MS = 100;

interface Run {
  /** Call-IDs of its answered calls. */
  callIds: Set<string>;
  /** Maximum of calls whose 200 or BYE may have been lost in a killed switch. */
  mostUntimed: number;
}

/** Differences between the HTTP API, the stored records (`records`) and the callers' view. */
export async function findMiscounted(
  scene: CountedCalls,
  records: CountedCall[],
  run: Run,
): Promise<string[]> {
  const { customer, caller } = scene;
  const calls = await listCalls(customer, customer.numberId);
  const totals = await totalsOf(customer, customer.numberId);
  const shown = new Set(calls.map(wordsOf));
  const stored = new Set(records.filter(isCounted).map(wordsOf));
  const answered = caller.answered().length;
  // A caller who was rejected and then answered nevertheless has hung up at once, and may count as either.
  const answeredLate = [...caller.calls.values()].filter(
    ({ final, acknowledgement }) => final !== 200 && acknowledgement !== undefined,
  ).length;
  const talkSeconds = calls.reduce((sum, call) => sum + call.talk_seconds, 0);
  return [
    ...[...stored].filter((words) => !shown.has(words)).map((words) => `not shown: ${words}`),
    ...[...shown].filter((words) => !stored.has(words)).map((words) => `not stored: ${words}`),
    ...differing("calls", totals.calls, calls.length),
    ...differing("answered", totals.answered, answered, answered + answeredLate),
    ...differing("talk_seconds", totals.talk_seconds, talkSeconds),
    ...wrongTalks(scene, timedCalls(calls, records), run),
  ];
}

/** A call that the service could not handle has no holder. */
const isCounted = ({ isOfHolder, result }: CountedCall): boolean => isOfHolder && result !== "not_served";

const wordsOf = ({ id, result, ending }: ShownCall | CountedCall): string => `${id} ${result} ${ending}`;

const differing = (what: string, said: number, least: number, most = least): string[] =>
  said >= least && said <= most ? [] : [`${what}: ${said}, not ${least}`];

interface TimedCall {
  callId: string;
  talkMs: number;
  seconds: number;
}

/** Calls with a known answer and end time, by Call-ID, which the API does not return. */
function timedCalls(calls: ShownCall[], records: CountedCall[]): TimedCall[] {
  const callIds = new Map(records.map(({ id, callId }) => [id, callId]));
  return calls.flatMap(({ id, answered_at: answered, ended_at: ended, result, talk_seconds: seconds }) =>
    result === "answered" && answered !== null && ended !== null
      ? [{ callId: callIds.get(id)!, talkMs: Date.parse(ended) - Date.parse(answered), seconds }]
      : [],
  );
}

function wrongTalks({ talks }: CountedCalls, timed: TimedCall[], run: Run): string[] {
  const compared = timed
    .filter(({ callId }) => run.callIds.has(callId))
    .map((call) => {
      const { fromMs, toMs } = talks.get(call.callId)!;
      return { ...call, offMs: call.talkMs - (toMs - fromMs) };
    });
  const wrong = compared.filter(
    ({ talkMs, seconds, offMs }) => Math.abs(offMs) > MOST_OFF_MS || !isRoundedUp(talkMs, seconds),
  );
  const near = compared.filter(({ offMs }) => Math.abs(offMs) <= TOLERANCE_MS);
  const median = compared.map(({ offMs }) => offMs).toSorted((one, other) => one - other)[
    Math.floor(compared.length / 2)
  ]!;
  const untimed = run.callIds.size - compared.length;
  return [
    ...wrong.map((call) => `talk: ${JSON.stringify(call)}`),
    ...(near.length >= compared.length * 0.75 ? [] : [`only ${near.length} talks are as heard`]),
    ...(Math.abs(median) <= MEDIAN_TOLERANCE_MS ? [] : [`talks are off by ${median} ms`]),
    ...(untimed <= run.mostUntimed ? [] : [`${untimed} calls have no answer or no end`]),
  ];
}

/** HTTP shows milliseconds of what is stored, and rounded, in microseconds. */
function isRoundedUp(talkMs: number, seconds: number): boolean {
  const addedMs = seconds * 1000 - talkMs;
  return addedMs >= -1 && addedMs <= 1_001;
}
