import type { Client, Job } from "@dialplane/sdk";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { exitCodeOf, followJob, JOB_OPTIONS } from "./job-progress.ts";
import { momentOf } from "./moments.ts";
import { LIST_OPTIONS, several } from "./several.ts";
import { toneOfStatus } from "./tones.ts";

type Filter = NonNullable<Parameters<Client["jobs"]["list"]>[0]>;

export const JOB_COMMANDS = [
  command({
    name: "jobs list",
    summary: "List order, release and restore jobs, newest first",
    options: {
      status: {
        type: "string",
        value: ["queued", "running", "waiting", "succeeded", "partially_succeeded", "failed"],
        summary: "status of the job",
      },
      type: {
        type: "string",
        value: ["number_order", "number_release", "number_restore"],
        summary: "type of the job",
      },
      ...LIST_OPTIONS,
    },
    async run({ context, options }) {
      const client = await context.client();
      const { status, type } = options;
      const filter = {
        ...(status !== undefined && { status: status as NonNullable<Filter["status"]> }),
        ...(type !== undefined && { type: type as NonNullable<Filter["type"]> }),
      };
      const jobs = await several(context, options, (query) => client.jobs.list({ ...filter, ...query }));
      await context.output.list(jobs, [
        { title: "id", of: ({ id }) => id },
        { title: "type", of: ({ type }) => type },
        {
          title: "status",
          of: ({ status }) => status,
          tone: ({ status }) => toneOfStatus(status),
          isFlexible: true,
        },
        { title: "done", of: ({ progress }) => `${progress.succeeded + progress.failed}/${progress.total}` },
        { title: "reason", of: ({ reason }) => reason, isHidden: true },
        { title: "created at", of: ({ created_at }) => created_at, isHidden: true },
      ]);
    },
  }),
  command({
    name: "jobs show",
    summary: "Show a job",
    args: ["job"],
    async run({ context, args: [id] }) {
      await showJob(context, await (await context.client()).jobs.get(id!));
    },
  }),
  command({
    name: "jobs wait",
    summary: "Wait for a job to finish",
    examples: ["dialplane jobs wait 0198c5f2-7c1e-7a33-9d3f-3f6a1c0f9b11"],
    args: ["job"],
    options: { timeout: JOB_OPTIONS.timeout },
    details: "Exits with 0 if the job succeeded, 7 if it failed or succeeded in part, and 8 after --timeout.",
    async run({ context, args: [id], options }) {
      const job = await followJob(context, await context.client(), id!, options.timeout);
      await showJob(context, job);
      return exitCodeOf(job);
    },
  }),
];

export async function showJob({ output }: Pick<Context, "output">, job: Job): Promise<void> {
  const { progress, subject } = job;
  const { detail } = (job.error ?? {}) as { detail?: string };
  await output.record(job, [
    ["Job", job.id],
    ["Type", job.type],
    ["Status", job.reason ? `${job.status} (${job.reason})` : job.status],
    ["Done", `${progress.succeeded} of ${progress.total}, ${progress.failed} failed`],
    ["Subject", subject.order_id ?? subject.number_id],
    ["Error", detail],
    ["Created", momentOf(job.created_at)],
    ["Finished", momentOf(job.finished_at)],
  ]);
}
