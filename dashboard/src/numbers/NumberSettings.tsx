import type { PhoneNumber } from "@dialplane/sdk";
import { PencilLine, Undo } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "../components/Button.tsx";
import { Section } from "../components/Section.tsx";
import { whenReachable } from "../session/when-reachable.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { numberPageText } from "./number-page-text.ts";
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

const text = numberPageText.settings;

/** Label, tags, release lock and release. */
export function NumberSettings({ place, number }: { place: OpenPlace; number: PhoneNumber }) {
  const [opened, setOpened] = useState<"edit" | "release">();
  const close = (): void => setOpened(undefined);
  const isHeld = number.status === "active" || number.status === "suspended";
  const mayRelease = place.role === "owner" || place.role === "admin";
  return (
    <Section
      title={numberPageText.parts.settings}
      aside={
        place.role !== "member" &&
        isHeld && (
          <Button
            size="small"
            icon={<PencilLine aria-hidden className="size-3.5" />}
            onClick={() => setOpened("edit")}
          >
            {numbersText.edit}
          </Button>
        )
      }
    >
      <dl className="divide-y divide-line rounded-lg border border-line">
        <Setting name={text.label}>{number.label ?? text.none}</Setting>
        <Setting name={text.tags}>{number.tags.join(", ") || text.none}</Setting>
        <Setting name={text.releaseLock}>{number.release_lock ? text.lockOn : text.lockOff}</Setting>
        {mayRelease && isHeld && (
          <Setting
            name={text.release}
            action={
              <Button
                size="small"
                icon={<Undo aria-hidden className="size-3.5" />}
                disabled={number.release_lock}
                title={number.release_lock ? numbersText.releaseLocked : undefined}
                onClick={() => setOpened("release")}
              >
                {numbersText.release}
              </Button>
            }
          >
            {number.release_lock ? numbersText.releaseLocked : text.releaseHint}
          </Setting>
        )}
      </dl>
      <Suspense>
        {opened === "edit" && <EditNumberDialog place={place} number={number} onClose={close} />}
        {opened === "release" && <ReleaseDialog place={place} number={number} onClose={close} />}
      </Suspense>
    </Section>
  );
}

interface SettingProps {
  name: string;
  action?: ReactNode;
  children: ReactNode;
}

function Setting({ name, action, children }: SettingProps) {
  return (
    <div className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="font-name">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 break-words text-ink-2">
        <span className="min-w-0">{children}</span>
        {action}
      </dd>
    </div>
  );
}
