import type { App } from "./app.ts";
import { systemAuthor } from "./events/audit/audit.ts";
import {
  adoptFinding,
  listFindings,
  reconcile,
  repairFinding,
} from "./numbers/reconciliations/reconciliations.ts";
import { ApiError } from "./platform/api-error.ts";

export const CARRIERS_USAGE = `  reconcile [carrier]                    compare our numbers with the carrier's list, without changes
  repair-finding <id>                    suspend a number missing at the carrier, return one without a holder, or deliver one to its trunk
  adopt-finding <id> <organisation>      assign a number without a holder to an organisation`;

const AUTHOR = systemAuthor("operator command");

/** The exit code; undefined when the command is none of these. */
export async function runCarriersCommand(
  app: App,
  [command, name, organisation]: string[],
): Promise<number | undefined> {
  try {
    if (command === "reconcile") return await compare(app, name ?? app.carriers.live()[0] ?? "pool");
    if (command === "repair-finding" && name) return await repair(app, name);
    if (command === "adopt-finding" && name && organisation) {
      const { e164 } = await adoptFinding(app, AUTHOR, name, organisation);
      console.log(`${e164} belongs to organisation ${organisation} now, unrouted.`);
      return 0;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function compare(app: App, carrier: string): Promise<number> {
  const report = await reconcile(app, AUTHOR, carrier);
  if (report.status === "failed") {
    console.error(`${carrier} could not be queried: ${report.error}`);
    return 1;
  }
  console.log(`${carrier}: ${report.held} held here, ${report.owned} there, ${report.open_findings} differ.`);
  const findings = await listFindings(app, report.id, { after: undefined, limit: 10_000 });
  for (const { id, kind, e164 } of findings) console.log(`${id}  ${kind.padEnd(14)}  ${e164}`);
  return report.open_findings === 0 ? 0 : 3;
}

const REPAIRED = {
  not_here: "is returned to the carrier",
  not_at_carrier: "is suspended",
  delivered_elsewhere: "is delivered to its trunk",
} as const;

async function repair(app: App, id: string): Promise<number> {
  const { kind, e164 } = await repairFinding(app, AUTHOR, id);
  console.log(`${e164} ${REPAIRED[kind]}.`);
  return 0;
}
