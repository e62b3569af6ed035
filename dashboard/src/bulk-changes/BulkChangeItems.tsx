import type { BulkChange, BulkChangeItem, Connection } from "@dialplane/sdk";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleX,
  type LucideIcon,
  TriangleAlert,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Becomes } from "../components/Differences.tsx";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { FilterSelect } from "../components/FilterSelect.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { Section } from "../components/Section.tsx";
import type { OpenPlace } from "../shell/use-place.ts";
import { bulkItemsQuery, type Outcome } from "./bulk-change-queries.ts";
import { bulkChangesText, outcomeWord, stepOf } from "./bulk-changes-text.ts";

const OUTCOMES: readonly Outcome[] = ["planned", "set", "unchanged", "stale", "failed"];
const WATCHING_MS = 1_500;

interface BulkChangeItemsProps {
  place: OpenPlace;
  bulk: BulkChange;
  connections: readonly Connection[];
  aside: ReactNode;
}

/** Planned or actual result of each number. */
export function BulkChangeItems({ place, bulk, connections, aside }: BulkChangeItemsProps) {
  const [outcome, setOutcome] = useState<Outcome>();
  const list = useInfiniteQuery({
    ...bulkItemsQuery(place, bulk, outcome),
    refetchInterval: bulk.status === "applying" ? WATCHING_MS : false,
  });
  const items = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Section
      title={bulkChangesText.items}
      aside={
        <div className="flex flex-wrap gap-2">
          <AsCode
            of={bulkChangesText.items}
            call={() => ({
              operation: "listBulkChangeItems",
              path: { id: bulk.id },
              query: outcome && { outcome },
            })}
          />
          <FilterSelect
            label={bulkChangesText.outcome}
            value={outcome}
            options={OUTCOMES.map((value) => ({ value, label: outcomeWord(value) }))}
            onChange={setOutcome}
          />
          {aside}
        </div>
      }
    >
      {list.data && items.length === 0 && (
        <p className="rounded-lg border border-line bg-surface px-4 py-6 text-center text-sm text-ink-2">
          {outcome ? bulkChangesText.noneWithOutcome : bulkChangesText.noNumbers}
        </p>
      )}
      {items.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {items.map((item) => (
            <Row key={item.number_id} place={place} item={item} step={stepOf(bulk, item, connections)} />
          ))}
        </ul>
      )}
      <MoreRows list={list} />
    </Section>
  );
}

const LOOKS: Record<string, { icon: LucideIcon; look: string }> = {
  planned: { icon: CircleDashed, look: "text-ink-2" },
  set: { icon: CircleCheck, look: "text-good" },
  unchanged: { icon: CircleMinus, look: "text-ink-2" },
  stale: { icon: TriangleAlert, look: "text-warn" },
  failed: { icon: CircleX, look: "text-bad" },
};

interface RowProps {
  place: OpenPlace;
  item: BulkChangeItem;
  step: { from: string; to: string };
}

function Row({ place, item, step }: RowProps) {
  const { organisation, environment } = place;
  const { icon: Icon, look } = LOOKS[item.outcome] ?? LOOKS["planned"]!;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <Link
        to="/o/$organisation/$environment/numbers/$number"
        params={{ organisation, environment, number: item.number_id }}
        className="w-36 rounded font-medium tabular-nums hover:underline"
      >
        <PhoneNumber e164={item.e164} />
      </Link>
      <span className="min-w-0 grow text-sm">
        <Becomes {...step} />
      </span>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {outcomeWord(item.outcome)}
      </span>
      {item.error && <span className="w-full text-xs break-words text-bad">{item.error.detail}</span>}
    </li>
  );
}
