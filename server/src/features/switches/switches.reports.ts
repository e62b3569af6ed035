import type { App } from "../../app.ts";
import type { SwitchCaller } from "../../platform/http/access.ts";
import { retiredSwitch } from "../../platform/http/admission.ts";
import { Refusal } from "../../platform/refusal.ts";
import { systemAuthor } from "../audit/audit.ts";
import { type Change, recordChanges } from "../events/events.ts";
import type { SwitchReport } from "./switches.reports.schema.ts";
import { type Deviation, insertHealth, insertReport, type Reachability } from "./switches.store.ts";

type Needs = Pick<App, "db" | "clock" | "feed">;

/** What a switch answered when it was asked. Of a report without shards only what is new is written down. */
export async function recordReport(app: Needs, who: SwitchCaller, report: SwitchReport): Promise<void> {
  if (!isOnlySignOfLife(app, who, report)) {
    const at = app.clock.now();
    await app.db.forSwitch(who, async (tx) => {
      const { outcome, deviations } = await insertReport(
        tx,
        { ...report, shards: jsonOf(report.shards) },
        at,
      );
      if (outcome !== "recorded") throw refusalOf(app, outcome);
      const changes = deviations.map(changeOf(who));
      if (report.health) {
        const reached = await insertHealth(tx, report.health.connections, at);
        changes.push(...reached.map(reachabilityOf(who)));
      }
      if (changes.length > 0) await recordChanges(tx, systemAuthor(`switch ${who.name}`), at, changes);
    });
    app.feed.poke();
  }
  app.feed.heard(who.switchId, saidBy(report), report.health !== undefined);
}

/** Beside its shards. Where it is the same as last time, there is nothing to write down. */
function saidBy({ epoch, boot, agent_version: version, is_complete: isComplete }: SwitchReport): string {
  return JSON.stringify([epoch, boot, version, isComplete]);
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
  return ({ kind, id, state, error, organisationId, environment }) => ({
    type: `${kind === "route" ? "routing" : "connection"}.${state}`,
    organisationId,
    environment,
    subject: id,
    data: { switch: name, error },
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

function refusalOf(app: Needs, outcome: "epoch_ended" | "shard_not_found" | "switch_retired"): Refusal {
  if (outcome === "epoch_ended") {
    app.feed.checkEpoch();
    return new Refusal("epoch_ended", "Versions of that epoch count no more; open the stream again.");
  }
  if (outcome === "switch_retired") return retiredSwitch();
  return new Refusal("invalid_request", "The report names a shard twice, or one of another group.", {
    errors: [
      { pointer: "#/shards", code: "unknown", detail: "Not each a shard of this switch's group, once." },
    ],
  });
}

/** Every moment in the one spelling the database is sure to read. */
function jsonOf(shards: SwitchReport["shards"]): string {
  return JSON.stringify(shards, (name, value: unknown) =>
    name === "observed_at" ? momentOf(String(value)) : value,
  );
}

function momentOf(text: string): string {
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw new Refusal("invalid_request", "An observed_at is no moment in time.", {
    errors: [{ pointer: "#/shards", code: "malformed", detail: "An observed_at is no moment in time." }],
  });
}
