import { NotFoundError, type PhoneNumber } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, PencilLine, PhoneOff } from "lucide-react";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { RecentCalls } from "../calls/RecentCalls.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Section } from "../components/Section.tsx";
import { LiveCalls } from "../live/LiveCalls.tsx";
import { ReleaseProgress } from "../releases/ReleaseProgress.tsx";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { UsagePanel } from "../usage/UsagePanel.tsx";
import { ChangeRoutingDialog } from "./ChangeRoutingDialog.tsx";
import { NumberHeader } from "./NumberHeader.tsx";
import { connectionsQuery, numberQuery, routingQuery } from "./routing-queries.ts";
import { RoutingHistory } from "./RoutingHistory.tsx";
import { DesiredAndApplied } from "./DesiredAndApplied.tsx";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { numbersText } from "./numbers-text.ts";
import { sharedText } from "../components/shared-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/numbers/$number");

export function NumberPage() {
  const place = useOpenPlace();
  const { number: id } = route.useParams();
  const number = useQuery(numberQuery(place, id));
  useTitle(number.data?.e164 ?? numbersText.number);
  const { organisation, environment } = place;
  const back = (
    <Link
      to="/o/$organisation/$environment/numbers"
      params={{ organisation, environment }}
      className="inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
    >
      <ChevronLeft aria-hidden className="size-4" />
      {sharedText.numbers}
    </Link>
  );
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto grid max-w-4xl gap-6 px-4 py-5">
        <div>{back}</div>
        {number.isPending ? (
          <RowSkeletons count={4} />
        ) : number.error instanceof NotFoundError ? (
          <NoNumber />
        ) : number.data ? (
          <Content key={number.data.id} place={place} number={number.data} />
        ) : (
          <FailureNotice
            error={number.error}
            action={<Button onClick={() => void number.refetch()}>{sharedText.retry}</Button>}
          />
        )}
      </div>
    </div>
  );
}

function NoNumber() {
  return (
    <EmptyState isPage icon={PhoneOff} title={numbersText.notFound}>
      {sharedText.otherEnvironment}
    </EmptyState>
  );
}

function Content({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  const { organisation, environment, client, role } = place;
  const isHeld = number.status !== "released";
  return (
    <>
      <NumberHeader place={place} number={number} />
      <ReleaseProgress place={place} number={number} />
      {isHeld && <LiveCalls place={place} numberId={number.id} />}
      {role === "member" ? (
        <p className="text-sm text-muted">{numbersText.routingDenied(place.name)}</p>
      ) : (
        <RoutingSection place={place} number={number} />
      )}
      <UsagePanel
        queryKey={[organisation, environment, "number", number.id]}
        load={(query, options) => client.usage.ofNumber(number.id, query, options)}
        asCode={(query) => ({ operation: "getNumberUsage", path: { id: number.id }, query })}
      />
      {role !== "member" && <RecentCalls place={place} number={number} />}
    </>
  );
}

function RoutingSection({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  const routing = useQuery(routingQuery(place, number.id));
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  const [isChanging, setChanging] = useState(false);
  const canChange = number.status === "active";
  if (routing.isPending) return <RowSkeletons count={4} />;
  if (!routing.data) return <FailureNotice error={routing.error} />;
  return (
    <>
      <Section
        title={numbersText.routing}
        aside={
          <div className="flex flex-wrap gap-2">
            <AsCode
              of={numbersText.routing}
              call={() => ({ operation: "getRouting", path: { id: number.id } })}
            />
            {canChange && (
              <Button
                look="primary"
                size="small"
                icon={<PencilLine aria-hidden className="size-3.5" />}
                onClick={() => setChanging(true)}
              >
                {numbersText.changeRouting}
              </Button>
            )}
          </div>
        }
      >
        <DesiredAndApplied routing={routing.data} connections={connections} />
      </Section>
      <Section
        title={numbersText.history}
        aside={
          <AsCode
            of={numbersText.history}
            call={() => ({
              operation: "listRoutingRevisions",
              path: { id: number.id },
              query: { limit: 50 },
            })}
          />
        }
      >
        <RoutingHistory {...{ place, connections, canChange }} routing={routing.data} />
      </Section>
      {isChanging && (
        <ChangeRoutingDialog
          place={place}
          opened={routing.data}
          connections={connections}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}
