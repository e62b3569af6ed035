import { ApiError, type BulkChange, type Client, type Connection, type PhoneNumber } from "@dialplane/sdk";
import { csvTable } from "../components/csv-cells.ts";
import { type CsvFile, CsvFault, readCsv } from "./csv-lines.ts";
import {
  fileFault,
  type ImportLine,
  MOST_PLANS,
  nameOf,
  type Part,
  planLines,
  plansOf,
  type WantedPlan,
} from "./import-plan.ts";
import { importsText } from "./imports-text.ts";

const PAGE_SIZE = 1_000;

export type Outcome = "set" | "unchanged" | "stale" | "failed";

export interface PartOutcome {
  outcome: Outcome;
  detail: string | undefined;
}

/** Result of each part of each line, by number ID and part. */
export type Outcomes = ReadonlyMap<string, Readonly<Partial<Record<Part, PartOutcome>>>>;

export interface MadePlan extends WantedPlan {
  bulk: BulkChange;
}

export interface DryRun {
  file: CsvFile;
  lines: ImportLine[];
  plans: MadePlan[];
  /** Connections that the names were resolved with. */
  connections: Connection[];
}

/** Reads the file, finds its numbers and creates plans. Changes nothing. */
export async function planImport(client: Client, text: string): Promise<DryRun> {
  const file = readCsv(text);
  const fault = fileFault(file);
  if (fault) throw new CsvFault(fault);
  const [held, connections] = [await findNumbers(client, file), await allConnections(client)];
  const planned = await planAll(client, planLines(file, held, connections));
  return { file, connections, ...planned };
}

/**
 * A change that the service rejects becomes the fault of its lines. The other lines are planned without them.
 */
async function planAll(client: Client, all: ImportLine[]): Promise<Pick<DryRun, "lines" | "plans">> {
  const made = new Map<string, MadePlan>();
  for (let lines = all; ;) {
    const wanted = plansOf(lines);
    if (wanted.length > MOST_PLANS) throw new CsvFault(importsText.tooManyPlans(wanted.length, MOST_PLANS));
    const rejected = await planEach(client, wanted, made);
    if (!rejected) return { lines, plans: wanted.map((plan) => made.get(keyOf(plan))!) };
    const ids = new Set(rejected.ids);
    lines = lines.map((line) =>
      line.number && ids.has(line.number.id) ? { ...line, wants: {}, fault: rejected.detail } : line,
    );
  }
}

function keyOf({ change, ids }: WantedPlan): string {
  return JSON.stringify([change, ids]);
}

/** Stops at the first rejection and keeps the plans created before. */
async function planEach(
  client: Client,
  wanted: readonly WantedPlan[],
  made: Map<string, MadePlan>,
): Promise<{ ids: string[]; detail: string } | undefined> {
  for (const plan of wanted) {
    if (made.has(keyOf(plan))) continue;
    try {
      const body = { select: { ids: plan.ids }, change: plan.change, reason: "CSV import" };
      made.set(keyOf(plan), { ...plan, bulk: await client.bulkChanges.plan(body) });
    } catch (error) {
      if (!isApiError(error)) throw error;
      return { ids: plan.ids, detail: error.problem?.detail ?? error.message };
    }
  }
  return undefined;
}

/** A rejection of this item, not an ended session, a rate limit or a service failure. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429;
}

/** Pages through the list until all numbers of the file are found. */
async function findNumbers(client: Client, { lines }: CsvFile): Promise<Map<string, PhoneNumber>> {
  const wanted = new Set(lines.map(nameOf));
  const found = new Map<string, PhoneNumber>();
  for await (const number of client.numbers.list({ limit: PAGE_SIZE })) {
    for (const name of [number.e164, number.id]) if (wanted.delete(name)) found.set(name, number);
    if (wanted.size === 0) break;
  }
  return found;
}

async function allConnections(client: Client): Promise<Connection[]> {
  const all: Connection[] = [];
  for await (const one of client.connections.list({ limit: PAGE_SIZE })) all.push(one);
  return all;
}

/**
 * Applies the plans one by one, then the labels, and reports each result. A repeated call continues from
 * `known`, and applies no plan twice.
 */
export async function applyImport(
  client: Client,
  { lines, plans }: DryRun,
  { known, tell }: { known: Outcomes; tell(outcomes: Outcomes): void },
): Promise<void> {
  let outcomes = known;
  const note = (id: string, part: Part, outcome: PartOutcome): void => {
    outcomes = new Map(outcomes).set(id, { ...outcomes.get(id), [part]: outcome });
  };
  for (const { part, bulk, ids } of plans) {
    if (ids.every((id) => outcomes.get(id)?.[part])) continue;
    await client.bulkChanges.apply(bulk.id, { idempotencyKey: `import-${bulk.id}` });
    await client.bulkChanges.wait(bulk.id);
    for (const id of bulk.missing) note(id, part, { outcome: "failed", detail: importsText.numberGone });
    for await (const item of client.bulkChanges.listItems(bulk.id, { limit: PAGE_SIZE }))
      note(item.number_id, part, { outcome: item.outcome as Outcome, detail: item.error?.detail });
    tell(outcomes);
  }
  for (const { number, wants } of lines) {
    if (!number || wants.label === undefined || outcomes.get(number.id)?.label) continue;
    note(number.id, "label", await setLabel(client, number, wants.label));
    tell(outcomes);
  }
}

/** Leaves a label alone if another client has changed it since the file was read. */
async function setLabel(client: Client, number: PhoneNumber, label: string | null): Promise<PartOutcome> {
  try {
    const now = await client.numbers.get(number.id);
    if (now.label === label) return { outcome: "unchanged", detail: undefined };
    if (now.label !== number.label)
      return { outcome: "stale", detail: importsText.labelChanged(now.label ?? "") };
    await client.numbers.change(number.id, { label });
    return { outcome: "set", detail: undefined };
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { outcome: "failed", detail: error.problem?.detail ?? error.message };
  }
}

/** Reason why a line failed, or a part of it. */
export function problemOf({ fault, number }: ImportLine, outcomes: Outcomes): string | undefined {
  if (fault) return fault;
  const parts = Object.entries(outcomes.get(number?.id ?? "") ?? {});
  const problems = parts.flatMap(([part, { outcome, detail }]) => {
    if (outcome === "stale") return [importsText.partProblem(part, detail ?? importsText.stale)];
    return outcome === "failed" ? [importsText.partProblem(part, detail ?? importsText.failed)] : [];
  });
  return problems.join(". ") || undefined;
}

/** Failed lines with a column for the problem. The file can be fixed and imported again. */
export function failuresAsFile({ file, lines }: DryRun, outcomes: Outcomes): string {
  const failed = lines.flatMap((line) => {
    const problem = problemOf(line, outcomes);
    return problem ? [[...file.names.map((name) => line.cells[name] ?? ""), problem]] : [];
  });
  return csvTable([[...file.names, "problem"], ...failed]);
}
