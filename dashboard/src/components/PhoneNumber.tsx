import { whenReachable } from "../session/when-reachable.ts";
import { createStore } from "../store.ts";

/** Sizes of the groups of the last digits, by their count. */
const GROUPS: Record<number, number[]> = {
  6: [3, 3],
  7: [3, 4],
  8: [4, 4],
  9: [3, 3, 3],
  10: [3, 3, 4],
  11: [4, 4, 3],
};

/** Large tables of all numbering plans: they load after the page, which shows plain digits until then. */
const plans = createStore<{ groupsOf(e164: string): string[] } | undefined>(undefined);
requestIdleCallback(() => void whenReachable(() => import("./numbering-plans.ts"))().then(plans.set));

/**
 * A number in groups, as people read it. The gaps are space between the groups, not characters: the text stays
 * E.164 for copying and for searching in the page.
 */
export function PhoneNumber({ e164 }: { e164: string }) {
  const groups = plans.use()?.groupsOf(e164).flatMap(split) ?? [e164];
  return (
    <span className="whitespace-nowrap tabular-nums">
      {groups.map((group, at) => (
        <span key={at} className={at > 0 ? "ml-[0.28em]" : undefined}>
          {group}
        </span>
      ))}
    </span>
  );
}

function split(digits: string): string[] {
  const sizes = GROUPS[digits.length];
  if (!sizes) return [digits];
  let from = 0;
  return sizes.map((size) => digits.slice(from, (from += size)));
}
