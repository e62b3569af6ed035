import type { Job } from "@dialplane/sdk";
import { CliFailure } from "./cli-failure.ts";
import type { Context } from "./cli-context.ts";
import { command } from "./cli-command.ts";
import { EXIT } from "./exit-codes.ts";
import { exitCodeOf, followJob, JOB_OPTIONS } from "./job-progress.ts";
import { showJob } from "./jobs.commands.ts";
import { momentOf } from "./moments.ts";
import { findNumber } from "./named-numbers.ts";
import { whereIs } from "./orders.commands.ts";

export const RELEASE_COMMANDS = [
  command({
    name: "release",
    group: "Releases",
    summary: "Release a number",
    args: ["number"],
    options: JOB_OPTIONS,
    details:
      "Calls to the number stop. You can restore it during its quarantine, and after that other customers may get it. You confirm by typing the number, or with --yes.",
    examples: ["dialplane release +493010000001"],
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const number = await findNumber(client, named!);
      // The service would reject it too, but only after the user has typed the number.
      if (number.release_lock)
        throw new CliFailure(`${number.e164} has a release lock. Unlock it first.`, {
          exitCode: EXIT.conflict,
          next: `dialplane numbers unlock ${number.e164}`,
        });
      const label = number.label ? ` (${number.label})` : "";
      await context.confirm(
        `Release ${number.e164}${label} ${await whereIs(context)}? Its calls stop.`,
        number.e164,
      );
      const { job_id } = await client.numbers.release(number.id);
      return follow(context, job_id, options, async () => {
        const { status, restore_until } = await client.numbers.get(number.id);
        const until = restore_until ? `. You can restore it until ${momentOf(restore_until)}` : "";
        return `${number.e164} is ${status}${until}.`;
      });
    },
  }),
  command({
    name: "restore",
    group: "Releases",
    summary: "Restore a quarantined number",
    args: ["number"],
    options: JOB_OPTIONS,
    async run({ context, args: [named], options }) {
      const client = await context.client();
      const number = await findNumber(client, named!);
      await context.confirm(`Restore ${number.e164} ${await whereIs(context)}?`);
      const { job_id } = await client.numbers.restore(number.id);
      return follow(
        context,
        job_id,
        options,
        async () => `${number.e164} is ${(await client.numbers.get(number.id)).status}.`,
      );
    },
  }),
];

async function follow(
  context: Context,
  jobId: string,
  options: { "no-wait"?: boolean; timeout?: string },
  outcome: () => Promise<string>,
) {
  const client = await context.client();
  const job: Job = options["no-wait"]
    ? await client.jobs.get(jobId)
    : await followJob(context, client, jobId, options.timeout);
  if (job.finished_at) context.terminal.say(await outcome());
  await showJob(context, job);
  return options["no-wait"] ? EXIT.ok : exitCodeOf(job);
}
