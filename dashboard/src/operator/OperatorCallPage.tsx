import { NotFoundError } from "@dialplane/sdk";
import type { OperatorCallDetail } from "@dialplane/sdk/operator";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { PhoneOff, TriangleAlert } from "lucide-react";
import { callText } from "../calls/call-text.ts";
import { expectedOf, verdictOf } from "../calls/call-verdict.ts";
import { CallLadder } from "../calls/CallLadder.tsx";
import { Caller } from "../calls/CallParties.tsx";
import { CallPhases } from "../calls/CallPhases.tsx";
import { resultLook } from "../calls/CallResult.tsx";
import { CallSteps } from "../calls/CallSteps.tsx";
import { FactGroup } from "../calls/FactGroup.tsx";
import { Misrouted } from "../calls/Misrouted.tsx";
import { Button, buttonClass } from "../components/Button.tsx";
import { clockOf, shortDayOf } from "../components/dates.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import { CopiedFact, Fact } from "../components/Facts.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { operator } from "../session/client.ts";
import { withSession } from "../session/session.ts";
import { Called } from "./OperatorCallTable.tsx";
import { operatorCallsText } from "./operator-calls-text.ts";
import { OperatorPage } from "./OperatorPage.tsx";

const route = getRouteApi("/signed-in/operator/calls/$call");

/** One call of any organisation: its result, its course and its evidence. */
export function OperatorCallPage() {
  const { call: id } = route.useParams();
  const query = useQuery({
    queryKey: ["operator", "call", id],
    queryFn: ({ signal }) => withSession(() => operator.calls.get(id, { signal })),
  });
  const { data, error } = query;
  return (
    <OperatorPage
      back={<Link to="/operator/calls">{operatorCallsText.title}</Link>}
      title={data ? `${shortDayOf(data.started_at)}, ${clockOf(data.started_at)}` : id.slice(0, 8)}
      isHeading={false}
      error={error}
    >
      {data ? (
        <Content call={data} />
      ) : error instanceof NotFoundError ? (
        <EmptyState isPage icon={PhoneOff} title={callText.notFound}>
          {callText.notFoundHint}
        </EmptyState>
      ) : error ? (
        <FailureNotice
          error={error}
          action={<Button onClick={() => void query.refetch()}>{sharedText.retry}</Button>}
        />
      ) : (
        <RowSkeletons count={6} />
      )}
    </OperatorPage>
  );
}

function Content({ call }: { call: OperatorCallDetail }) {
  const { icon, tone, word } = resultLook(call.result);
  return (
    <>
      <header className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-lg font-title tracking-tight">
            <Caller call={call} /> <span className="font-normal text-ink-3">{callText.to}</span>{" "}
            <Called call={call} />
          </h1>
          <StatusBadge tone={tone} icon={icon}>
            {word}
          </StatusBadge>
          {call.misrouted && (
            <StatusBadge tone="warn" icon={TriangleAlert}>
              {callText.misrouted}
            </StatusBadge>
          )}
        </div>
        <p className="text-base text-ink-2">{verdictOf(call, [])}</p>
      </header>
      {call.misrouted && <Misrouted call={call} expected={expectedOf(call, [])} />}
      <CallPhases call={call} />
      <div className="grid grid-cols-1 gap-8 xl:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="grid min-w-0 content-start gap-8">
          <CallSteps call={call} connections={[]} />
          <CallLadder call={call} />
        </div>
        <OperatorCallFacts call={call} />
      </div>
    </>
  );
}

const { facts, idNames } = callText;

function OperatorCallFacts({ call }: { call: OperatorCallDetail }) {
  return (
    <aside aria-label={callText.details} className="grid content-start gap-5 text-sm">
      <FactGroup title={callText.callerTitle}>
        <Fact name={facts.from}>
          <Caller call={call} />
        </Fact>
        {call.asserted_caller && <Fact name={operatorCallsText.assertedCaller}>{call.asserted_caller}</Fact>}
        {call.caller_raw && call.caller_raw !== call.caller && (
          <Fact name={facts.sent}>{call.caller_raw}</Fact>
        )}
        {call.called && <Fact name={facts.called}>{call.called}</Fact>}
        {call.trunk && <Fact name={operatorCallsText.trunk}>{call.trunk}</Fact>}
        {call.gateway && <Fact name={operatorCallsText.gateway}>{call.gateway}</Fact>}
      </FactGroup>
      <FactGroup title={callText.routing} after={<ToOrganisation call={call} />}>
        {call.generation !== null && <Fact name={facts.revision}>{call.generation}</Fact>}
        {call.mode && <Fact name={facts.mode}>{wordFor(call.mode)}</Fact>}
        {call.switch && <Fact name={callText.theSwitch}>{call.switch}</Fact>}
        <Fact name={operatorCallsText.environment}>{wordFor(call.environment)}</Fact>
      </FactGroup>
      <FactGroup title={callText.ids}>
        {[
          { name: idNames.call, value: call.id },
          { name: idNames.sip, value: call.sip_call_id },
          { name: idNames.number, value: call.number_id },
        ].map(({ name, value }) =>
          value === null ? null : (
            <CopiedFact key={name} name={name} value={value} copyLabel={sharedText.copy(name)} />
          ),
        )}
      </FactGroup>
    </aside>
  );
}

function ToOrganisation({ call: { organisation_id: id } }: { call: OperatorCallDetail }) {
  if (id === null) return <p className="text-xs text-ink-2">{operatorCallsText.noNumber}</p>;
  return (
    <Link
      to="/operator/organisations/$organisation"
      params={{ organisation: id }}
      className={`justify-self-start ${buttonClass("plain", "small")}`}
    >
      {operatorCallsText.openOrganisation}
    </Link>
  );
}
