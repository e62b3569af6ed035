import { isIP } from "node:net";
import type { AgentLog } from "../agent-log.ts";
import { parseSipUri, portOf } from "../sip-uri.ts";
import type { AddressRules } from "./address-rules.ts";
import { type Row, withoutBarred } from "./route-text.ts";
import type { RowChange, SwitchRows } from "./switch-rows.ts";

const PAGE = 1_000;
/** A million numbers lead to far fewer addresses; to know one is ten times as quick as to read and check it. */
const MOST_KEPT = 10_000;

interface Needs {
  rules: AddressRules;
  rows: SwitchRows;
  log: AgentLog;
}

/** Addresses in customers' targets that calls may not go to, and what an earlier run stored of them under other rules. */
export class BarredAddresses {
  readonly #needs: Needs;
  readonly isBarred: (uri: string) => boolean;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.isBarred = barredUris(needs.rules);
  }

  /** Drops resolved names whose addresses are now barred. Otherwise they would stay while DNS is down. */
  dropNames(): void {
    const { rules, rows, log } = this.#needs;
    if (rows.checkedBy() === rules.text) return;
    const hosts = rows.listHosts().flatMap((key) => {
      const text = rows.find("host", key);
      return text === undefined ? [] : [{ key, text }];
    });
    const names = rewrite(rows, "host", hosts, (text) => (areAllowed(rules, text) ? text : null));
    if (names > 0) log.warn({ names }, "addresses of some names are no longer allowed");
  }

  /**
   * Removes barred destinations from the routes in the file. The next comparison finds the difference and
   * updates memory. Works in pages, because a million routes take seconds.
   */
  async dropRoutes(inTurn: (work: () => Promise<void>) => Promise<void>): Promise<void> {
    const { rules, rows, log } = this.#needs;
    if (rows.checkedBy() === rules.text) return;
    let routes = 0;
    for (let after: string | undefined = ""; after !== undefined;) {
      const from: string = after;
      await inTurn(async () => {
        const page = rows.page("rt", from, PAGE);
        after = page.at(-1)?.key;
        routes += rewrite(rows, "rt", page, (text) => withoutBarred(text, this.isBarred));
      });
      // Yields to the event loop. Promises alone would block all I/O.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (routes > 0) log.warn({ routes }, "addresses of some routes are no longer allowed");
    rows.setCheckedBy(rules.text);
  }
}

/** Returns whether calls to a URI with an address are barred. A URI that cannot be parsed is barred. */
export function barredUris(rules: Pick<AddressRules, "isAllowed">): (uri: string) => boolean {
  const kept = new Map<string, boolean>();
  return (uri) => {
    const [, scheme, place] = /^(sips?):(?:[^@;?]*@)?([^@]*)$/i.exec(uri) ?? [];
    if (scheme === undefined) return true;
    // The user part is irrelevant, but user=phone requires a number.
    const text = `${scheme}:1@${place}`;
    const known = kept.get(text);
    if (known !== undefined) return known;
    const read = parseSipUri(text);
    const isBarred = "fault" in read || isIP(read.host) === 0 || !rules.isAllowed(read.host, portOf(read));
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(text, isBarred);
    return isBarred;
  };
}

/** Returns how many changed. */
function rewrite(
  rows: SwitchRows,
  table: "rt" | "host",
  some: Row[],
  by: (text: string) => string | null,
): number {
  const changes = some.flatMap(({ key, text: before }): RowChange[] => {
    const text = by(before);
    return text === before ? [] : [{ table, key, text }];
  });
  if (changes.length > 0) rows.write(changes);
  return changes.length;
}

/** One that is not allowed spoils all, as when they are looked up. */
function areAllowed(rules: AddressRules, addresses: string): boolean {
  return addresses.split(",").every((place) => {
    const [, address = "", port] = /^\[?([^\]]+?)\]?:(\d+);/.exec(place) ?? [];
    return rules.isAllowed(address, Number(port));
  });
}
