import type { PhoneNumber } from "@dialplane/sdk";
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { createContext, use } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { RoutingStatus } from "./RoutingStatus.tsx";
import { dayOf, momentOf } from "../components/dates.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

export const features = tableFeatures({ columnVisibilityFeature });
const column = createColumnHelper<typeof features, PhoneNumber>();

/** Width of each column, by its ID. */
export const WIDTHS: Record<string, string> = {
  number: "minmax(11rem, 1.2fr)",
  label: "minmax(6rem, 1.5fr)",
  sync: "7rem",
  mode: "6.5rem",
  state: "5.5rem",
  place: "6.5rem",
  tags: "minmax(5rem, 1fr)",
  acquired: "6.5rem",
};

/** Hidden from members without access to routing. */
export const ROUTING_COLUMNS = ["sync", "mode"];
/** Columns on narrow screens. */
export const NARROW_COLUMNS = ["number", "sync"];

/** Roving tabindex: 0 in the current row, -1 in all others. */
export const RowTabIndex = createContext(0);

export const columns = column.columns([
  column.accessor("e164", {
    id: "number",
    header: numbersText.number,
    enableHiding: false,
    cell: ({ row: { original } }) => <NumberCell number={original} />,
  }),
  column.accessor("label", {
    id: "label",
    header: sharedText.label,
    cell: ({ row: { original } }) => (
      <span className="truncate text-muted" title={original.label ?? undefined}>
        {original.label ?? "–"}
      </span>
    ),
  }),
  column.accessor((number) => number.routing?.status, {
    id: "sync",
    header: numbersText.applied,
    cell: ({ row: { original } }) =>
      original.routing && (
        <span className="md:-ml-2">
          <RoutingStatus status={original.routing.status} />
        </span>
      ),
  }),
  column.accessor((number) => number.routing?.mode, {
    id: "mode",
    header: numbersText.routing,
    cell: ({ row: { original } }) => original.routing && wordFor(original.routing.mode),
  }),
  column.accessor("status", {
    id: "state",
    header: numbersText.status,
    cell: ({ row: { original } }) => (
      <span className={original.status === "active" ? "text-muted" : "font-medium"}>
        {wordFor(original.status)}
      </span>
    ),
  }),
  column.accessor("country", {
    id: "place",
    header: sharedText.numberType,
    cell: ({ row: { original } }) => (
      <span className="truncate text-muted">
        {[original.country, wordFor(original.type)].filter(Boolean).join(" · ")}
      </span>
    ),
  }),
  column.accessor("tags", {
    id: "tags",
    header: sharedText.tags,
    cell: ({ row: { original } }) => <TagsCell tags={original.tags} />,
  }),
  column.accessor("acquired_at", {
    id: "acquired",
    header: numbersText.heldSince,
    cell: ({ row: { original } }) => (
      <time dateTime={original.acquired_at} title={momentOf(original.acquired_at)} className="text-muted">
        {dayOf(original.acquired_at)}
      </time>
    ),
  }),
]);

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
