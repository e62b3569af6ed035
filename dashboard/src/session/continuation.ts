import { localPath } from "./local-path.ts";

const KEY = "continuation";

/** Stores the page to open after a redirect over another site. */
export function continueTo(next: string | undefined): void {
  if (next) sessionStorage.setItem(KEY, next);
  else sessionStorage.removeItem(KEY);
}

/** Returns it once, and only if it is on our origin. */
export function takeContinuation(): string {
  const next = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return localPath(next);
}
