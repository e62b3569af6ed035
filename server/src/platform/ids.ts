import { randomUUIDv7 } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST_IN_A_MILLISECOND = 0xfff;

let millisecond = 0;
let count = 0;

/**
 * Version 7 sorts by time of making, so that new rows land together in an index. The twelve bits behind the time
 * count, so that what one process makes within a millisecond, such as one change's acts, is listed in its order.
 */
export function newId(): string {
  const id = randomUUIDv7();
  const now = madeAtMs(id);
  if (now > millisecond) [millisecond, count] = [now, 0];
  else if (count < MOST_IN_A_MILLISECOND) count += 1;
  else [millisecond, count] = [millisecond + 1, 0];
  const time = millisecond.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}${id.slice(18)}`;
}

/** Creation time in one of our IDs. */
export function madeAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

export function isId(text: string): boolean {
  return UUID.test(text);
}
