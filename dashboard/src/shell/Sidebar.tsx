import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Building2, ChevronsUpDown, Search, ShieldCheck } from "lucide-react";
import { COMMAND_KEY, Keys } from "../components/Keys.tsx";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../components/Menu.tsx";
import { meQuery } from "../session/session.ts";
import { overviewQuery } from "../overview/overview-query.ts";
import { AccountMenu } from "./AccountMenu.tsx";
import { type Entry, HOME, navigationFor } from "./navigation.ts";
import { overlay } from "./shortcuts.ts";
import type { OpenPlace } from "./use-place.ts";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

export const SIDEBAR_ROW =
  "flex h-7 w-full items-center gap-2 rounded-md px-2 text-left text-sm pointer-coarse:h-11";

interface SidebarProps {
  place: OpenPlace;
  /** Called on a selection, so that a drawer can close. */
  onNavigate?: (() => void) | undefined;
}

export function Sidebar({ place, onNavigate }: SidebarProps) {
  return (
    <div className="flex h-full flex-col gap-1 overflow-y-auto px-2.5 py-3">
      <OrganisationMenu place={place} onNavigate={onNavigate} />
      <EnvironmentSwitch place={place} onNavigate={onNavigate} />
      <PaletteButton onNavigate={onNavigate} />
      <nav aria-label={shellText.pages} className="grid gap-0.5">
        {navigationFor(place.role).map(({ label: heading, entries }) => (
          <div key={heading ?? ""} className="grid gap-0.5">
            {heading && <p className="mt-3 mb-0.5 px-2 text-xs font-medium text-ink-3">{heading}</p>}
            {entries.map((entry) => (
              <PageLink key={entry.to} {...{ entry, place, onNavigate }} />
            ))}
          </div>
        ))}
      </nav>
      <div className="mt-auto pt-3">
        <AccountMenu />
      </div>
    </div>
  );
}

export function PaletteButton({ onNavigate }: Pick<SidebarProps, "onNavigate">) {
  const open = (): void => {
    onNavigate?.();
    overlay.set("palette");
  };
  return (
    <button
      type="button"
      onClick={open}
      className={`${SIDEBAR_ROW} my-1 h-8 border border-line-2 bg-surface text-ink-3 hover:text-ink`}
    >
      <Search aria-hidden className="size-4" />
      <span className="grow">{shellText.search}</span>
      <Keys keys={[COMMAND_KEY, "K"]} />
    </button>
  );
}

function PageLink({ entry, place, onNavigate }: SidebarProps & { entry: Entry }) {
  const { label, icon: Icon, to, counts } = entry;
  const { organisation, environment } = place;
  return (
    <Link
      to={to}
      params={{ organisation, environment }}
      onClick={onNavigate}
      className={`${SIDEBAR_ROW} font-medium hover:bg-hover [&.active_svg]:text-ink`}
      activeProps={{ className: "active bg-select" }}
      inactiveProps={{ className: "text-ink-2" }}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="grow">{label}</span>
      {counts && <Count place={place} of={counts} />}
    </Link>
  );
}

/** Hidden from screen readers: the link's name stays the page's name, and the overview announces problems. */
function Count({ place, of }: { place: OpenPlace; of: NonNullable<Entry["counts"]> }) {
  const { data } = useQuery({ ...overviewQuery(place), enabled: !place.unmet });
  if (!data) return null;
  const { problems, numbers, calls } = data;
  const shown = {
    problems: problems.reduce((sum, { count }) => sum + count, 0) || undefined,
    numbers: numbers.total.toLocaleString(),
    calls: calls.active.value === null ? undefined : shellText.callsNow(calls.active.value),
  }[of];
  return (
    <span
      aria-hidden
      className={`text-xs tabular-nums ${of === "problems" ? "font-semibold text-bad" : "text-ink-3"}`}
    >
      {shown}
    </span>
  );
}

function OrganisationMenu({ place, onNavigate }: SidebarProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  const navigate = useNavigate();
  const choose = (organisation: string): void => {
    onNavigate?.();
    void navigate({
      to: HOME.to,
      params: { organisation, environment: place.environment },
    });
  };
  return (
    <Menu
      trigger={
        <button type="button" className={`${SIDEBAR_ROW} h-10 hover:bg-hover`}>
          <span
            aria-hidden
            data-initial={place.name.slice(0, 1).toUpperCase()}
            className="grid size-6 shrink-0 place-items-center rounded-md bg-ink text-xs font-semibold text-surface before:content-[attr(data-initial)]"
          />
          <span className="grow truncate font-semibold">
            <span className="sr-only">{shellText.organisation} </span>
            {place.name}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-2" />
        </button>
      }
    >
      <MenuChoices
        label={shellText.organisations}
        value={place.organisation}
        onChange={choose}
        choices={me.memberships.map(({ organisation, role }) => ({
          value: organisation.id,
          label: organisation.name,
          note: role ?? "",
        }))}
      />
      <OrganisationSettings {...{ place, onNavigate }} />
    </Menu>
  );
}

/** Sign-in settings of the organisation, for owners and admins. */
function OrganisationSettings({ place, onNavigate }: SidebarProps) {
  const navigate = useNavigate();
  const open = (to: `/o/$organisation/$environment/${"identity-providers" | "sign-in-policy"}`): void => {
    onNavigate?.();
    const { organisation, environment } = place;
    void navigate({ to, params: { organisation, environment } });
  };
  if (place.role !== "owner" && place.role !== "admin") return null;
  return (
    <>
      <MenuLine />
      {place.role === "owner" && (
        <MenuItem
          icon={<Building2 aria-hidden className="size-4 text-ink-2" />}
          onClick={() => open("/o/$organisation/$environment/identity-providers")}
        >
          {shellText.singleSignOn}
        </MenuItem>
      )}
      <MenuItem
        icon={<ShieldCheck aria-hidden className="size-4 text-ink-2" />}
        onClick={() => open("/o/$organisation/$environment/sign-in-policy")}
      >
        {shellText.signInPolicy}
      </MenuItem>
    </>
  );
}

/** Two separate environments. The URL contains the current one, so that links keep it. */
function EnvironmentSwitch({ place, onNavigate }: SidebarProps) {
  return (
    <div
      role="group"
      aria-label={sharedText.environment}
      className="my-1 grid grid-cols-2 gap-0.5 rounded-md bg-select p-0.5"
    >
      {(["live", "test"] as const).map((environment) => (
        <Link
          key={environment}
          to={HOME.to}
          params={{ organisation: place.organisation, environment }}
          onClick={onNavigate}
          aria-current={environment === place.environment ? "true" : undefined}
          className={`rounded-sm py-0.5 text-center text-xs leading-4.5 font-medium pointer-coarse:py-2.5 ${environment === place.environment ? "bg-raised text-ink shadow-xs" : "text-ink-2 hover:text-ink"}`}
        >
          {sharedText.environments[environment]}
        </Link>
      ))}
    </div>
  );
}
