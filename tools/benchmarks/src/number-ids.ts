/** IDs computed from a number, here and in SQL: pgbench can draw random numbers but not texts. */
const BEGINNING = "01900000-0000-7000-8000-0000";
/** So that all have as many digits. */
const FIRST = 0x1000_0000;

export function numberIdOf(n: number): string {
  return `${BEGINNING}${(FIRST + n).toString(16)}`;
}

export function numberIdSql(n: string): string {
  return `('${BEGINNING}' || to_hex(${FIRST} + ${n}))::uuid`;
}

export function numberOfId(id: string): number {
  return Number.parseInt(id.slice(BEGINNING.length), 16) - FIRST;
}
