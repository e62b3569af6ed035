import { NotFoundError, type PhoneNumber } from "../../../sdk/src/index.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ChevronLeft, Lock, PencilLine, PhoneOff } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { ChangeRoutingDialog } from "./ChangeRoutingDialog.tsx";
import { connectionsQuery, numberQuery, routingQuery } from "./routing-queries.ts";
import { RoutingHistory } from "./RoutingHistory.tsx";
import { RoutingSides } from "./RoutingSides.tsx";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { dayOf, wordFor } from "./words.ts";

const route = getRouteApi("/signed-in/o/$organisation/$environment/numbers/$number");

export function NumberPage() {
  const place = useOpenPlace();
  const { number: id } = route.useParams();
  const number = useQuery(numberQuery(place, id));
  useTitle(number.data?.e164 ?? "Number");
  const { organisation, environment } = place;
  const back = (
    <Link
      to="/o/$organisation/$environment/numbers"
      params={{ organisation, environment }}
      className="inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
    >
      <ChevronLeft aria-hidden className="size-4" />
      Numbers
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
          <Content place={place} number={number.data} />
        ) : (
          <FailureNotice
            error={number.error}
            action={<Button onClick={() => void number.refetch()}>Try again</Button>}
          />
        )}
      </div>
    </div>
  );
}

function NoNumber() {
  return (
    <EmptyState isPage icon={PhoneOff} title="There is no such number here">
      It may belong to another organisation, or to the other side of this one.
    </EmptyState>
  );
}

function Content({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  return (
    <>
      <header className="grid gap-2">
        <h1 className="flex flex-wrap items-center gap-2 text-2xl font-semibold tracking-tight tabular-nums">
          {number.e164}
          <CopyButton text={number.e164} label="Copy number" />
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {number.label && <span className="font-medium text-ink">{number.label}</span>}
          <span>{[number.country, wordFor(number.type)].filter(Boolean).join(" · ")}</span>
          <span>{wordFor(number.status)}</span>
          <span>held since {dayOf(number.acquired_at)}</span>
          {number.release_lock && (
            <span className="inline-flex items-center gap-1">
              <Lock aria-hidden className="size-3.5" /> locked against release
            </span>
          )}
          {number.tags.map((tag) => (
            <span key={tag} className="rounded border border-line px-1.5 text-xs leading-5">
              {tag}
            </span>
          ))}
        </p>
      </header>
      {place.role === "member" ? (
        <p className="text-sm text-muted">
          Where its calls go is shown to owners, admins and developers of {place.name}.
        </p>
      ) : (
        <RoutingSection place={place} number={number} />
      )}
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
      <section className="grid gap-3">
        <div className="flex items-center justify-between">
          <h2 className="text-base font-semibold">Routing</h2>
          {canChange && (
            <button
              type="button"
              className={buttonClass("primary", "small")}
              onClick={() => setChanging(true)}
            >
              <PencilLine aria-hidden className="size-3.5" />
              Change routing
            </button>
          )}
        </div>
        <RoutingSides routing={routing.data} connections={connections} />
      </section>
      <section className="grid gap-3">
        <h2 className="text-base font-semibold">History</h2>
        <RoutingHistory {...{ place, connections, canChange }} routing={routing.data} />
      </section>
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
