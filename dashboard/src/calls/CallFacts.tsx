import type { CallDetail, Connection } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fact } from "../components/Facts.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { sharedText, wordFor } from "../components/shared-text.ts";
import { numberQuery } from "../numbers/routing-queries.ts";
import { fallbacksOf, targetOf } from "../numbers/routing-target.ts";
import { routingText } from "../numbers/routing-text.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { callText } from "./call-text.ts";
import { Caller, TargetName } from "./CallParties.tsx";
import { FactGroup } from "./FactGroup.tsx";

interface CallFactsProps {
  place: OpenPlace;
  call: CallDetail;
  connections: readonly Connection[];
}

const LINK = "rounded text-accent hover:underline";
const { facts, idNames } = callText;

/** Number, desired routing, caller and IDs of the call. */
export function CallFacts({ place, call, connections }: CallFactsProps) {
  return (
    <aside
      aria-label={callText.details}
      className="grid content-start gap-5 text-sm md:max-xl:grid-cols-2 md:max-xl:gap-x-10"
    >
      <NumberFacts place={place} call={call} />
      <RoutingFacts {...{ place, call, connections }} />
      <CallerFacts place={place} call={call} />
      <Ids call={call} />
    </aside>
  );
}

function NumberFacts({ place, call }: Omit<CallFactsProps, "connections">) {
  const { organisation, environment } = place;
  const { data: number } = useQuery(numberQuery(place, call.number_id));
  return (
    <FactGroup title={callText.number}>
      <Fact name={facts.number}>
        <Link
          to="/o/$organisation/$environment/numbers/$number"
          params={{ organisation, environment, number: call.number_id }}
          className={LINK}
        >
          <PhoneNumber e164={call.e164} />
        </Link>
      </Fact>
      {number?.label && <Fact name={facts.label}>{number.label}</Fact>}
    </FactGroup>
  );
}

function RoutingFacts({ place, call, connections }: CallFactsProps) {
  const { organisation, environment } = place;
  const { destination, generation, connection_id: connectionId, misrouted, mode } = call;
  const connection = connections.find(({ id }) => id === connectionId);
  return (
    <FactGroup
      title={callText.routing}
      after={<Desired destination={destination} connections={connections} />}
    >
      {generation !== null && <Fact name={facts.revision}>{generation}</Fact>}
      {mode && <Fact name={facts.mode}>{wordFor(mode)}</Fact>}
      {connectionId && (
        <Fact name={facts.connection}>
          <Link
            to="/o/$organisation/$environment/connections"
            params={{ organisation, environment }}
            className={LINK}
          >
            {connection?.name ?? connectionId.slice(0, 8)}
          </Link>
        </Fact>
      )}
      <Fact name={facts.asRouted}>
        {misrouted === null ? (
          callText.unknown
        ) : misrouted ? (
          <span className="font-name text-warn">{callText.no}</span>
        ) : (
          callText.yes
        )}
      </Fact>
    </FactGroup>
  );
}

interface DesiredProps {
  destination: CallDetail["destination"];
  connections: readonly Connection[];
}

/** Desired routing of the call's revision, step by step. */
function Desired({ destination, connections }: DesiredProps) {
  if (!destination) return <p className="text-xs text-ink-2">{callText.routingUnknown}</p>;
  if (destination.mode === "unrouted") return <p className="text-xs text-ink-2">{callText.unrouted}</p>;
  return (
    <ol className="grid gap-1 text-xs break-all">
      <li>
        <TargetName name={targetOf(destination, connections)} />
      </li>
      {fallbacksOf(destination, connections).map(({ target, after }, at) => (
        <li key={at} className="text-ink-2">
          {routingText.fallback(target, after)}
        </li>
      ))}
    </ol>
  );
}

function CallerFacts({ place, call }: Omit<CallFactsProps, "connections">) {
  const { organisation, environment } = place;
  const { caller, caller_raw: sent, called } = call;
  const all = caller && (
    <Link
      to="/o/$organisation/$environment/calls"
      params={{ organisation, environment }}
      search={{ q: caller }}
      className={`${LINK} justify-self-start`}
    >
      {callText.allFromCaller}
    </Link>
  );
  return (
    <FactGroup title={callText.callerTitle} after={all}>
      <Fact name={facts.from}>
        <Caller call={call} />
      </Fact>
      {sent && sent !== caller && <Fact name={facts.sent}>{sent}</Fact>}
      {called && <Fact name={facts.called}>{called}</Fact>}
    </FactGroup>
  );
}

function Ids({ call }: { call: CallDetail }) {
  const ids = [
    { name: idNames.call, value: call.id },
    { name: idNames.sip, value: call.sip_call_id },
    { name: idNames.number, value: call.number_id },
    { name: idNames.switch, value: call.switch },
  ];
  return (
    <section aria-label={callText.ids} className="grid gap-2">
      <h2 className="text-xs font-name text-ink-2">{callText.ids}</h2>
      <dl className="grid gap-2">
        {ids.map(({ name, value }) =>
          value === null ? null : (
            <div key={name} className="min-w-0">
              <dt className="text-xs text-ink-3">{name}</dt>
              <dd className="flex items-center gap-1">
                <code className="min-w-0 truncate font-mono text-xs" title={value}>
                  {value}
                </code>
                <CopyButton text={value} label={sharedText.copy(name)} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
