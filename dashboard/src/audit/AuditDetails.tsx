import type { AuditEntry, Connection } from "@dialplane/sdk";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { CopiedFact, Fact, Facts } from "../components/Facts.tsx";
import { Button } from "../components/Button.tsx";
import { exactly } from "../components/dates.ts";
import { sharedText } from "../components/shared-text.ts";
import { AuditChange, AuditSentence } from "./AuditSentence.tsx";
import { auditText } from "./audit-text.ts";

interface AuditDetailsProps {
  entry: AuditEntry;
  connections: readonly Connection[];
  onClose(): void;
  /** Below the facts. */
  children?: ReactNode;
}

/** All facts of one entry. */
export function AuditDetails({ entry, connections, onClose, children }: AuditDetailsProps) {
  return (
    <aside
      aria-label={auditText.details}
      className="grid content-start gap-4 border-line max-lg:order-first max-lg:rounded-lg max-lg:border max-lg:p-4 lg:sticky lg:top-0 lg:border-l lg:pl-6"
    >
      <div className="flex items-start justify-between gap-2">
        <h2 className="text-base font-semibold">
          <AuditSentence entry={entry} />
        </h2>
        <Button look="quiet" size="icon" aria-label={auditText.close} onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <AuditChange entry={entry} connections={connections} />
      <EntryFacts entry={entry} />
      <OtherDetails entry={entry} />
      {children}
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
