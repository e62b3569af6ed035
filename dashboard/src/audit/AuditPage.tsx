import type { AuditEntry } from "@dialplane/sdk";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { buttonClass } from "../components/Button.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { paging } from "../components/paging.ts";
import { connectionsQuery } from "../numbers/routing-queries.ts";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { SavedViews } from "../views/SavedViews.tsx";
import { AuditLog } from "./AuditLog.tsx";
import { auditQueryOf, readAuditSearch } from "./audit-search.ts";
import { auditText } from "./audit-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/audit");

/** Audit log in sentences, newest first, with the details of one entry. */
export function AuditPage() {
  useTitle(auditText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const search = route.useSearch();
  const { entry: _entry, ...filters } = search;
  const navigate = useNavigate();
  // One time for all pages of the list: a cursor belongs to the filters of its first page.
  const [openedAt] = useState(Date.now);
  const list = useInfiniteQuery({
    queryKey: [organisation, environment, "audit", filters],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        client.audit.list({ ...auditQueryOf(filters, openedAt), cursor: pageParam }, { signal }),
      ),
    ...paging,
    placeholderData: (before) => before,
  });
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  const here = {
    to: "/o/$organisation/$environment/audit",
    params: { organisation, environment },
  } as const;
  return (
    <>
      <PageBar title={auditText.title} freshness={<Freshness query={list} />}>
        <AsCode call={() => ({ operation: "listAudit", query: auditQueryOf(filters, openedAt) })} />
      </PageBar>
      <SavedViews
        place={place}
        page="audit"
        search={filters}
        isReady={list.data !== undefined}
        onOpen={(raw) => void navigate({ ...here, search: readAuditSearch(raw) })}
      />
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-4 px-4 py-6 md:px-8">
          <AuditLog
            {...{ list, search, connections }}
            onChange={(wanted) => void navigate({ ...here, search: wanted, replace: true })}
            linkTo={(wanted) => ({ ...here, search: wanted })}
            resourceOf={(entry) => <NumberOf entry={entry} place={place} />}
          />
        </div>
      </div>
    </>
  );
}

function NumberOf({ entry: { subject_ref: subject }, place }: { entry: AuditEntry; place: OpenPlace }) {
  if (subject?.type !== "number") return null;
  const { organisation, environment } = place;
  return (
    <Link
      to="/o/$organisation/$environment/numbers/$number"
      params={{ organisation, environment, number: subject.id }}
      className={`justify-self-start ${buttonClass("plain", "small")}`}
    >
      {auditText.openNumber}
    </Link>
  );
}
