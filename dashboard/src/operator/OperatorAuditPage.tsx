import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AuditLog } from "../audit/AuditLog.tsx";
import { auditQueryOf } from "../audit/audit-search.ts";
import { Freshness } from "../components/Freshness.tsx";
import { paging } from "../components/paging.ts";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { OperatorPage } from "./OperatorPage.tsx";
import { operatorText } from "./operator-text.ts";

const route = getRouteApi("/signed-in/operator/audit");

/** Audit entries of the installation, newest first, with the details of one entry. */
export function OperatorAuditPage() {
  const search = route.useSearch();
  const { entry: _entry, ...filters } = search;
  const navigate = useNavigate();
  // One time for all pages of the list: a cursor belongs to the filters of its first page.
  const [openedAt] = useState(Date.now);
  const list = useInfiniteQuery({
    queryKey: ["operator", "audit", filters],
    queryFn: ({ signal, pageParam }) =>
      withSession(() =>
        operator.audit.list({ ...auditQueryOf(filters, openedAt), cursor: pageParam }, { signal }),
      ),
    ...paging,
    placeholderData: (before) => before,
  });
  return (
    <OperatorPage
      title={operatorText.audit.title}
      says={operatorText.audit.about}
      error={list.error}
      freshness={<Freshness query={list} />}
    >
      <AuditLog
        {...{ list, search }}
        connections={[]}
        onChange={(wanted) => void navigate({ to: "/operator/audit", search: wanted, replace: true })}
        linkTo={(wanted) => ({ to: "/operator/audit", search: wanted })}
      />
    </OperatorPage>
  );
}
