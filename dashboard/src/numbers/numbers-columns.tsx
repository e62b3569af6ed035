import type { PhoneNumber } from "@dialplane/sdk";
import { columnVisibilityFeature, createColumnHelper, tableFeatures } from "@tanstack/react-table";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { createContext, use } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { RoutingStatus } from "./RoutingStatus.tsx";
import { dayOf, momentOf, wordFor } from "./words.ts";

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

/** Left out for people who may not see routing. */
export const ROUTING_COLUMNS = ["sync", "mode"];
/** All there is room for on a phone. */
export const NARROW_COLUMNS = ["number", "sync"];

/** Whether Tab stops at what is in the row: 0 in the one row where it does, -1 in all others. */
export const RowTabIndex = createContext(0);

export const columns = column.columns([
  column.accessor("e164", {
    id: "number",
    header: "Number",
    enableHiding: false,
    cell: ({ row: { original } }) => <NumberCell number={original} />,
  }),
  column.accessor("label", {
    id: "label",
    header: "Label",
    cell: ({ row: { original } }) => (
      <span className="truncate text-muted" title={original.label ?? undefined}>
        {original.label ?? "–"}
      </span>
    ),
  }),
  column.accessor((number) => number.routing?.status, {
    id: "sync",
    header: "Applied",
    cell: ({ row: { original } }) =>
      original.routing && (
        <span className="md:-ml-2">
          <RoutingStatus status={original.routing.status} />
        </span>
      ),
  }),
  column.accessor((number) => number.routing?.mode, {
    id: "mode",
    header: "Routing",
    cell: ({ row: { original } }) => original.routing && wordFor(original.routing.mode),
  }),
  column.accessor("status", {
    id: "state",
    header: "State",
    cell: ({ row: { original } }) => (
      <span className={original.status === "active" ? "text-muted" : "font-medium"}>
        {wordFor(original.status)}
      </span>
    ),
  }),
  column.accessor("country", {
    id: "place",
    header: "Kind",
    cell: ({ row: { original } }) => (
      <span className="truncate text-muted">
        {[original.country, wordFor(original.type)].filter(Boolean).join(" · ")}
      </span>
    ),
  }),
  column.accessor("tags", {
    id: "tags",
    header: "Tags",
    cell: ({ row: { original } }) => <TagsCell tags={original.tags} />,
  }),
  column.accessor("acquired_at", {
    id: "acquired",
    header: "Held since",
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
        <CopyButton text={number.e164} label={`Copy ${number.e164}`} tabIndex={tabIndex} />
      </span>
      {number.release_lock && (
        <span title="Locked: it cannot be released.">
          <Lock className="size-3.5 text-muted" aria-label="Locked" />
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
          title={`Show numbers tagged ${tag}`}
          tabIndex={tabIndex}
          className="rounded border border-line px-1.5 text-xs leading-5 text-muted -outline-offset-2 hover:border-line-strong hover:text-ink"
        >
          {tag}
        </Link>
      ))}
    </span>
  );
}
