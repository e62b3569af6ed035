import { Link, Outlet } from "@tanstack/react-router";
import { Building2, Cable, Database, LayoutDashboard, Server, Users, Wrench } from "lucide-react";
import { chosenZone } from "../components/time-zone.ts";
import { AccountMenu } from "../shell/AccountMenu.tsx";
import { Frame } from "../shell/Frame.tsx";
import { SIDEBAR_ROW } from "../shell/Sidebar.tsx";
import { operatorText } from "./operator-text.ts";

const PAGES = [
  { label: operatorText.home, icon: LayoutDashboard, to: "/operator" },
  { label: operatorText.switches.title, icon: Server, to: "/operator/switches" },
  { label: operatorText.organisations.title, icon: Building2, to: "/operator/organisations" },
  { label: operatorText.users.title, icon: Users, to: "/operator/users" },
  { label: operatorText.pool.title, icon: Database, to: "/operator/pool" },
  { label: operatorText.carriers.title, icon: Cable, to: "/operator/carriers" },
] as const;

/** Pages of the bottom bar. */
const FIRST_PAGES = 4;

/** Layout of the operator's pages. */
export function OperatorShell() {
  const zone = chosenZone.use();
  return (
    <Frame
      sidebar={(onNavigate) => <OperatorSidebar onNavigate={onNavigate} />}
      firstPages={PAGES.slice(0, FIRST_PAGES)}
    >
      <div key={zone} className="contents">
        <Outlet />
      </div>
    </Frame>
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
      <nav aria-label={operatorText.navigation} className="grid gap-0.5">
        {PAGES.map(({ label, icon: Icon, to }) => (
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
