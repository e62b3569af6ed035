/** Half-open, as the service takes it. */
export interface BenchWindow {
  from: string;
  to: string;
}

export interface BenchYear {
  /** First days of the twelve whole months before this one, and of this one. */
  firsts: string[];
  year: BenchWindow;
  /** The last of its months. */
  month: BenchWindow;
  /** Hours that a window begins or ends within: single calls are looked at there. */
  edges: string[];
}

const BEGINS = "10:17:23.456";
const ENDS = "22:43:10.200";

/** Windows that begin and end within an hour: whole days, whole hours and single calls add up to each. */
export function yearBefore(now: Date): BenchYear {
  const day = (months: number, date: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, date)).toISOString().slice(0, 10);
  const to = `${day(0, 0)}T${ENDS}Z`;
  const year = { from: `${day(-12, 1)}T${BEGINS}Z`, to };
  const month = { from: `${day(-1, 1)}T${BEGINS}Z`, to };
  return {
    firsts: Array.from({ length: 13 }, (_, at) => day(at - 12, 1)),
    year,
    month,
    edges: [year.from, month.from, to].map((at) => `${at.slice(0, 13)}:00:00Z`),
  };
}
