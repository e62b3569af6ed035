import { Link, Outlet } from "@tanstack/react-router";
import { Building2, Cable, ChevronLeft, Database, Server, Users } from "lucide-react";
import { SignOutButton } from "../session/SignOutButton.tsx";
import { operatorText } from "./operator-text.ts";

const PAGES = [
  { label: operatorText.organisations.title, icon: Building2, to: "/operator/organisations" },
  { label: operatorText.users.title, icon: Users, to: "/operator/users" },
  { label: operatorText.switches.title, icon: Server, to: "/operator/switches" },
  { label: operatorText.carriers.title, icon: Cable, to: "/operator/carriers" },
  { label: operatorText.pool.title, icon: Database, to: "/operator/pool" },
] as const;

/** Layout of the operator's pages. */
export function OperatorShell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
          <Link to="/" className="inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            {operatorText.dashboard}
          </Link>
          <p className="text-sm font-semibold">{operatorText.installation}</p>
          <nav aria-label={operatorText.navigation} className="flex flex-wrap gap-1 sm:ml-auto">
            {PAGES.map(({ label, icon: Icon, to }) => (
              <Link
                key={to}
                to={to}
                className="inline-flex min-h-8 items-center gap-1.5 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink"
              >
                <Icon aria-hidden className="size-4" />
                {label}
              </Link>
            ))}
          </nav>
          <SignOutButton />
        </div>
      </header>
      <main className="mx-auto grid w-full max-w-5xl content-start gap-6 px-4 py-5">
        <Outlet />
      </main>
    </div>
  );
}
