import type { PhoneNumber as Number } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { CirclePause, Lock } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { PhoneNumber as ShownNumber } from "../components/PhoneNumber.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { RoutingChange } from "./RoutingChange.tsx";
import { NumberSync } from "./NumberSync.tsx";
import { dayOf, exactly } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

export interface NumbersColumn {
  id: string;
  header: string;
  width: string;
  cell(number: Number): ReactNode;
}

/** Hidden from members without access to routing. */
export const ROUTING_COLUMNS = ["destination", "sync", "mode"];
/** Hidden until the user shows them. */
export const HIDDEN_COLUMNS: readonly string[] = ["mode", "state", "place", "acquired"];
/** Columns that need a wide screen. */
export const WIDE_COLUMNS: readonly string[] = ["tags", "last-call", "acquired"];
/** Columns whose values and headers are on the right. */
export const RIGHT_COLUMNS: readonly string[] = ["calls", "last-call"];
/** Columns on narrow screens. */
export const NARROW_COLUMNS = ["number", "sync"];

/** Roving tabindex: 0 in the current row, -1 in all others. */
export const RowTabIndex = createContext(0);

export const NUMBER_COLUMN: NumbersColumn = {
  id: "number",
  header: numbersText.number,
  width: "11rem",
  cell: (number) => <NumberCell number={number} />,
};

/** Columns that the user can hide, in order. They follow the number. */
export const COLUMNS: readonly NumbersColumn[] = [
  {
    id: "label",
    header: sharedText.label,
    width: "minmax(4rem, 1fr)",
    cell: ({ label }) => (
      <span className="truncate text-ink-2" title={label ?? undefined}>
        {label ?? "–"}
      </span>
    ),
  },
  {
    id: "destination",
    header: numbersText.destination,
    width: "minmax(10rem, 3fr)",
    cell: ({ routing }) => routing && <RoutingChange routing={routing} />,
  },
  {
    id: "sync",
    header: numbersText.applied,
    width: "9.5rem",
    cell: (number) => <SyncCell number={number} />,
  },
  {
    id: "mode",
    header: numbersText.routing,
    width: "6.5rem",
    cell: ({ routing }) => routing && wordFor(routing.mode),
  },
  {
    id: "state",
    header: numbersText.status,
    width: "5.5rem",
    cell: ({ status }) => (
      <span className={status === "active" ? "text-ink-2" : "font-medium"}>{wordFor(status)}</span>
    ),
  },
  {
    id: "place",
    header: sharedText.numberType,
    width: "6.5rem",
    cell: ({ country, type }) => (
      <span className="truncate text-ink-2">{[country, wordFor(type)].filter(Boolean).join(" · ")}</span>
    ),
  },
  {
    id: "tags",
    header: sharedText.tags,
    width: "minmax(5rem, 1fr)",
    cell: ({ tags }) => <TagsCell tags={tags} />,
  },
  {
    id: "calls",
    header: numbersText.calls24h,
    width: "4.5rem",
    cell: ({ calls_24h: calls }) => (
      <span className={`tabular-nums ${calls === 0 ? "text-ink-3" : ""}`}>{calls.toLocaleString()}</span>
    ),
  },
  {
    id: "last-call",
    header: numbersText.lastCall,
    width: "6.5rem",
    cell: ({ last_call_at }) => (
      <span className="text-ink-2">
        {last_call_at ? <RelativeTime at={last_call_at} /> : numbersText.never}
      </span>
    ),
  },
  {
    id: "acquired",
    header: numbersText.heldSince,
    width: "6.5rem",
    cell: ({ acquired_at }) => (
      <time dateTime={acquired_at} title={exactly(acquired_at)} className="text-ink-2 tabular-nums">
        {dayOf(acquired_at)}
      </time>
    ),
  },
];

/** On narrow screens the count of calls has no column. */
function SyncCell({ number: { routing, status, calls_24h: calls } }: { number: Number }) {
  if (!routing) return null;
  return (
    <span className="grid min-w-0 justify-items-end gap-0.5 md:justify-items-start">
      {status === "active" ? (
        <NumberSync routing={routing} />
      ) : (
        <StatusBadge tone="plain" icon={CirclePause}>
          {wordFor(status)}
        </StatusBadge>
      )}
      <span className="text-xs text-ink-2 tabular-nums md:hidden">
        {numbersText.callsIn24h(calls.toLocaleString())}
      </span>
    </span>
  );
}

function NumberCell({ number }: { number: Number }) {
  return (
    <span className="grid min-w-0">
      <NumberLine number={number} />
      <span className="flex min-w-0 gap-1.5 text-xs text-ink-2 md:hidden">
        {number.label && <span className="max-w-1/2 shrink-0 truncate">{number.label}</span>}
        {number.routing && <RoutingChange routing={number.routing} />}
      </span>
    </span>
  );
}

function NumberLine({ number }: { number: Number }) {
  const tabIndex = use(RowTabIndex);
  return (
    <span className="flex items-center gap-1 font-name">
      <Link
        from="/o/$organisation/$environment/numbers"
        to="/o/$organisation/$environment/numbers/$number"
        params={(place) => ({ ...place, number: number.id })}
        tabIndex={tabIndex}
        className="rounded hover:underline"
      >
        <ShownNumber e164={number.e164} />
      </Link>
      <span className="pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100">
        <CopyButton text={number.e164} label={numbersText.copyOf(number.e164)} tabIndex={tabIndex} />
      </span>
      {number.release_lock && (
        <span title={numbersText.lockedHint}>
          <Lock className="size-3.5 text-ink-2" aria-label={numbersText.locked} />
        </span>
      )}
    </span>
  );
}

function TagsCell({ tags }: { tags: readonly string[] }) {
  const tabIndex = use(RowTabIndex);
  return (
    <span className="flex gap-1 overflow-hidden">
      {tags.map((tag) => (
        <Link
          key={tag}
          from="/o/$organisation/$environment/numbers"
          to="/o/$organisation/$environment/numbers"
          search={(search) => ({ ...search, tag })}
          title={numbersText.tagged(tag)}
          tabIndex={tabIndex}
          className="rounded border border-line px-1.5 text-xs leading-5 text-ink-2 -outline-offset-2 hover:border-line-strong hover:text-ink"
        >
          {tag}
        </Link>
      ))}
    </span>
  );
}
