import { Link, Outlet } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { lazy, Suspense } from "react";
import { chosenZone } from "../components/time-zone.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { AccountMenu } from "../shell/AccountMenu.tsx";
import { Frame } from "../shell/Frame.tsx";
import { overlay, usePaletteShortcut } from "../shell/shortcuts.ts";
import { PaletteButton, SIDEBAR_ROW } from "../shell/Sidebar.tsx";
import { OPERATOR_PAGES } from "./operator-pages.ts";
import { operatorText } from "./operator-text.ts";

const OperatorPalette = lazy(
  whenReachable(() =>
    import("./OperatorPalette.tsx").then((module) => ({ default: module.OperatorPalette })),
  ),
);

/** Pages of the bottom bar. */
const FIRST_PAGES = 4;

/** Layout of the operator's pages. */
export function OperatorShell() {
  const zone = chosenZone.use();
  const opened = overlay.use();
  usePaletteShortcut();
  return (
    <>
      <Frame
        sidebar={(onNavigate) => <OperatorSidebar onNavigate={onNavigate} />}
        firstPages={OPERATOR_PAGES.slice(0, FIRST_PAGES)}
      >
        <div key={zone} className="contents">
          <Outlet />
        </div>
      </Frame>
      <Suspense>{opened === "palette" && <OperatorPalette />}</Suspense>
    </>
  );
}

function OperatorSidebar({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  return (
    <div className="flex h-full flex-col gap-1 overflow-y-auto px-2.5 py-3">
      <p className="flex items-center gap-2 px-1.5 py-2 font-semibold">
        <span
          aria-hidden
          className="grid size-5.5 place-items-center rounded-[5px] bg-warn-mark text-[oklch(20%_0.03_80)]"
        >
          <Wrench className="size-3.5" />
        </span>
        {operatorText.installation}
      </p>
      <PaletteButton onNavigate={onNavigate} />
      <nav aria-label={operatorText.navigation} className="grid gap-0.5">
        {OPERATOR_PAGES.map(({ label, icon: Icon, to }) => (
          <Link
            key={to}
            to={to}
            onClick={onNavigate}
            className={`${SIDEBAR_ROW} font-medium hover:bg-hover`}
            activeOptions={{ exact: to === "/operator" }}
            activeProps={{ className: "bg-select" }}
            inactiveProps={{ className: "text-ink-2" }}
          >
            <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
            {label}
          </Link>
        ))}
      </nav>
      <div className="mt-auto pt-3">
        <AccountMenu isOperator />
      </div>
    </div>
  );
}
