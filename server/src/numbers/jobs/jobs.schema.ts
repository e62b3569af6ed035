import { type Static, Type } from "typebox";
import { DateTime, Id, nullable, openEnum, PageQuery, pageShape, shape } from "../../platform/http/shapes.ts";
import { JOB_STATUSES, JOB_TYPES } from "./jobs.rules.ts";

const Count = Type.Integer({ minimum: 0, maximum: 50_000, format: "int32" });

export const Job = shape("Job", {
  id: Id,
  type: openEnum(JOB_TYPES),
  status: openEnum(JOB_STATUSES),
  reason: nullable(
    Type.String({
      maxLength: 64,
      examples: ["switch_unreachable"],
      description: "What a waiting job waits for.",
    }),
  ),
  progress: shape("JobProgress", { total: Count, succeeded: Count, failed: Count }),
  subject: shape("JobSubject", { order_id: Type.Optional(Id), number_id: Type.Optional(Id) }),
  error: nullable(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
      maxProperties: 20,
      description: "Why it failed: a problem, as refused requests are answered with.",
    }),
  ),
  attempts: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "How often a worker has taken it up.",
  }),
  created_at: DateTime,
  started_at: nullable(DateTime),
  finished_at: nullable(DateTime),
});
export type Job = Static<typeof Job>;

export const JobPage = pageShape("JobPage", Job);
export const JobsQuery = Type.Object(PageQuery, { additionalProperties: false });

export const ByJobId = Type.Object({ job_id: Id }, { additionalProperties: false });
