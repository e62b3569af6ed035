import type { Forwarding, ForwardingSwitch, Organisation } from "@dialplane/sdk/operator";
import { useQuery } from "@tanstack/react-query";
import { PhoneForwarded, SlidersHorizontal, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Section } from "../components/Section.tsx";
import { RelativeTime } from "../components/RelativeTime.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { ForwardingDialog } from "./ForwardingDialog.tsx";
import { callerText, identityText, minutesOf } from "./forwarding-form.ts";
import { forwardingText } from "./forwarding-text.ts";
import { forwardingQuery } from "./organisations-list.ts";
import { StatusMark } from "./StatusMark.tsx";

/** Limits for forwarded calls, today's use, and the part of each switch. */
export function ForwardingSection({ organisation }: { organisation: Organisation }) {
  const { id, name } = organisation;
  const forwarding = useQuery(forwardingQuery(id));
  const [isChanging, setChanging] = useState(false);
  const limits = forwarding.data;
  const wasSet = limits !== undefined && limits.updated_at !== null;
  return (
    <Section
      title={forwardingText.title}
      aside={
        limits && (
          <div className="flex flex-wrap items-center gap-2">
            <AsCode of={forwardingText.title} call={() => ({ operation: "getForwarding", path: { id } })} />
            {/* One button before and after the first change, so that the dialog can return the focus to it. */}
            <Button
              size="small"
              look={wasSet ? "plain" : "primary"}
              icon={<SlidersHorizontal aria-hidden className="size-3.5" />}
              onClick={() => setChanging(true)}
            >
              {wasSet ? forwardingText.change : forwardingText.set}
            </Button>
          </div>
        )
      }
    >
      {forwarding.isPending && <RowSkeletons count={3} />}
      {forwarding.error && <FailureNotice error={forwarding.error} />}
      {limits && !wasSet && (
        <div className="rounded-lg border border-line bg-surface">
          <EmptyState icon={PhoneForwarded} title={forwardingText.noneTitle}>
            {forwardingText.none}
          </EmptyState>
        </div>
      )}
      {limits && wasSet && <Limits limits={limits} />}
      {limits && isChanging && (
        <ForwardingDialog name={name} limits={limits} onClose={() => setChanging(false)} />
      )}
    </Section>
  );
}

function Limits({ limits }: { limits: Forwarding }) {
  const { used, switches, updated_at: changedAt } = limits;
  return (
    <>
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <dl className="grid gap-px bg-line sm:grid-cols-3">
          <Meter name={forwardingText.callsNow} use={used.calls_at_once} limit={limits.calls_at_once} />
          <Meter name={forwardingText.callsToday} use={used.calls} limit={limits.calls_per_day} />
          <Meter
            name={forwardingText.minutesToday}
            use={minutesOf(used.seconds)}
            limit={limits.minutes_per_day}
          />
        </dl>
        <dl className="flex flex-wrap gap-x-10 gap-y-2 border-t border-line px-4 py-3 text-sm">
          <Fact name={forwardingText.callerId}>{callerText(limits)}</Fact>
          <Fact name={forwardingText.identity}>{identityText(limits.identity)}</Fact>
          {changedAt && (
            <Fact name={forwardingText.changed}>
              <RelativeTime at={changedAt} />
            </Fact>
          )}
        </dl>
      </div>
      <p className="text-xs text-ink-2">{forwardingText.about}</p>
      {switches.length > 0 && <SwitchTable switches={switches} />}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}

const NEAR = 0.85;
const ALMOST = 0.97;

/** Use of a limit as figure, bar and words. */
function Meter({ name, use, limit }: { name: string; use: number; limit: number | null }) {
  const share = limit === null ? 0 : limit === 0 ? 1 : Math.min(1, use / limit);
  const look = share >= ALMOST ? "fill-bad" : share >= NEAR ? "fill-warn" : "fill-accent";
  return (
    <div className="grid content-start gap-1.5 bg-surface px-4 py-3">
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="grid gap-1.5">
        <span className="text-xl font-semibold tabular-nums">
          {forwardingText.count(use)}
          {limit !== null && (
            <span className="text-sm font-normal text-ink-2"> {forwardingText.ofLimit(limit)}</span>
          )}
        </span>
        <svg
          aria-hidden
          viewBox="0 0 100 1"
          preserveAspectRatio="none"
          className={`h-1.5 w-full rounded-full bg-hover ${limit === null ? "invisible max-sm:hidden" : ""}`}
        >
          <rect width={share * 100} height="1" className={look} />
        </svg>
        <span className="flex items-center gap-1 text-xs text-ink-2">
          {share >= NEAR && (
            <TriangleAlert aria-hidden className={`size-3.5 ${share >= ALMOST ? "text-bad" : "text-warn"}`} />
          )}
          {stateOf(use, limit)}
        </span>
      </dd>
    </div>
  );
}

function stateOf(use: number, limit: number | null): string {
  if (limit === null) return forwardingText.noLimit;
  if (limit === 0) return forwardingText.noneAllowed;
  return use >= limit ? forwardingText.reached : forwardingText.used(Math.floor((100 * use) / limit));
}

function SwitchTable({ switches }: { switches: readonly ForwardingSwitch[] }) {
  const titles = [
    forwardingText.columns.switch,
    forwardingText.columns.status,
    forwardingText.callsNow,
    forwardingText.callsToday,
    forwardingText.minutesToday,
    forwardingText.columns.lastChange,
  ];
  return (
    <section aria-label={forwardingText.switches} className="mt-3 grid gap-2">
      <h3 className="text-sm font-semibold">{forwardingText.switches}</h3>
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <table className="w-full text-sm">
          <thead className="border-b border-line text-xs text-ink-2 max-sm:sr-only">
            <tr className="[&>th]:px-4 [&>th]:py-2 [&>th]:font-medium">
              {titles.map((title, at) => (
                <th key={title} scope="col" className={at < 2 ? "text-left" : "text-right"}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {switches.map((one) => (
              <SwitchRow key={one.id} one={one} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-ink-2">{forwardingText.switchesAbout}</p>
    </section>
  );
}

function SwitchRow({ one }: { one: ForwardingSwitch }) {
  const { name, status, used, calls_at_once, calls, seconds, reported_at: reportedAt } = one;
  return (
    <tr className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-3 max-sm:gap-y-1 max-sm:px-4 max-sm:py-2.5 sm:[&>*]:px-4 sm:[&>*]:py-2">
      <th scope="row" className="text-left font-medium break-words">
        {name}
      </th>
      <td>
        <StatusMark look={status === "applied" ? "active" : "pending"}>
          {status === "applied" ? forwardingText.applied : forwardingText.pending}
        </StatusMark>
      </td>
      <Cell name={forwardingText.callsNow}>{partText(used.calls_at_once, calls_at_once)}</Cell>
      <Cell name={forwardingText.callsToday}>{partText(used.calls, calls)}</Cell>
      <Cell name={forwardingText.minutesToday}>
        {partText(minutesOf(used.seconds), seconds === null ? null : minutesOf(seconds))}
      </Cell>
      <Cell name={forwardingText.columns.lastChange}>
        {reportedAt ? <RelativeTime at={reportedAt} /> : forwardingText.never}
      </Cell>
    </tr>
  );
}

/** Without room for columns, each value has its title in front. */
function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <td className="text-right whitespace-nowrap tabular-nums max-sm:col-span-2 max-sm:flex max-sm:justify-between max-sm:gap-3">
      <span aria-hidden className="text-ink-2 sm:hidden">
        {name}
      </span>
      <span>{children}</span>
    </td>
  );
}

function partText(use: number, part: number | null): string {
  return part === null ? forwardingText.count(use) : forwardingText.of(use, part);
}
