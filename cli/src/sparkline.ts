const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** One letter a value, as high as it is of the highest; several values share one where there are more than fit. */
export function sparkline(values: readonly number[], width: number): string {
  const share = Math.max(1, Math.ceil(values.length / width));
  const sums = Array.from({ length: Math.ceil(values.length / share) }, (_, at) =>
    values.slice(at * share, (at + 1) * share).reduce((sum, value) => sum + value, 0),
  );
  const most = Math.max(...sums, 1);
  return sums.map((sum) => BARS[Math.min(BARS.length - 1, Math.floor((sum / most) * BARS.length))]).join("");
}
