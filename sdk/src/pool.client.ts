import type { ImportPool, Operations, PoolEntry, PoolImport } from "./generated/operator-wire.ts";
import type { CallOptions } from "./transport.ts";
import type { Body, Query, WireApi } from "./wire-api.ts";

/** Limits of one request: entries, and the numbers in them. */
const MOST_ENTRIES = 1_000;
const MOST_NUMBERS = 10_000;

export interface PoolImportOptions extends CallOptions {
  /** Called after each request with the number of finished entries. */
  onProgress?: ((done: number) => void) | undefined;
}

/** The operator's own numbers. */
export function poolClient(api: WireApi<Operations>) {
  return {
    /** How many numbers there are, of which kinds. */
    count: (options?: CallOptions) => api.call("getPool", {}, options),
    list: (query?: Query<"listPoolNumbers", Operations>, options?: CallOptions) =>
      api.list("listPoolNumbers", { query }, options),
    /** However many there are. Done twice it adds nothing the second time. */
    import: (body: Body<"importPool", Operations>, options?: PoolImportOptions) =>
      importAll(api, body, options),
  };
}

/** Any number of entries, in as many requests as they take. Cut off, it can be done again: what is there is skipped. */
async function importAll(
  api: WireApi<Operations>,
  { entries, ...how }: ImportPool,
  { onProgress, ...options }: PoolImportOptions = {},
): Promise<PoolImport> {
  const report: PoolImport = { dry_run: how.dry_run ?? false, added: 0, skipped: 0, faults: [] };
  let done = 0;
  for (const part of partsOf(entries)) {
    const { added, skipped, faults } = await api.call(
      "importPool",
      { body: { ...how, entries: part } },
      options,
    );
    report.added += added;
    report.skipped += skipped;
    for (const { entry, detail } of faults) report.faults.push({ entry: done + entry, detail });
    done += part.length;
    onProgress?.(done);
  }
  return report;
}

function* partsOf(entries: readonly PoolEntry[]): Generator<PoolEntry[]> {
  let part: PoolEntry[] = [];
  let count = 0;
  for (const entry of entries) {
    const size = sizeOf(entry);
    if (part.length > 0 && (part.length === MOST_ENTRIES || count + size > MOST_NUMBERS)) {
      yield part;
      [part, count] = [[], 0];
    }
    part.push(entry);
    count += size;
  }
  if (part.length > 0) yield part;
}

/** Estimated size of an entry. The service has the exact one. */
function sizeOf({ number, to }: PoolEntry): number {
  if (!to) return 1;
  const [first, last] = [number, to].map((written) => Number(written.replaceAll(/\D/g, "").slice(-9)));
  return Math.max(1, last! - first! + 1);
}
