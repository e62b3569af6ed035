import { localPath } from "./local-path.ts";

const KEY = "go-on";

/** Where to go on after a way over another site. */
export function continueTo(next: string | undefined): void {
  if (next) sessionStorage.setItem(KEY, next);
  else sessionStorage.removeItem(KEY);
}

/** Told once, and only a page of ours. */
export function takeContinuation(): string {
  const next = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return localPath(next);
}
