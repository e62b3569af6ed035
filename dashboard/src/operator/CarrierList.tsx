import type { Carrier } from "@dialplane/sdk/operator";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Cable, CircleCheck, CirclePause, CircleX, type LucideIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { MoreRows } from "../components/MoreRows.tsx";
import { rowsOf } from "../components/paging.ts";
import { wordFor } from "../components/shared-text.ts";
import { CarrierDialog } from "./CarrierDialog.tsx";
import { CarrierStateDialog, type WantedCarrierState } from "./CarrierStateDialog.tsx";
import { CarrierTrunksDialog } from "./CarrierTrunksDialog.tsx";
import { carriersList } from "./carriers-list.ts";
import { carriersText } from "./carriers-text.ts";

const LOOKS: Record<string, { icon: LucideIcon; look: string; says: string }> = {
  open: { icon: CircleCheck, look: "text-good", says: carriersText.states.open },
  draining: { icon: CirclePause, look: "text-wait", says: carriersText.states.draining },
  closed: { icon: CircleX, look: "text-ink-2", says: carriersText.states.closed },
};

/** Carriers of the installation, the preferred one first. */
export function CarrierList() {
  const carriers = useInfiniteQuery(carriersList);
  const all = rowsOf(carriers.data).toSorted((one, other) => one.preference - other.preference);
  if (carriers.data && all.length === 0)
    return (
      <EmptyState icon={Cable} title={carriersText.none}>
        {carriersText.noneHint}
      </EmptyState>
    );
  return (
    <>
      {all.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {all.map((one) => (
            <Row key={one.id} one={one} />
          ))}
        </ul>
      )}
      <MoreRows list={carriers} />
    </>
  );
}

function Row({ one }: { one: Carrier }) {
  const { icon: Icon, look, says } = LOOKS[one.state] ?? { icon: Cable, look: "", says: wordFor(one.state) };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
      <div className="grid min-w-0 grow basis-48">
        <span className="font-medium break-words">{one.name}</span>
        <p className="text-xs text-ink-2">{carriersText.serves(one.countries, one.number_types)}</p>
      </div>
      <span className="text-xs text-ink-2">{carriersText.rank(one.preference)}</span>
      <span className="inline-flex items-center gap-1.5 text-xs font-medium whitespace-nowrap">
        <Icon aria-hidden className={`size-3.5 ${look}`} />
        {says}
      </span>
      <CarrierActions one={one} />
    </li>
  );
}

type Action = WantedCarrierState | "edit" | "trunks";

function CarrierActions({ one }: { one: Carrier }) {
  const [opened, setOpened] = useState<Action>();
  const close = (): void => setOpened(undefined);
  const act = (to: Action, label: string): ReactNode => (
    <Button size="small" aria-label={`${label} ${one.name}`} onClick={() => setOpened(to)}>
      {label}
    </Button>
  );
  const { actions } = carriersText;
  return (
    <div className="flex flex-wrap gap-2">
      {one.state !== "open" && act("open", actions.open.verb)}
      {one.state === "open" && act("draining", actions.draining.verb)}
      {one.state !== "closed" && act("closed", actions.closed.verb)}
      {one.kind !== "pool" && one.state !== "closed" && act("trunks", carriersText.trunks)}
      {act("edit", carriersText.edit)}
      {opened === "edit" && <CarrierDialog one={one} onClose={close} />}
      {opened === "trunks" && <CarrierTrunksDialog one={one} onClose={close} />}
      {opened && opened !== "edit" && opened !== "trunks" && (
        <CarrierStateDialog one={one} state={opened} onClose={close} />
      )}
    </div>
  );
}
