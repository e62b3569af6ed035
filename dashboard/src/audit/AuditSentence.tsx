import type { AuditEntry, Connection, RevisedRouting } from "@dialplane/sdk";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { targetsOf } from "../numbers/routing-target.ts";
import { meQuery } from "../session/session.ts";
import { auditText } from "./audit-text.ts";

/** Actor, action and resource as a sentence. */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const { actor, action, outcome } = entry;
  const isYou = actor.id !== null && actor.id === me.caller.id;
  const name = isYou ? auditText.you : (actor.name ?? auditText.actors[actor.kind] ?? actor.kind);
  return (
    <>
      <span className="font-semibold break-words">{name}</span>{" "}
      {outcome === "done" ? (
        phraseOf(action)
      ) : (
        <>
          {isYou ? auditText.were : auditText.was}{" "}
          <span className="font-name text-bad">{auditText.denied}</span> {deniedOf(entry)}
        </>
      )}{" "}
      <Subject entry={entry} />
    </>
  );
}

/** Most actions are `noun.past_participle`, which reads well in the other order. */
function phraseOf(action: string): string {
  const [noun = "", participle = ""] = action.split(".");
  const known = auditText.phrases[action];
  return known ?? `${participle.replaceAll("_", " ")} ${auditText.nouns[noun] ?? noun.replaceAll("_", " ")}`;
}

/** Operation of the denied request, in words. */
function deniedOf({ action, detail }: AuditEntry): string {
  const operation = detail["operation"];
  if (typeof operation !== "string")
    return action === "request.refused" ? auditText.aRequest : phraseOf(action);
  return operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function Subject({ entry: { subject_ref: subject } }: { entry: AuditEntry }): ReactNode {
  if (!subject?.label) return null;
  if (/^\+\d+$/.test(subject.label)) return <PhoneNumber e164={subject.label} />;
  return <span className="break-words">{subject.label}</span>;
}

/** Values before and after, one line per changed setting. */
export function AuditChange({
  entry,
  connections,
}: {
  entry: AuditEntry;
  connections: readonly Connection[];
}) {
  const changes = auditChangesOf(entry, connections);
  if (changes.length === 0) return null;
  return (
    <ul className="grid gap-0.5 text-xs text-ink-3">
      {changes.map(({ field, from, to }) => (
        <li key={field} className="flex min-w-0 flex-wrap items-center gap-x-1.5">
          {field && <span>{field}</span>}
          {from !== null && <del className="break-all">{from}</del>}
          {from !== null && to !== null && (
            <ArrowRight aria-label={sharedText.becomes} className="size-3 shrink-0" />
          )}
          {to !== null && <ins className="break-all text-ink-2 no-underline">{to}</ins>}
        </li>
      ))}
    </ul>
  );
}

interface AuditDifference {
  /** Empty for a routing, which is one value. */
  field: string;
  from: string | null;
  to: string | null;
}

const MOST_CHANGES = 4;

function auditChangesOf(
  { action, before, after, subject_ref: subject }: AuditEntry,
  connections: readonly Connection[],
): AuditDifference[] {
  if (action === "routing.changed") {
    const lineOf = (value: AuditEntry["before"]): string | null =>
      value ? targetsOf(value as unknown as RevisedRouting, connections) : null;
    return [{ field: "", from: lineOf(before), to: lineOf(after) }];
  }
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({
      field: wordFor(field),
      from: before ? valueOf(before[field]) : null,
      to: after ? valueOf(after[field]) : null,
    }))
    .filter(({ from, to }) => from !== to && !(from === null && to === subject?.label))
    .slice(0, MOST_CHANGES);
}

/** As text, without quotes and braces where possible. */
function valueOf(value: unknown): string {
  if (value === null || value === undefined) return auditText.none;
  if (typeof value === "boolean") return value ? auditText.on : auditText.off;
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? auditText.none : value.map(valueOf).join(", ");
  return Object.entries(value)
    .filter(([, one]) => one !== null)
    .map(([name, one]) => `${wordFor(name).toLowerCase()} ${valueOf(one)}`)
    .join(", ");
}
