import type { ContractOperation } from "./fuzz-contract.ts";
import type { Judged } from "./fuzz-judge.ts";
import type { FuzzRequest } from "./fuzz-send.ts";

interface Finding {
  operation: string;
  caller: string;
  fault: string;
  /** How often it occurred. */
  count: number;
  /** The first request with it. */
  index: number;
  request: string;
}

/** Counts of a run, and what it found. */
export class FuzzReport {
  requests = 0;
  /** True once the API no longer takes connections. */
  isUnreachable = false;
  /** Problems with their codes. */
  readonly byStatus = new Map<string, number>();
  readonly #byCaller = new Map<string, number>();
  readonly #byOperation = new Map<string, number>();
  /** Requests that could not be prepared. */
  readonly #skipped = new Map<string, number>();
  readonly #succeeded = new Set<string>();
  readonly #findings = new Map<string, Finding>();

  count({ id }: ContractOperation, caller: string, { status, text }: Judged): void {
    this.requests++;
    const code = status >= 400 ? /"code":"(\w+)","request_id"/.exec(text)?.[1] : undefined;
    increment(this.byStatus, code ? `${status} ${code}` : String(status));
    increment(this.#byCaller, caller);
    increment(this.#byOperation, id);
    if (status < 400) this.#succeeded.add(id);
  }

  /** The same fault of the same operation is one finding, however often it occurs. */
  find(
    { id }: ContractOperation,
    request: FuzzRequest,
    finding: Pick<Finding, "caller" | "fault" | "index">,
  ): void {
    this.isUnreachable ||= finding.fault.includes("ECONNREFUSED");
    const kind = `${id}: ${finding.fault.replaceAll(/[0-9a-f-]{36}|\d+/g, "…").slice(0, 120)}`;
    const known = this.#findings.get(kind);
    if (known) known.count++;
    else this.#findings.set(kind, { ...finding, operation: id, count: 1, request: writtenOut(request) });
  }

  skip({ id }: ContractOperation, error: unknown): void {
    increment(this.#skipped, `${id}: ${String(error).slice(0, 100)}`);
  }

  skipped(): number {
    return [...this.#skipped.values()].reduce((sum, count) => sum + count, 0);
  }

  findings(): string[] {
    return [...this.#findings.values()].map(
      ({ operation, caller, fault, count, index, request }) =>
        `${operation} (${count}×, first in request ${index}, as ${caller}): ${fault}\n    ${request}`,
    );
  }

  hasSucceeded({ id }: ContractOperation): boolean {
    return this.#succeeded.has(id);
  }

  neverSucceeded(): string[] {
    return [...this.#byOperation.keys()].filter((id) => !this.#succeeded.has(id));
  }

  summary(): string {
    return [
      `Requests: ${this.requests}`,
      `By status:${listed(this.byStatus)}`,
      `By caller:${listed(this.#byCaller)}`,
      `By operation:${listed(this.#byOperation)}`,
      `Not prepared: ${this.skipped()}${listed(this.#skipped)}`,
      `Findings: ${this.#findings.size}`,
      ...this.findings(),
    ].join("\n");
  }
}

/** Without the credential: the caller's name stands for it. */
function writtenOut({ method, path, headers, body = "" }: FuzzRequest): string {
  const shown = Object.entries(headers).filter(([name]) => name !== "authorization" && name !== "cookie");
  const fields = JSON.stringify(Object.fromEntries(shown));
  return [method, ...[path, fields, body].map((text) => shortened(text))].join(" ");
}

function shortened(text: string): string {
  return text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text;
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listed(counts: Map<string, number>): string {
  const sorted = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  return sorted.map(([name, count]) => `\n  ${String(count).padStart(7)}  ${name}`).join("");
}
