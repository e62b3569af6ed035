import type { Connection, TimelineEntry } from "@dialplane/sdk";
import { ArrowRight, Check, CircleX, Hash, Route, TriangleAlert, Undo2 } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { TimelineItem } from "../components/Timeline.tsx";
import { numberPageText } from "./number-page-text.ts";
import { targetsOf } from "./routing-target.ts";

const text = numberPageText.timeline;

/** Confirmations of one revision by several switches. */
export interface JoinedEntry extends TimelineEntry {
  confirmations: readonly TimelineEntry[];
}

/** Joins consecutive confirmations of one revision. */
export function joinConfirmations(entries: readonly TimelineEntry[]): JoinedEntry[] {
  const result: JoinedEntry[] = [];
  for (const entry of entries) {
    const last = result.at(-1);
    if (last?.kind === "applied" && entry.kind === "applied" && last.revision === entry.revision)
      result[result.length - 1] = { ...last, confirmations: [...last.confirmations, entry] };
    else result.push({ ...entry, confirmations: [entry] });
  }
  return result;
}

interface EntryProps {
  entry: JoinedEntry;
  connections: readonly Connection[];
  /** Absent if the revision cannot be restored. */
  onGoBack?: ((revision: number) => void) | undefined;
}

/** One entry of a number's timeline. */
export function NumberTimelineEntry({ entry, connections, onGoBack }: EntryProps) {
  switch (entry.kind) {
    case "set":
      return <SetEntry {...{ entry, connections, onGoBack }} />;
    case "applied":
      return <AppliedEntry entry={entry} />;
    case "failed":
      return (
        <TimelineItem
          icon={CircleX}
          tone="bad"
          at={entry.at}
          until={entry.until}
          title={
            <>
              {entry.revision !== null && `${text.failedRevision(entry.revision)} `}
              {text.failedOn(entry.switch ?? "")}
            </>
          }
        >
          {entry.error && <p className="break-words text-bad">{entry.error}</p>}
        </TimelineItem>
      );
    case "drifted":
      return <DriftedEntry {...{ entry, connections }} />;
    default:
      return (
        <TimelineItem
          icon={Hash}
          tone="plain"
          at={entry.at}
          title={
            <>
              {text.states[entry.state ?? ""] ?? wordFor(entry.state ?? entry.kind)}
              {entry.actor?.name && <span className="text-ink-2"> · {entry.actor.name}</span>}
            </>
          }
        >
          {entry.reason && <q>{entry.reason}</q>}
        </TimelineItem>
      );
  }
}

function SetEntry({ entry, connections, onGoBack }: EntryProps) {
  const { revision, actor, changes, reason } = entry;
  const nameOf = (field: string, value: string): string =>
    connections.find(({ id }) => id === value)?.name ?? (field === "mode" ? wordFor(value) : value);
  return (
    <TimelineItem
      icon={Route}
      tone="accent"
      at={entry.at}
      title={
        <>
          <span className="font-semibold">{actor?.name ?? wordFor(actor?.kind ?? "system")}</span>{" "}
          {text.set(revision ?? 0)}
        </>
      }
    >
      <ul className="grid gap-0.5">
        {changes.map(({ field, from, to }) => (
          <li key={field} className="flex flex-wrap items-center gap-x-1.5">
            {wordFor(field)}
            {from !== null && <del className="break-all">{nameOf(field, from)}</del>}
            {from !== null && to !== null && (
              <ArrowRight aria-label={sharedText.becomes} className="size-3" />
            )}
            {to !== null && <ins className="break-all text-ink-2 no-underline">{nameOf(field, to)}</ins>}
          </li>
        ))}
      </ul>
      {reason && <q className="text-ink-2">{reason}</q>}
      {onGoBack && revision !== null && (
        <Button
          size="small"
          icon={<Undo2 aria-hidden className="size-3" />}
          className="mt-1 text-xs"
          onClick={() => onGoBack(revision)}
        >
          {text.goBack(revision)}
        </Button>
      )}
    </TimelineItem>
  );
}

function AppliedEntry({ entry }: { entry: JoinedEntry }) {
  const { confirmations, revision } = entry;
  const times = confirmations.map(({ took_ms }) => took_ms).filter((took) => took !== null);
  return (
    <TimelineItem
      icon={Check}
      tone="good"
      at={entry.at}
      title={
        <>
          {text.appliedOn(confirmations.length, revision ?? 0)}{" "}
          {times.length > 0 && text.inTime(lengthOf(Math.max(...times)))}
        </>
      }
    >
      <p>
        {confirmations
          .map(({ switch: name, took_ms }) => (took_ms === null ? name : `${name} ${lengthOf(took_ms)}`))
          .join(", ")}
      </p>
    </TimelineItem>
  );
}

function DriftedEntry({ entry, connections }: EntryProps) {
  const { found, expected, count, until, wrong_ms: wrong } = entry;
  const valueOf = (value: TimelineEntry["found"]): string =>
    value ? targetsOf(value, connections) : numberPageText.noRoute;
  const says = until === null ? text.driftIsOpen : (count ?? 1) > 1 ? text.drifted(count!) : text.driftedOnce;
  return (
    <TimelineItem
      icon={TriangleAlert}
      tone="warn"
      at={entry.at}
      until={until}
      title={
        <>
          <span className="font-semibold">{entry.switch}</span> {says}
        </>
      }
    >
      <p className="break-words">
        {numberPageText.found} <code className="font-mono break-all text-warn">{valueOf(found)}</code>,{" "}
        {numberPageText.expected.toLowerCase()}{" "}
        <code className="font-mono break-all">{valueOf(expected)}</code>.
      </p>
      {wrong !== null && wrong > 0 && <p>{text.wrongFor(lengthOf(wrong))}</p>}
    </TimelineItem>
  );
}

/** Such as "0.3 s" or "4 min". */
function lengthOf(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
