import type { Organisation } from "@dialplane/sdk/operator";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { dayOf } from "../components/dates.ts";
import { ForwardingSection } from "./ForwardingSection.tsx";
import { OperatorPage } from "./OperatorPage.tsx";
import { OrganisationDialog } from "./OrganisationDialogs.tsx";
import { organisationQuery } from "./organisations-list.ts";
import { OrganisationStatus } from "./OrganisationStatus.tsx";
import { ProbeLimitSection } from "./ProbeLimitSection.tsx";
import { operatorText } from "./operator-text.ts";

const route = getRouteApi("/signed-in/operator/organisations/$organisation");

/** One organisation: status, and limits of forwarding and probes. */
export function OrganisationPage() {
  const { organisation: id } = route.useParams();
  const organisation = useQuery(organisationQuery(id));
  const [isActing, setActing] = useState(false);
  const one = organisation.data;
  return (
    <>
      <OperatorPage
        back={<Link to="/operator/organisations">{operatorText.organisations.title}</Link>}
        title={one?.name ?? operatorText.organisations.one}
        says={operatorText.organisations.pageAbout}
        error={organisation.error}
        aside={
          one && (
            <Button onClick={() => setActing(true)}>
              {one.suspended_at ? operatorText.resume : operatorText.suspend}
            </Button>
          )
        }
      >
        {organisation.error && <FailureNotice error={organisation.error} />}
        {one && <Facts one={one} />}
        {one && <ForwardingSection organisation={one} />}
        {one && <ProbeLimitSection organisation={one} />}
        {one && isActing && <OrganisationDialog one={one} onClose={() => setActing(false)} />}
      </OperatorPage>
    </>
  );
}

function Facts({ one }: { one: Organisation }) {
  const { id, name, created_at, suspension_reason } = one;
  return (
    <div className="-mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-2">
      <OrganisationStatus one={one} />
      {suspension_reason && <span>{suspension_reason}</span>}
      <span>{operatorText.organisations.since(dayOf(created_at))}</span>
      <span className="flex min-w-0 items-center gap-1">
        <code className="truncate font-mono">{id}</code>
        <CopyButton text={id} label={operatorText.organisations.copyId(name)} />
      </span>
    </div>
  );
}
