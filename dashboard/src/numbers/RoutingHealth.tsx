import { useQueries } from "@tanstack/react-query";
import { CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { NumbersSearch } from "./numbers-search.ts";
import { numbersText } from "./numbers-text.ts";

/** Counts stop here. */
const COUNTED = 50;
const REFRESH_MS = 15_000;

const TROUBLES = [
  { sync: "drifted", icon: TriangleAlert, look: "border-warn/40 bg-warn-soft text-warn" },
  { sync: "failed", icon: CircleX, look: "border-bad/40 bg-bad-soft text-bad" },
  { sync: "unknown", icon: CircleHelp, look: "border-line-strong bg-hover text-ink" },
] as const;

/** Counters of routing problems, each with icon and word. */
export function RoutingHealth({ place, onShow }: { place: OpenPlace; onShow(search: NumbersSearch): void }) {
  const { organisation, environment, client } = place;
  const counts = useQueries({
    queries: TROUBLES.map(({ sync }) => ({
      queryKey: [organisation, environment, "numbers-in-trouble", sync],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const page = await withSession(() => client.numbers.list({ sync, limit: COUNTED }, { signal }));
        return { count: page.data.length, isMore: page.next_cursor !== null };
      },
      refetchInterval: REFRESH_MS,
    })),
  });
  return (
    <div role="status" aria-label={numbersText.trouble} className="flex flex-wrap gap-2 empty:hidden">
      {TROUBLES.map(({ sync, icon: Icon, look }, at) => {
        const found = counts[at]?.data;
        if (!found || found.count === 0) return null;
        return (
          <button
            key={sync}
            type="button"
            onClick={() => onShow({ sync })}
            className={`inline-flex h-7 items-center gap-1.5 rounded-full border px-2.5 text-xs font-medium hover:brightness-95 ${look}`}
          >
            <Icon aria-hidden className="size-3.5" />
            {found.count}
            {found.isMore && "+"} {numbersText.troubles[sync]}
          </button>
        );
      })}
    </div>
  );
}
