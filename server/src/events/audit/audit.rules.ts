type State = Record<string, unknown> | null;

interface Recorded {
  action: string;
  outcome: string;
  detail: Record<string, unknown>;
  before: State;
  after: State;
}

const CREATED = new Set(["created", "joined", "added"]);
const DELETED = new Set(["deleted", "removed", "withdrawn", "cancelled"]);
const SUSPENDED: Readonly<Record<string, [before: boolean, after: boolean]>> = {
  suspended: [false, true],
  resumed: [true, false],
};

/** State before and after an action, as far as it is recorded or follows from the action. */
export function statesOf({ action, outcome, detail, before, after }: Recorded): {
  before: State;
  after: State;
} {
  if (before || after || outcome !== "done") return { before, after };
  const [noun, verb] = action.split(".") as [string, string];
  if (action === "member.role_changed")
    return { before: { role: detail["from"] }, after: { role: detail["to"] } };
  const suspended = SUSPENDED[verb];
  if (suspended && noun === "number")
    return { before: statusOf(suspended[0]), after: statusOf(suspended[1]) };
  if (suspended) return { before: { suspended: suspended[0] }, after: { suspended: suspended[1] } };
  const state = Object.keys(detail).length > 0 ? detail : null;
  if (CREATED.has(verb)) return { before: null, after: state };
  if (DELETED.has(verb)) return { before: state, after: null };
  return { before, after };
}

function statusOf(isSuspended: boolean): State {
  return { status: isSuspended ? "suspended" : "active" };
}

/** IDs carry their time of creation, which can differ a little from the time of the entry. */
const SLACK_MS = 3_600_000;

/** Bounds of the IDs of entries in a window. */
export function idsOf({ from, to }: { from?: Date; to?: Date }): { first?: string; end?: string } {
  return {
    ...(from && { first: lowestId(from.getTime() - SLACK_MS) }),
    ...(to && { end: lowestId(to.getTime() + SLACK_MS) }),
  };
}

function lowestId(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
