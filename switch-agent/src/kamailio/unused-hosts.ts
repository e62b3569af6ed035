/** Longer than a call waits for a customer's program: it may then fall back to a name that its number no longer has. */
const KEPT_MS = 10_000;

/** Names that no row needs, and since when. */
export class UnusedHosts {
  #sinceMs = new Map<string, number>();

  /** Which of those that no row needs now may go. */
  listDue(unused: string[], nowMs: number): string[] {
    this.#sinceMs = new Map(unused.map((host) => [host, this.#sinceMs.get(host) ?? nowMs]));
    return unused.filter((host) => nowMs - this.#sinceMs.get(host)! >= KEPT_MS);
  }
}
