import { parseArgs } from "node:util";
import { systemAuthor } from "./events/audit/audit.ts";
import type { OrganisationRow } from "./people/organisations/organisations.ts";
import { resumeOrganisation, suspendOrganisation } from "./people/organisations/organisations.suspension.ts";
import { isId } from "./platform/ids.ts";
import { ApiError } from "./platform/api-error.ts";
import type { openApp } from "./start.ts";

export const ORGANISATIONS_USAGE = `  suspend-organisation <uuid> [--numbers] [--reason <text>]
                                         reject all requests in it; with --numbers, calls to its numbers too
  resume-organisation <uuid>             accept its requests, and the calls of numbers suspended with it`;

const AUTHOR = systemAuthor("operator command");

type App = Awaited<ReturnType<typeof openApp>>;

/** The operator's commands about organisations; undefined if it is none of these. */
export async function runOrganisationsCommand(
  app: App,
  [command, ...args]: readonly string[],
): Promise<number | undefined> {
  if (command !== "suspend-organisation" && command !== "resume-organisation") return undefined;
  const given = argumentsOf(args);
  const isResumed = command === "resume-organisation";
  if (!given || (isResumed && args.length > 1)) {
    console.error(`Usage: npm run operator -- <command>\n\n${ORGANISATIONS_USAGE}`);
    return 2;
  }
  const { id, reason, numbers } = given;
  try {
    const after = isResumed
      ? await resumeOrganisation(app, AUTHOR, id)
      : await suspendOrganisation(app, AUTHOR, id, {
          ...(reason && { reason }),
          ...(numbers && { suspend_numbers: true }),
        });
    console.log(summaryOf(after));
    return 0;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(`No organisation ${id}.`);
    return 1;
  }
}

function summaryOf({ name, suspended_at, suspends_numbers, numbers_due }: OrganisationRow): string {
  const later = numbers_due ? " A worker changes its numbers now." : "";
  if (!suspended_at) return `${name} is active.${later}`;
  return `${name} is suspended. ${suspends_numbers ? "Calls to its numbers are rejected." : "Its calls continue."}${later}`;
}

function argumentsOf(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { numbers: { type: "boolean", default: false }, reason: { type: "string" } },
    });
    const [id = "", ...more] = positionals;
    return isId(id) && more.length === 0 ? { id, ...values } : undefined;
  } catch {
    return undefined;
  }
}
