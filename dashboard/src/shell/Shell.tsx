import { Dialog } from "@base-ui/react/dialog";
import { Outlet } from "@tanstack/react-router";
import { CloudOff, FlaskConical, Menu as MenuIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { reach } from "../session/client.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { BlankPage } from "./BlankPage.tsx";
import { rememberPlace } from "./last-place.ts";
import { IsWithinMain } from "./Main.tsx";
import { MissingPage } from "./MissingPage.tsx";
import { overlay, useShortcuts } from "./shortcuts.ts";
import { ShortcutSheet } from "./ShortcutSheet.tsx";
import { Sidebar } from "./Sidebar.tsx";
import { type OpenPlace, usePlace } from "./use-place.ts";
import { shellText } from "./shell-text.ts";

const loadPalette = whenReachable(() =>
  import("./CommandPalette.tsx").then((module) => ({ default: module.CommandPalette })),
);
const CommandPalette = lazy(loadPalette);

const UnmetPolicyPage = lazy(
  whenReachable(() =>
    import("../session/UnmetPolicyPage.tsx").then((module) => ({ default: module.UnmetPolicyPage })),
  ),
);

/** Layout of an organisation's pages. */
export function Shell() {
  const place = usePlace();
  return place ? <ShellOf place={place} /> : <MissingPage />;
}

function ShellOf({ place }: { place: OpenPlace }) {
  const { organisation, environment } = place;
  useEffect(() => rememberPlace({ organisation, environment }), [organisation, environment]);
  useShortcuts(place);
  useEffect(() => {
    // Preloads the palette after the page, so that it does not lose the first letters.
    const idle = requestIdleCallback(() => void loadPalette());
    return () => cancelIdleCallback(idle);
  }, []);
  const opened = overlay.use();
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-60 rounded-md bg-accent px-3 py-2 text-sm font-medium text-accent-ink focus:top-2"
      >
        {shellText.skip}
      </a>
      <aside className="hidden w-60 shrink-0 border-r border-line bg-surface md:block">
        <Sidebar place={place} />
      </aside>
      <TopBar place={place} />
      <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 grow flex-col outline-none">
        {environment === "test" && <TestStrip />}
        <SilenceStrip />
        {/* Remounted for each environment: no data, selection or input of one appears under another. */}
        <IsWithinMain key={`${organisation} ${environment}`} value={true}>
          {place.unmet ? <UnmetPolicy place={place} /> : <Outlet />}
        </IsWithinMain>
      </main>
      <Suspense>{opened === "palette" && <CommandPalette place={place} />}</Suspense>
      <ShortcutSheet />
    </div>
  );
}

/** Replaces every page, because the service rejects their requests. */
function UnmetPolicy({ place }: { place: OpenPlace }) {
  return (
    <Suspense fallback={<BlankPage />}>
      <UnmetPolicyPage place={place} />
    </Suspense>
  );
}

/** On narrow screens a button opens the sidebar. */
function TopBar({ place }: { place: OpenPlace }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 md:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger
          className="grid size-9 place-items-center rounded-md hover:bg-hover"
          aria-label={shellText.openNavigation}
        >
          <MenuIcon aria-hidden className="size-5" />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
          <Dialog.Popup className="fixed inset-y-0 left-0 z-50 w-72 border-r border-line bg-surface shadow-xl transition-transform outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
            <Dialog.Title className="sr-only">{shellText.navigation}</Dialog.Title>
            <Sidebar place={place} onNavigate={() => setOpen(false)} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="truncate text-sm font-medium">{place.name}</span>
    </header>
  );
}

function TestStrip() {
  return (
    <p className="flex items-center gap-2 border-b border-warn/40 bg-warn-soft px-4 py-1.5 text-xs text-warn">
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      {shellText.testStrip}
    </p>
  );
}

function SilenceStrip() {
  if (reach.use() === "answers") return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-bad/40 bg-bad-soft px-4 py-1.5 text-xs text-bad"
    >
      <CloudOff aria-hidden className="size-3.5 shrink-0" />
      {shellText.unreachableStrip}
    </p>
  );
}
