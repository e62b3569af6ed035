import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { AuditChange, AuditSentence } from "../audit/AuditSentence.tsx";
import { Avatar } from "../components/Avatar.tsx";
import { buttonClass } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { Section } from "../components/Section.tsx";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { overviewText } from "./overview-text.ts";

const SHOWN = 6;
const REFRESH_MS = 15_000;

/** The newest changes by users and API keys, in sentences. */
export function RecentChanges({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const list = useQuery({
    queryKey: [organisation, environment, "recent-changes"],
    queryFn: ({ signal }) =>
      withSession(() =>
        client.audit.list({ limit: SHOWN, include_system: false, outcome: "done" }, { signal }),
      ),
    refetchInterval: REFRESH_MS,
  });
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  const entries = list.data?.data ?? [];
  return (
    <Section
      title={overviewText.recentChanges}
      aside={
        <Link
          to="/o/$organisation/$environment/audit"
          params={{ organisation, environment }}
          className={buttonClass("quiet", "small")}
        >
          {overviewText.auditLog}
          <ChevronRight aria-hidden className="size-3.5" />
        </Link>
      }
    >
      {list.error && !list.data && <FailureNotice error={list.error} />}
      {list.data && entries.length === 0 && <p className="text-ink-2">{overviewText.noChanges}</p>}
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 py-2">
            <Avatar kind={entry.actor.kind} name={entry.actor.name} />
            <div className="min-w-0">
              <p>
                <AuditSentence entry={entry} />
              </p>
              <AuditChange entry={entry} connections={connections} />
            </div>
            <span className="text-xs text-ink-3">
              <RelativeTime at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
