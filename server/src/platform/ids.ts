import { randomUUIDv7 } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Version 7 sorts by time of making, so that new rows land together in an index. */
export function newId(): string {
  return randomUUIDv7();
}

export function isId(text: string): boolean {
  return UUID.test(text);
}
