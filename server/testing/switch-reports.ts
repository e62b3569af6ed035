import type { Report, ReportedException, ShardReport } from "@dialplane/switch-agent";
import type { Sent } from "./send.ts";
import { bearer, type Service } from "./service.ts";

/** A report as an agent sends it. */
export function sendReport(
  { app, send }: Pick<Service, "app" | "send">,
  credential: string,
  report: Partial<Report>,
): Promise<Sent> {
  const usual = {
    epoch: app.feed.epoch(),
    boot: "boot 1",
    agent_version: "1.2.3",
    is_complete: true,
    shards: [],
  };
  return send("POST", "/switch/v1/reports", { headers: bearer(credential), body: { ...usual, ...report } });
}

export function shardReport(
  shard: number,
  version: number,
  exceptions: ReportedException[] = [],
  observedAt = new Date(),
): ShardReport {
  return { shard, version, observed_at: observedAt.toISOString(), exceptions };
}

export function exceptionOf(
  id: string,
  version: number,
  rest: Partial<ReportedException> = {},
): ReportedException {
  return {
    kind: "route",
    id,
    version,
    state: "failed",
    applied: null,
    error: "500 refused",
    observed_at: new Date().toISOString(),
    ...rest,
  };
}
