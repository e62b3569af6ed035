import { type Static, Type } from "typebox";
import {
  closedEnum,
  DateTime,
  described,
  Id,
  nullable,
  openEnum,
  PageQuery,
  pageShape,
  shape,
} from "../../platform/http/shapes.ts";
import { JOB_STATUSES, JOB_TYPES } from "./jobs.rules.ts";

const Count = Type.Integer({ minimum: 0, maximum: 50_000, format: "int32" });

export const Job = shape("Job", {
  id: described(Id, "ID of the job."),
  type: openEnum(JOB_TYPES, "Type of the job."),
  status: openEnum(JOB_STATUSES, "Status of the job."),
  reason: nullable(
    Type.String({
      maxLength: 64,
      examples: ["switch_unreachable"],
      description: "Why the job is waiting. `null` if it is not.",
    }),
  ),
  progress: described(
    shape("JobProgress", {
      total: described(Count, "Total count of numbers."),
      succeeded: described(Count, "Numbers that have succeeded."),
      failed: described(Count, "Numbers that have failed."),
    }),
    "Counts of numbers in the job.",
  ),
  subject: described(
    shape("JobSubject", {
      order_id: Type.Optional(described(Id, "ID of the order. Only for orders.")),
      number_id: Type.Optional(described(Id, "ID of the number. Only for releases and restores.")),
    }),
    "Resource that the job works on.",
  ),
  error: nullable(
    Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
      maxProperties: 20,
      description: "Reason for the failure, as a problem document. `null` if the job has not failed.",
    }),
  ),
  attempts: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    format: "int32",
    description: "Number of times a worker has claimed the job.",
  }),
  created_at: described(DateTime, "Time when the job was created."),
  started_at: described(nullable(DateTime), "Time when a worker first claimed the job. `null` until then."),
  finished_at: described(nullable(DateTime), "Time when the job finished. `null` until then."),
});
export type Job = Static<typeof Job>;

export const JobPage = pageShape("JobPage", Job);
export const JobsQuery = Type.Object(
  {
    status: Type.Optional(described(closedEnum(JOB_STATUSES), "Only jobs with this status.")),
    type: Type.Optional(described(closedEnum(JOB_TYPES), "Only jobs of this type.")),
    ...PageQuery,
  },
  { additionalProperties: false },
);

export const ByJobId = Type.Object(
  { job_id: described(Id, "Job ID. IDs you cannot access return 404.") },
  { additionalProperties: false },
);
