import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { overviewQuery } from "../overview/overview-query.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { callsText } from "./calls-text.ts";

const TAB =
  "inline-flex h-10 items-center gap-1.5 border-b-2 border-transparent font-name text-ink-2 hover:text-ink pointer-coarse:h-11";
const CURRENT = { className: "border-b-ink! text-ink!" };

/** Ended calls and calls in progress, each under its own address. Members see only calls in progress. */
export function CallsTabs({ place }: { place: OpenPlace }) {
  const { organisation, environment, role } = place;
  const active = useQuery(overviewQuery(place)).data?.calls.active.value;
  const at = { organisation, environment };
  const options = { exact: true, includeSearch: false };
  return (
    <nav aria-label={callsText.title} className="flex shrink-0 gap-5 border-b border-line px-4 md:px-6">
      {role !== "member" && (
        <Link
          to="/o/$organisation/$environment/calls"
          params={at}
          className={TAB}
          activeProps={CURRENT}
          activeOptions={options}
        >
          {callsText.tabs.log}
        </Link>
      )}
      <Link
        to="/o/$organisation/$environment/calls/active"
        params={at}
        className={TAB}
        activeProps={CURRENT}
        activeOptions={options}
      >
        {callsText.tabs.active}
        {typeof active === "number" && (
          <span className="text-xs text-ink-3 tabular-nums">{active.toLocaleString()}</span>
        )}
      </Link>
    </nav>
  );
}
