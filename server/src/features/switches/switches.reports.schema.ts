import { type Static, Type } from "typebox";
import { HeldValue } from "../feed/feed.ts";
import { closedEnum, Id, nullable, shape } from "../../platform/http/shapes.ts";

const Version = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: "int64" });
const Text = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: String.raw`^[^\u0000]*$` });
const Moment = Type.String({
  format: "date-time",
  maxLength: 32,
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$`,
  examples: ["2026-11-15T09:30:00.000Z"],
});

const ReportedException = shape("ReportedException", {
  kind: closedEnum(["route", "connection"]),
  id: Id,
  version: Version,
  state: closedEnum(["pending", "failed", "drifted"]),
  applied: nullable(
    shape("ReportedReading", {
      generation: Version,
      value: HeldValue,
    }),
  ),
  error: Type.String({ maxLength: 2_000 }),
  observed_at: Moment,
});

const ShardReport = shape("ShardReport", {
  shard: Type.Integer({ minimum: 0, maximum: 2_147_483_647, format: "int32" }),
  version: Version,
  observed_at: Moment,
  exceptions: Type.Array(ReportedException, { maxItems: 100_000 }),
});

export const SwitchReport = shape("SwitchReport", {
  epoch: Text(200),
  boot: Text(100),
  agent_version: Text(100),
  is_complete: Type.Boolean(),
  shards: Type.Array(ShardReport, { maxItems: 100_000 }),
});
export type SwitchReport = Static<typeof SwitchReport>;
