import type { TopNumber, UsageBucket } from "@dialplane/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { Section } from "../components/Section.tsx";
import { Segments } from "../components/Segments.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { HourMap } from "./HourMap.tsx";
import { talkTime } from "./talk-time.ts";
import { UsagePanel } from "./UsagePanel.tsx";
import { usageText } from "./usage-text.ts";

const DAY_MS = 86_400_000;
const REFRESH_MS = 60_000;

/** Usage of all numbers, the busiest numbers and the busy hours. */
export function UsagePage() {
  useTitle(usageText.title);
  const place = useOpenPlace();
  const { organisation, environment, client } = place;
  return (
    <Page title={usageText.title} says={usageText.about(place.name, environment)}>
      <UsagePanel
        title={usageText.overTime}
        queryKey={[organisation, environment, "organisation"]}
        load={(query, options) => client.usage.ofOrganisation(query, options)}
        asCode={(query) => ({ operation: "getOrganisationUsage", query })}
      />
      <TopNumbers place={place} />
      <BusyHours place={place} />
    </Page>
  );
}

/** Full UTC days, including today. */
function lastDays(days: number): { from: string; to: string } {
  const tomorrow = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
  return { from: new Date(tomorrow - days * DAY_MS).toISOString(), to: new Date(tomorrow).toISOString() };
}

const ORDERS = [
  { value: "calls", label: usageText.calls },
  { value: "answered", label: usageText.answered },
  { value: "talk_seconds", label: usageText.talkTime },
] as const;

function TopNumbers({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const [by, setBy] = useState<(typeof ORDERS)[number]["value"]>("calls");
  const wanted = () => ({ ...lastDays(30), by, limit: 10 });
  const top = useQuery({
    queryKey: [organisation, environment, "top-numbers", by],
    queryFn: ({ signal }) => withSession(() => client.usage.topNumbers(wanted(), { signal })),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  return (
    <Section
      title={usageText.busiest}
      aside={
        <div className="flex flex-wrap items-center gap-2">
          <AsCode of={usageText.busiestCode} call={() => ({ operation: "getTopNumbers", query: wanted() })} />
          <Segments label={usageText.sortBy} value={by} choices={ORDERS} onChange={setBy} />
        </div>
      }
    >
      {top.error && !top.data ? (
        <FailureNotice error={top.error} />
      ) : !top.data ? (
        <RowSkeletons count={4} />
      ) : top.data.data.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-ink-2">
          {usageText.noCalls}
        </p>
      ) : (
        <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
          {top.data.data.map((number) => (
            <TopRow key={number.number_id} place={place} number={number} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function TopRow({ place: { organisation, environment }, number }: { place: OpenPlace; number: TopNumber }) {
  const rate = number.calls === 0 ? 0 : Math.round((100 * number.answered) / number.calls);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-44">
        <Link
          to="/o/$organisation/$environment/numbers/$number"
          params={{ organisation, environment, number: number.number_id }}
          className="justify-self-start rounded font-medium tabular-nums hover:underline"
        >
          <PhoneNumber e164={number.e164} />
        </Link>
        {number.label && <p className="truncate text-xs text-ink-2">{number.label}</p>}
      </div>
      <p className="text-sm tabular-nums">
        {usageText.callCount(number.calls)}
        <span className="text-ink-2">{usageText.callDetails(rate, talkTime(number.talk_seconds))}</span>
      </p>
    </li>
  );
}

function BusyHours({ place }: { place: OpenPlace }) {
  const { organisation, environment, client } = place;
  const hours = useQuery({
    queryKey: [organisation, environment, "organisation", "hours"],
    queryFn: async ({ signal }): Promise<UsageBucket[]> => {
      const query = { ...lastDays(28), granularity: "hour" as const };
      return (await withSession(() => client.usage.ofOrganisation(query, { signal }))).buckets ?? [];
    },
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section title={usageText.busyHours}>
      {hours.error && !hours.data ? (
        <FailureNotice error={hours.error} />
      ) : hours.data ? (
        <HourMap buckets={hours.data} />
      ) : (
        <RowSkeletons count={4} />
      )}
    </Section>
  );
}
