import { Outlet } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { chosenZone } from "../components/time-zone.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { BlankPage } from "./BlankPage.tsx";
import { Frame } from "./Frame.tsx";
import { rememberPlace } from "./last-place.ts";
import { IsWithinMain } from "./Main.tsx";
import { MissingPage } from "./MissingPage.tsx";
import { navigationFor } from "./navigation.ts";
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

/** Pages of the bottom bar. */
const FIRST_PAGES = 4;

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
  const zone = chosenZone.use();
  const firstPages = navigationFor(place.role)[0]!.entries.slice(0, FIRST_PAGES);
  return (
    <>
      <Frame
        sidebar={(onNavigate) => <Sidebar place={place} onNavigate={onNavigate} />}
        firstPages={firstPages.map((entry) => ({ ...entry, params: { organisation, environment } }))}
        strips={environment === "test" && <TestStrip />}
      >
        {/* Remounted for each environment, so that no data, selection or input of one appears under another.
            Remounted for each time zone, because all dates change. */}
        <IsWithinMain key={`${organisation} ${environment} ${zone}`} value={true}>
          {place.unmet ? <UnmetPolicy place={place} /> : <Outlet />}
        </IsWithinMain>
      </Frame>
      <Suspense>{opened === "palette" && <CommandPalette place={place} />}</Suspense>
      <ShortcutSheet />
    </>
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

function TestStrip() {
  return (
    <p className="flex items-center gap-2 border-b border-warn/40 bg-warn-soft px-4 py-1.5 text-xs text-warn">
      <FlaskConical aria-hidden className="size-3.5 shrink-0" />
      {shellText.testStrip}
    </p>
  );
}
