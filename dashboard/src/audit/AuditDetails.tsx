import type { AuditEntry } from "@dialplane/sdk";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { CopiedFact, Fact, Facts } from "../components/Facts.tsx";
import { Button, buttonClass } from "../components/Button.tsx";
import { exactly } from "../components/dates.ts";
import { sharedText } from "../components/shared-text.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { AuditChange, AuditSentence } from "./AuditSentence.tsx";
import { auditText } from "./audit-text.ts";

/** All facts of one entry. */
export function AuditDetails({
  entry,
  place,
  onClose,
}: {
  entry: AuditEntry;
  place: OpenPlace;
  onClose(): void;
}) {
  const { subject_ref: subject } = entry;
  const { organisation, environment } = place;
  return (
    <aside
      aria-label={auditText.details}
      className="grid content-start gap-4 border-line max-lg:order-first max-lg:rounded-lg max-lg:border max-lg:p-4 lg:sticky lg:top-0 lg:border-l lg:pl-6"
    >
      <div className="flex items-start justify-between gap-2">
        <h2 className="text-base font-semibold">
          <AuditSentence entry={entry} place={place} />
        </h2>
        <Button look="quiet" size="icon" aria-label={auditText.close} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <AuditChange entry={entry} place={place} />
      <EntryFacts entry={entry} />
      <OtherDetails entry={entry} />
      {subject?.type === "number" && (
        <div>
          <Link
            to="/o/$organisation/$environment/numbers/$number"
            params={{ organisation, environment, number: subject.id }}
            className={buttonClass("plain", "small")}
          >
            {auditText.openNumber}
          </Link>
        </div>
      )}
    </aside>
  );
}

function EntryFacts({ entry }: { entry: AuditEntry }) {
  const { fields } = auditText;
  return (
    <Facts>
      <Fact name={fields.who}>{entry.actor.name ?? auditText.actors[entry.actor.kind]}</Fact>
      <Fact name={fields.when}>{exactly(entry.at)}</Fact>
      <Fact name={fields.action}>
        <code className="font-mono text-xs">{entry.action}</code>
      </Fact>
      <Fact name={fields.outcome}>{auditText.outcomes[entry.outcome] ?? entry.outcome}</Fact>
      {entry.address && (
        <Fact name={fields.address}>
          <code className="font-mono text-xs">{entry.address}</code>
        </Fact>
      )}
      {entry.request_id && (
        <CopiedFact name={fields.request} value={entry.request_id} copyLabel={sharedText.copyRequestId} />
      )}
      <CopiedFact name={fields.entry} value={entry.id} copyLabel={auditText.copyEntryId} />
    </Facts>
  );
}

/** The entry's own fields, as names and values. */
function OtherDetails({ entry: { detail } }: { entry: AuditEntry }) {
  const fields = Object.entries(detail).filter(([, value]) => value !== null && typeof value !== "object");
  if (fields.length === 0) return null;
  return (
    <section aria-label={auditText.otherDetails} className="border-t border-line pt-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-xs">
        {fields.map(([name, value]) => (
          <Fact key={name} name={name.replaceAll("_", " ")}>
            {String(value)}
          </Fact>
        ))}
      </dl>
    </section>
  );
}
