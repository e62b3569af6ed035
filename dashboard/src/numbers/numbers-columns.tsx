import type { PhoneNumber } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { RoutingStatus } from "./RoutingStatus.tsx";
import { dayOf, momentOf } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

export interface NumbersColumn {
  id: string;
  header: string;
  width: string;
  cell(number: PhoneNumber): ReactNode;
}

/** Hidden from members without access to routing. */
export const ROUTING_COLUMNS = ["sync", "mode"];
/** Columns on narrow screens. */
export const NARROW_COLUMNS = ["number", "sync"];

/** Roving tabindex: 0 in the current row, -1 in all others. */
export const RowTabIndex = createContext(0);

export const NUMBER_COLUMN: NumbersColumn = {
  id: "number",
  header: numbersText.number,
  width: "minmax(11rem, 1.2fr)",
  cell: (number) => <NumberCell number={number} />,
};

/** Columns that the user can hide, in order. They follow the number. */
export const COLUMNS: readonly NumbersColumn[] = [
  {
    id: "label",
    header: sharedText.label,
    width: "minmax(6rem, 1.5fr)",
    cell: ({ label }) => (
      <span className="truncate text-muted" title={label ?? undefined}>
        {label ?? "–"}
      </span>
    ),
  },
  {
    id: "sync",
    header: numbersText.applied,
    width: "7rem",
    cell: ({ routing }) =>
      routing && (
        <span className="md:-ml-2">
          <RoutingStatus status={routing.status} />
        </span>
      ),
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
      <span className={status === "active" ? "text-muted" : "font-medium"}>{wordFor(status)}</span>
    ),
  },
  {
    id: "place",
    header: sharedText.numberType,
    width: "6.5rem",
    cell: ({ country, type }) => (
      <span className="truncate text-muted">{[country, wordFor(type)].filter(Boolean).join(" · ")}</span>
    ),
  },
  {
    id: "tags",
    header: sharedText.tags,
    width: "minmax(5rem, 1fr)",
    cell: ({ tags }) => <TagsCell tags={tags} />,
  },
  {
    id: "acquired",
    header: numbersText.heldSince,
    width: "6.5rem",
    cell: ({ acquired_at }) => (
      <time dateTime={acquired_at} title={momentOf(acquired_at)} className="text-muted">
        {dayOf(acquired_at)}
      </time>
    ),
  },
];

function NumberCell({ number }: { number: PhoneNumber }) {
  const tabIndex = use(RowTabIndex);
  return (
    <span className="flex items-center gap-1 font-medium tabular-nums">
      <Link
        from="/o/$organisation/$environment/numbers"
        to="/o/$organisation/$environment/numbers/$number"
        params={(place) => ({ ...place, number: number.id })}
        tabIndex={tabIndex}
        className="rounded hover:underline"
      >
        {number.e164}
      </Link>
      <span className="pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100">
        <CopyButton text={number.e164} label={numbersText.copyOf(number.e164)} tabIndex={tabIndex} />
      </span>
      {number.release_lock && (
        <span title={numbersText.lockedHint}>
          <Lock className="size-3.5 text-muted" aria-label={numbersText.locked} />
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
          className="rounded border border-line px-1.5 text-xs leading-5 text-muted -outline-offset-2 hover:border-line-strong hover:text-ink"
        >
          {tag}
        </Link>
      ))}
    </span>
  );
}
