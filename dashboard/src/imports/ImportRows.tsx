import type { Connection } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, CircleMinus, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { Button } from "../components/Button.tsx";
import { SaveButton } from "../components/SaveButton.tsx";
import { Section } from "../components/Section.tsx";
import { targetsOf } from "../numbers/routing-target.ts";
import { sharedText, wordFor } from "../components/shared-text.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import type { ImportLine } from "./import-plan.ts";
import { type DryRun, failuresAsFile, type Outcomes, problemOf } from "./import-run.ts";
import { importsText } from "./imports-text.ts";

const AT_ONCE = 100;

interface ImportRowsProps {
  place: OpenPlace;
  run: DryRun;
  outcomes: Outcomes;
}

/** Planned or actual result of each line. */
export function ImportRows({ place, run, outcomes }: ImportRowsProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const problems = run.lines.filter((line) => problemOf(line, outcomes)).length;
  return (
    <Section
      title={importsText.rows}
      aside={
        problems > 0 && (
          <SaveButton
            label={sharedText.saveFailures}
            fileName={importsText.failuresFile}
            content={() => Promise.resolve(failuresAsFile(run, outcomes))}
          />
        )
      }
    >
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {run.lines.slice(0, shown).map((line) => (
          <Row key={line.line} {...{ place, line, outcomes }} connections={run.connections} />
        ))}
      </ul>
      {run.lines.length > shown && (
        <div className="justify-self-center">
          <Button size="small" onClick={() => setShown(shown + AT_ONCE)}>
            {sharedText.showMore}
          </Button>
        </div>
      )}
    </Section>
  );
}

interface RowProps extends Omit<ImportRowsProps, "run"> {
  line: ImportLine;
  connections: readonly Connection[];
}

function Row({ place: { organisation, environment }, line, outcomes, connections }: RowProps) {
  const { icon: Icon, look, says } = stateOf(line, outcomes);
  const problem = problemOf(line, outcomes);
  const changes = changesInWords(line, connections);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="w-8 text-xs text-ink-2 tabular-nums">
        <span className="sr-only">{importsText.line} </span>
        {line.line}
      </span>
      {line.number ? (
        <Link
          to="/o/$organisation/$environment/numbers/$number"
          params={{ organisation, environment, number: line.number.id }}
          className="w-36 rounded font-medium tabular-nums hover:underline"
        >
          <PhoneNumber e164={line.number.e164} />
        </Link>
      ) : (
        <span className="w-36 truncate tabular-nums">{line.named}</span>
      )}
      <span className="min-w-0 grow basis-40 text-sm break-words text-ink-2">{changes.join("; ")}</span>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {says}
      </span>
      {problem && <span className="w-full text-xs break-words text-bad">{problem}</span>}
    </li>
  );
}

const STATES = {
  fault: { icon: CircleX, look: "text-bad", says: importsText.states.fault },
  nothing: { icon: CircleMinus, look: "text-ink-2", says: importsText.states.nothing },
  planned: { icon: CircleDashed, look: "text-ink-2", says: importsText.states.planned },
  failed: { icon: CircleX, look: "text-bad", says: importsText.states.failed },
  stale: { icon: TriangleAlert, look: "text-warn", says: importsText.states.stale },
  set: { icon: CircleCheck, look: "text-good", says: importsText.states.set },
};

/** The worst result of its parts. */
function stateOf({ fault, wants, number }: ImportLine, outcomes: Outcomes) {
  if (fault) return STATES.fault;
  const parts = Object.keys(wants);
  if (parts.length === 0) return STATES.nothing;
  const known = Object.values(outcomes.get(number!.id) ?? {}).map(({ outcome }) => outcome);
  if (known.includes("failed")) return STATES.failed;
  if (known.includes("stale")) return STATES.stale;
  if (known.length < parts.length) return STATES.planned;
  return known.includes("set") ? STATES.set : STATES.nothing;
}

function changesInWords({ wants, number }: ImportLine, connections: readonly Connection[]): string[] {
  const { label, tags, release_lock, routing } = wants;
  return [
    ...(label === undefined ? [] : [importsText.setLabel(number?.label ?? "", label ?? "")]),
    ...(tags?.add.length ? [importsText.addTags(tags.add.join(", "))] : []),
    ...(tags?.remove.length ? [importsText.removeTags(tags.remove.join(", "))] : []),
    ...(routing
      ? [
          `${wordFor(number?.routing?.mode ?? "unrouted")} → ${
            routing.mode === "unrouted"
              ? "unrouted"
              : `${wordFor(routing.mode)} ${targetsOf(routing, connections)}`
          }`,
        ]
      : []),
    ...(release_lock === undefined ? [] : [release_lock ? importsText.lock : importsText.unlock]),
  ];
}
