import type { App } from "../../app.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { retiredSwitch } from "../../platform/http/admission.ts";
import { ApiError } from "../../platform/api-error.ts";
import { systemAuthor } from "../../events/audit/audit.ts";
import { type Change, recordChanges } from "../../events/events/events.ts";
import type { SwitchReport } from "./switches.reports.schema.ts";
import { heldFeed } from "../feed/feed.ts";
import {
  confirmShards,
  type Deviation,
  insertHealth,
  insertReport,
  type Reachability,
  recordAppliedRoutes,
  type ReportOutcome,
  setAbilities,
} from "./switches.reports.store.ts";

type Needs = Pick<App, "db" | "clock" | "feed">;

/** Records the values that a switch has read back. A report without shards writes only if something is new. */
export async function recordReport(app: Needs, who: SwitchCaller, report: SwitchReport): Promise<void> {
  if (!isOnlySignOfLife(app, who, report)) {
    const at = app.clock.now();
    const shards = inOrder(report.shards);
    const unconfirmed = await app.db
      .forSwitch(who, async (tx) => {
        const { outcome, deviations, unconfirmed, diverged } = await insertReport(
          tx,
          { ...report, shards },
          at,
        );
        if (outcome === "history_diverged") throw new HistoryDiverged(diverged!);
        if (outcome !== "recorded") throw errorOf(app, outcome);
        await setAbilities(tx, who.switchId, report);
        const changes = deviations.map(changeOf(who));
        if (report.health) {
          const reached = await insertHealth(tx, report.health.connections, at);
          changes.push(...reached.map(reachabilityOf(who)));
        }
        if (changes.length > 0) await recordChanges(tx, systemAuthor(`switch ${who.name}`), at, changes);
        return unconfirmed;
      })
      .catch((error: unknown) => {
        if (error instanceof HistoryDiverged) return rejectDiverged(app, who, report, error.shard);
        throw error;
      });
    if (shards.length > MOST_AT_ONCE) await recordInParts(app, who, shards, at);
    await confirmInParts(app, who, unconfirmed, at);
    app.feed.poke();
  }
  app.feed.seen(who.switchId, saidBy(report), report.health !== undefined);
}

/** Everything but the shards. If it equals the last report, there is nothing to record. */
function saidBy({
  epoch,
  boot,
  agent_version: version,
  is_complete: isComplete,
  sockets,
  features,
}: SwitchReport): string {
  return JSON.stringify([epoch, boot, version, isComplete, sockets, features]);
}

function isOnlySignOfLife(app: Needs, { switchId }: SwitchCaller, report: SwitchReport): boolean {
  return (
    report.shards.length === 0 &&
    (report.health?.connections.length ?? 0) === 0 &&
    report.epoch === app.feed.epoch() &&
    app.feed.lastHeard(switchId) === saidBy(report)
  );
}

function changeOf({ name }: SwitchCaller): (deviation: Deviation) => Change {
  return ({ kind, id, state, error, found, expected, organisationId, environment }) => ({
    type: `${kind === "route" ? "routing" : "connection"}.${state}`,
    organisationId,
    environment,
    subject: id,
    data: { switch: name, error, ...(found !== undefined && { found, expected }) },
    isAudited: state !== "flapping",
  });
}

/** None of a connection's targets is there on this switch, or one is again. */
function reachabilityOf({ name }: SwitchCaller): (reached: Reachability) => Change {
  return ({ id, isReachable, organisationId, environment }) => ({
    type: `connection.${isReachable ? "reachable" : "unreachable"}`,
    organisationId,
    environment,
    subject: id,
    data: { switch: name },
  });
}

/** The transaction that found it is rolled back: nothing of such a report is recorded. */
class HistoryDiverged extends Error {
  readonly shard: number;

  constructor(shard: number) {
    super("The report belongs to an epoch that is not in this database.");
    this.shard = shard;
  }
}

async function rejectDiverged(
  app: Needs,
  { name }: SwitchCaller,
  { epoch, shards }: SwitchReport,
  diverged: number,
): Promise<never> {
  const { shard, version, position, version_token: token } = shards.find((one) => one.shard === diverged)!;
  await app.feed.rolledBack({
    epoch,
    evidence: { switch: name, shard, version: position ?? version, token },
  });
  throw epochEnded();
}

/** A first complete report can confirm a hundred thousand items: far more than one statement may take. */
const MOST_CONFIRMED = 5_000;
/** `record_report` records the applied routes of a smaller report itself. */
const MOST_AT_ONCE = 4;

async function recordInParts(
  { db }: Needs,
  who: SwitchCaller,
  shards: SwitchReport["shards"],
  at: Date,
): Promise<void> {
  const ids = shards.map(({ shard }) => shard);
  while (await recordAppliedRoutes(db, who, ids, { most: MOST_CONFIRMED, at }));
}

async function confirmInParts(
  { db }: Needs,
  who: SwitchCaller,
  unconfirmed: readonly [shard: number, versions: number][],
  at: Date,
): Promise<void> {
  let part: number[] = [];
  let size = 0;
  for (const [index, [shard, versions]] of unconfirmed.entries()) {
    part.push(shard);
    size += versions;
    if (size < MOST_CONFIRMED && index < unconfirmed.length - 1) continue;
    await confirmShards(db, who, part, at);
    [part, size] = [[], 0];
  }
}

type RejectedReport = Exclude<ReportOutcome, "recorded" | "history_diverged">;

function errorOf(app: Needs, outcome: RejectedReport): ApiError {
  if (outcome === "epoch_ended") {
    app.feed.checkEpoch();
    return epochEnded();
  }
  if (outcome === "feed_held") return heldFeed();
  if (outcome === "switch_retired") return retiredSwitch();
  return new ApiError("invalid_request", "The report contains a shard twice, or a shard of another group.", {
    errors: [
      {
        pointer: "#/shards",
        code: "unknown",
        detail: "Each shard must belong to the group of this switch and occur once.",
      },
    ],
  });
}

function epochEnded(): ApiError {
  return new ApiError("epoch_ended", "This epoch has ended. Open the stream again.");
}

/** In the order in which shards are locked, every moment in the one spelling the database is sure to read. */
function inOrder(shards: SwitchReport["shards"]): SwitchReport["shards"] {
  return shards
    .toSorted((one, other) => one.shard - other.shard)
    .map((shard) => ({
      ...shard,
      observed_at: momentOf(shard.observed_at),
      exceptions: shard.exceptions.map((one) => ({ ...one, observed_at: momentOf(one.observed_at) })),
    }));
}

function momentOf(text: string): string {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new ApiError("invalid_request", "observed_at is not a valid date and time.", {
    errors: [{ pointer: "#/shards", code: "malformed", detail: "observed_at is not a valid date and time." }],
  });
}
