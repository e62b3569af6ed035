import { psql } from "./psql.ts";
import type { UsageRead } from "./usage-works.ts";
import type { SentStatement } from "./wire-tap.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  Plans?: PlanNode[];
}

export interface UsagePlan {
  /** Rows of hours, days and single calls that were read. */
  rows: number;
  /** Partitions that were looked into. */
  relations: string[];
}

const KINDS = ["custom", "generic"] as const;
const OF_CALLS = /^(hours|days|records)_|^organisation_usage_hours$/;

/** Runs a statement as the API does, planned for its values and for any; ends unless every call table is read by an index. */
export async function checkPlan(databaseUrl: string, { sent }: UsageRead): Promise<UsagePlan> {
  const plans = await Promise.all(KINDS.map((kind) => planOf(databaseUrl, sent, kind)));
  const [custom] = plans.map((plan, at) => {
    const scans = scansIn(plan);
    const whole = scans.filter(({ "Node Type": type }) => type.includes("Seq Scan"));
    if (scans.length === 0 || whole.length > 0)
      throw new Error(
        `the ${KINDS[at]} plan reads ${whole.map((scan) => scan["Relation Name"]).join(", ") || "nothing"} from end to end: ${sent[1]!.text}`,
      );
    return {
      rows: scans.reduce((sum, scan) => sum + scan["Actual Rows"]! * scan["Actual Loops"]!, 0),
      relations: [...new Set(scans.map((scan) => scan["Relation Name"] ?? scan["Index Name"]!))],
    };
  });
  return custom!;
}

async function planOf(
  databaseUrl: string,
  sent: readonly SentStatement[],
  kind: (typeof KINDS)[number],
): Promise<PlanNode> {
  const [settings, statement] = sent;
  const said = await psql(databaseUrl, [
    "begin",
    literally(settings!),
    `set local plan_cache_mode = force_${kind}_plan`,
    `prepare asked as ${statement!.text}`,
    `explain (analyze, timing off, format json) execute asked (${statement!.values.map(literal).join(", ")})`,
    "commit",
  ]);
  return (JSON.parse(said) as { Plan: PlanNode }[])[0]!.Plan;
}

/** Of tables of calls; what is planned but never run does not count. */
function scansIn(node: PlanNode): PlanNode[] {
  const below = (node.Plans ?? []).flatMap(scansIn);
  const isRun = (node["Actual Loops"] ?? 0) > 0;
  return isRun && OF_CALLS.test(node["Relation Name"] ?? "") ? [node, ...below] : below;
}

function literally({ text, values }: SentStatement): string {
  return text.replaceAll(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]));
}

function literal(value: string | undefined): string {
  return value === undefined ? "null" : `'${value.replaceAll("'", "''")}'`;
}
