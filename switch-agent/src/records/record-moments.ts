/** Microseconds since 1970 as the service takes a moment. */
export function momentOf(us: number): string {
  const micros = String(us % 1000).padStart(3, "0");
  return new Date(Math.floor(us / 1000)).toISOString().replace("Z", `${micros}Z`);
}

export function momentOrNull(us: number | null): string | null {
  return us === null ? null : momentOf(us);
}
