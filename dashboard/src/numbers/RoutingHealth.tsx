import { useQueries } from "@tanstack/react-query";
import { CircleHelp, CircleX, TriangleAlert } from "lucide-react";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { NumbersSearch } from "./numbers-search.ts";

/** Counted no further: that there are many is what matters. */
const COUNTED = 50;
const REFRESH_MS = 15_000;

const TROUBLES = [
  { sync: "drifted", icon: TriangleAlert, look: "border-warn/40 bg-warn-soft text-warn", says: "drifted" },
  { sync: "failed", icon: CircleX, look: "border-bad/40 bg-bad-soft text-bad", says: "failing" },
  { sync: "unknown", icon: CircleHelp, look: "border-line-strong bg-hover text-ink", says: "not heard of" },
] as const;

/** Whether any calls go where they should not, before one has looked for it: a shape, a count and a word each. */
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
    <div role="status" aria-label="Routing in trouble" className="flex flex-wrap gap-2 empty:hidden">
      {TROUBLES.map(({ sync, icon: Icon, look, says }, at) => {
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
            {found.isMore && "+"} {says}
          </button>
        );
      })}
    </div>
  );
}
