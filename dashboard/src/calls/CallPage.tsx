import { type CallDetail, NotFoundError } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { LockKeyhole, PhoneOff, TriangleAlert } from "lucide-react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { shortDayOf, clockOf } from "../components/dates.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { PageLink } from "../components/Page.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { sharedText } from "../components/shared-text.ts";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { connectionsQuery, numberQuery } from "../numbers/routing-queries.ts";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { callText } from "./call-text.ts";
import { expectedOf, verdictOf } from "./call-verdict.ts";
import { CallFacts } from "./CallFacts.tsx";
import { CallLadder } from "./CallLadder.tsx";
import { Caller } from "./CallParties.tsx";
import { CallPhases } from "./CallPhases.tsx";
import { resultLook } from "./CallResult.tsx";
import { CallSteps } from "./CallSteps.tsx";
import { Misrouted } from "./Misrouted.tsx";
import { callsText } from "./calls-text.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/calls/$call");

/** One call: its result, its course and its evidence. */
export function CallPage() {
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  const { call: id } = route.useParams();
  const call = useQuery({
    queryKey: [organisation, environment, "call", id],
    queryFn: ({ signal }) => withSession(() => client.calls.get(id, { signal })),
    enabled: place.role !== "member",
  });
  const { data, error } = call;
  useTitle(data ? callText.title(data.e164) : callsText.title);
  return (
    <>
      <PageBar
        back={<PageLink label={callsText.title} to="/o/$organisation/$environment/calls" />}
        title={data ? `${shortDayOf(data.started_at)}, ${clockOf(data.started_at)}` : id.slice(0, 8)}
        isHeading={false}
      >
        <AsCode call={() => ({ operation: "getCall", path: { id } })} />
      </PageBar>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-6 px-4 py-6 md:px-8">
          {place.role === "member" ? (
            <EmptyState isPage icon={LockKeyhole} title={callText.denied}>
              {callText.deniedHint(place.name)}
            </EmptyState>
          ) : data ? (
            <Content place={place} call={data} />
          ) : error instanceof NotFoundError ? (
            <EmptyState isPage icon={PhoneOff} title={callText.notFound}>
              {callText.notFoundHint}
            </EmptyState>
          ) : error ? (
            <FailureNotice
              error={error}
              action={<Button onClick={() => void call.refetch()}>{sharedText.retry}</Button>}
            />
          ) : (
            <RowSkeletons count={6} />
          )}
        </div>
      </div>
    </>
  );
}

function Content({ place, call }: { place: OpenPlace; call: CallDetail }) {
  const connections = useQuery(connectionsQuery(place)).data ?? [];
  return (
    <>
      <header className="grid gap-1.5">
        <Title place={place} call={call} />
        <p className="text-base text-ink-2">{verdictOf(call, connections)}</p>
      </header>
      {call.misrouted && <Misrouted call={call} expected={expectedOf(call, connections)} />}
      <CallPhases call={call} />
      <div className="grid grid-cols-1 gap-8 xl:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 content-start gap-8">
          <CallSteps call={call} connections={connections} />
          <CallLadder call={call} />
        </div>
        <CallFacts {...{ place, call, connections }} />
      </div>
    </>
  );
}

function Title({ place, call }: { place: OpenPlace; call: CallDetail }) {
  const { data: number } = useQuery(numberQuery(place, call.number_id));
  const { icon, tone, word } = resultLook(call.result);
  const step = call.step ?? 1;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-lg font-title tracking-tight">
        <Caller call={call} /> <span className="font-normal text-ink-3">{callText.to}</span>{" "}
        {number?.label ?? <PhoneNumber e164={call.e164} />}
      </h1>
      <StatusBadge tone={tone} icon={icon}>
        {step > 1 ? callText.onStep(word, step) : word}
      </StatusBadge>
      {call.misrouted && (
        <StatusBadge tone="warn" icon={TriangleAlert}>
          {callText.misrouted}
        </StatusBadge>
      )}
    </div>
  );
}
