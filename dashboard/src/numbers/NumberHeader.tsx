import type { PhoneNumber } from "@dialplane/sdk";
import { Lock, PencilLine, Undo } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { AsCode } from "../as-code/AsCode.tsx";
import { Button } from "../components/Button.tsx";
import { CopyButton } from "../components/CopyButton.tsx";
import { whenReachable } from "../session/when-reachable.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { dayOf } from "../components/dates.ts";
import { wordFor } from "../components/shared-text.ts";
import { numbersText } from "./numbers-text.ts";

const EditNumberDialog = lazy(
  whenReachable(() =>
    import("./EditNumberDialog.tsx").then((module) => ({ default: module.EditNumberDialog })),
  ),
);
const ReleaseDialog = lazy(
  whenReachable(() =>
    import("../releases/ReleaseDialog.tsx").then((module) => ({ default: module.ReleaseDialog })),
  ),
);

/** Number, label, status and actions. */
export function NumberHeader({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  const [opened, setOpened] = useState<"edit" | "release">();
  const close = (): void => setOpened(undefined);
  const isHeld = number.status === "active" || number.status === "suspended";
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="grid min-w-0 gap-2">
        <h1 className="flex flex-wrap items-center gap-2 text-2xl font-semibold tracking-tight tabular-nums">
          {number.e164}
          <CopyButton text={number.e164} label={numbersText.copyNumber} />
        </h1>
        <Facts number={number} />
      </div>
      <div className="flex flex-wrap gap-2">
        <AsCode
          of={numbersText.numberCode}
          call={() => ({ operation: "getNumber", path: { id: number.id } })}
        />
        {place.role !== "member" && isHeld && (
          <Button
            size="small"
            icon={<PencilLine aria-hidden className="size-3.5" />}
            onClick={() => setOpened("edit")}
          >
            {numbersText.edit}
          </Button>
        )}
        {(place.role === "owner" || place.role === "admin") && isHeld && (
          <Button
            size="small"
            icon={<Undo aria-hidden className="size-3.5" />}
            disabled={number.release_lock}
            title={number.release_lock ? numbersText.releaseLocked : undefined}
            onClick={() => setOpened("release")}
          >
            {numbersText.release}
          </Button>
        )}
      </div>
      <Suspense>
        {opened === "edit" && <EditNumberDialog place={place} number={number} onClose={close} />}
        {opened === "release" && <ReleaseDialog place={place} number={number} onClose={close} />}
      </Suspense>
    </header>
  );
}

function Facts({ number }: { number: PhoneNumber }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      {number.label && <span className="font-medium break-words text-ink">{number.label}</span>}
      <span>{[number.country, wordFor(number.type)].filter(Boolean).join(" · ")}</span>
      <span>{wordFor(number.status)}</span>
      <span>{numbersText.heldSinceDay(dayOf(number.acquired_at))}</span>
      {number.release_lock && (
        <span className="inline-flex items-center gap-1">
          <Lock aria-hidden className="size-3.5" /> {numbersText.lockedAgainstRelease}
        </span>
      )}
      {number.tags.map((tag) => (
        <span key={tag} className="rounded border border-line px-1.5 text-xs leading-5">
          {tag}
        </span>
      ))}
    </p>
  );
}
