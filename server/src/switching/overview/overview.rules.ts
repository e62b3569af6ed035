import type { CountRow, NumbersRow, NumberUse } from "./overview.numbers.store.ts";
import type { Overview, OverviewProblem } from "./overview.schema.ts";

type Counts = Overview["numbers"];
type State = "failed" | "drifted" | "unknown" | "pending" | "in_sync";

/** The first that applies to a number, to its connection or to its switch group is its state. */
const WORST_FIRST: readonly State[] = ["failed", "drifted", "unknown", "pending"];

/** Counts numbers by state, from the counts of their routes and the deviations. */
export function countNumbers(row: Omit<NumbersRow, "switches">): Counts {
  const { counts, deviating, connections, lost, is_complete } = row;
  const states = new Map(connections.map((one) => [placeOf(one), one.state]));
  const lostPlaces = new Set(lost.map(placeOf));
  const result: Counts = {
    total: 0,
    in_sync: 0,
    pending: 0,
    failed: 0,
    drifted: 0,
    unknown: 0,
    unreachable: 0,
    unrouted: 0,
    is_complete,
  };
  for (const count of counts) {
    const places = count.connection_ids.map((id) => placeOf({ connection_id: id, group_id: count.group_id }));
    const ofConnections = places.map((place) => states.get(place));
    const add = (numbers: number, own?: State): void => {
      const state = worst(own, ...ofConnections, count.group_state);
      const isLost = state === "in_sync" && count.use === "connection" && lostPlaces.has(places[0]!);
      const shown = isLost ? "unreachable" : state;
      result[!is_complete && own === undefined && isGood(shown) ? "unknown" : shown] += numbers;
    };
    const own = deviating.filter((one) => keyOf(one) === keyOf(count));
    for (const { numbers, state } of own) add(numbers, state);
    add(count.numbers - sum(own.map(({ numbers }) => numbers)));
    result.total += count.numbers;
    if (count.use === "unrouted") result.unrouted += count.numbers;
  }
  return result;
}

function worst(...states: readonly (State | undefined)[]): State {
  return WORST_FIRST.find((state) => states.includes(state)) ?? "in_sync";
}

function isGood(state: State | "unreachable"): boolean {
  return state === "in_sync" || state === "unreachable";
}

function placeOf({ connection_id, group_id }: { connection_id: string; group_id: string }): string {
  return `${connection_id} ${group_id}`;
}

function keyOf({
  group_id,
  use,
  connection_ids,
}: Pick<CountRow, "group_id" | "use" | "connection_ids">): string {
  return [group_id, use, ...connection_ids].join(" ");
}

/** Numbers of these groups that use a connection in one of these ways. */
export function numbersOf(
  counts: readonly CountRow[],
  of: { groupIds?: ReadonlySet<string>; connectionId?: string; uses?: readonly NumberUse[] },
): number {
  const matching = counts.filter(
    ({ group_id, connection_ids, use }) =>
      (of.groupIds?.has(group_id) ?? true) &&
      (of.connectionId === undefined || connection_ids.includes(of.connectionId)) &&
      (of.uses?.includes(use) ?? true),
  );
  return sum(matching.map(({ numbers }) => numbers));
}

/** Problems of one kind, longest first. `total` counts those that are not listed too. */
export interface ProblemGroup {
  total: number;
  listed: readonly OverviewProblem[];
}

const MOST_PROBLEMS = 20;

/** Longest first. If there are too many, the kinds with the most problems become one entry each. */
export function foldProblems(groups: readonly ProblemGroup[]): OverviewProblem[] {
  const open = groups
    .filter(({ total }) => total > 0)
    .map((group) => (group.total > group.listed.length ? folded(group) : group));
  while (sum(open.map(({ listed }) => listed.length)) > MOST_PROBLEMS) {
    const largest = Math.max(...open.map(({ listed }) => listed.length));
    const place = open.findIndex(({ listed }) => listed.length === largest);
    open[place] = folded(open[place]!);
  }
  return open.flatMap(({ listed }) => listed).toSorted((one, other) => compareTexts(one.since, other.since));
}

function folded({ total, listed }: ProblemGroup): ProblemGroup {
  const isAll = listed.length === total;
  const affected = listed.map(({ numbers_affected: numbers }) => numbers);
  const isOfNumbers = listed[0]!.kind.startsWith("number_");
  const entry: OverviewProblem = {
    kind: listed[0]!.kind,
    since: listed.map(({ since }) => since).toSorted(compareTexts)[0]!,
    subject: null,
    switch: common(listed.map((one) => one.switch)),
    found: null,
    expected: null,
    error: common(listed.map(({ error }) => error)),
    times_found: null,
    count: total,
    numbers_affected: isOfNumbers
      ? total
      : isAll && affected.every((numbers) => numbers !== null)
        ? sum(affected)
        : null,
    calls_failed: null,
    calls_misrouted: null,
  };
  return { total, listed: [entry] };
}

function common<Value>(values: readonly (Value | null)[]): Value | null {
  return values.every((value) => value === values[0]) ? values[0]! : null;
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
