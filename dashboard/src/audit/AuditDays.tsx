import type { AuditEntry, Connection } from "@dialplane/sdk";
import { Link, type LinkProps } from "@tanstack/react-router";
import { Avatar } from "../components/Avatar.tsx";
import { clockOf, dayKeyOf, dayOf, exactly } from "../components/dates.ts";
import { AuditChange, AuditSentence } from "./AuditSentence.tsx";

interface AuditDaysProps {
  entries: readonly AuditEntry[];
  connections: readonly Connection[];
  openId: string | undefined;
  /** Link that opens the details of an entry. */
  linkOf(id: string): LinkProps;
}

/** Entries by day. */
export function AuditDays({ entries, connections, openId, linkOf }: AuditDaysProps) {
  const days = Object.entries(Object.groupBy(entries, ({ at }) => dayKeyOf(at)));
  return (
    <div className="grid min-w-0 content-start gap-6">
      {days.map(([day, ofDay = []]) => (
        <section key={day} aria-label={dayOf(ofDay[0]!.at)}>
          <h2 className="mb-1 text-xs font-name text-ink-3">{dayOf(ofDay[0]!.at)}</h2>
          <ul className="divide-y divide-line">
            {ofDay.map((entry) => (
              <Row
                key={entry.id}
                {...{ entry, connections }}
                link={linkOf(entry.id)}
                isOpen={entry.id === openId}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface RowProps {
  entry: AuditEntry;
  connections: readonly Connection[];
  link: LinkProps;
  isOpen: boolean;
}

function Row({ entry, connections, link, isOpen }: RowProps) {
  return (
    <li
      className={`relative grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 rounded-md px-3 py-2 hover:bg-hover ${isOpen ? "bg-accent-soft" : ""}`}
    >
      <Avatar kind={entry.actor.kind} name={entry.actor.name} />
      <div className="min-w-0">
        <p>
          <Link
            {...link}
            replace
            aria-current={isOpen ? "true" : undefined}
            className="rounded after:absolute after:inset-0"
          >
            <AuditSentence entry={entry} />
          </Link>
        </p>
        <AuditChange entry={entry} connections={connections} />
      </div>
      <time dateTime={entry.at} title={exactly(entry.at)} className="text-xs text-ink-3 tabular-nums">
        {clockOf(entry.at)}
      </time>
    </li>
  );
}
