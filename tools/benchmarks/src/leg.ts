/** One thing under load for a while. */
export interface Leg {
  operations: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
  cpu: CpuMicros;
}

/** Per operation; undefined if no such process takes part. */
export interface CpuMicros {
  server: number | undefined;
  postgres: number;
  client: number;
}

export function cpuPerOperation(total: CpuMicros, operations: number): CpuMicros {
  return {
    server: total.server === undefined ? undefined : total.server / operations,
    postgres: total.postgres / operations,
    client: total.client / operations,
  };
}

/** The value below which the given share lies; NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
