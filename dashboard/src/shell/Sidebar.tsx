import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  Building2,
  ChevronsUpDown,
  CircleUserRound,
  Keyboard,
  LogOut,
  Search,
  ShieldCheck,
} from "lucide-react";
import { COMMAND_KEY, Keys } from "../components/Keys.tsx";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../components/Menu.tsx";
import { meQuery } from "../session/session.ts";
import { useSignOut } from "../session/use-sign-out.ts";
import { navigationFor } from "./navigation.ts";
import { overlay } from "./shortcuts.ts";
import { setTheme, type Theme, theme } from "./theme.ts";
import type { OpenPlace } from "./use-place.ts";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

const ROW = "flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-sm text-left";

interface SidebarProps {
  place: OpenPlace;
  /** Called on a selection, so that a drawer can close. */
  onNavigate?: (() => void) | undefined;
}

export function Sidebar({ place, onNavigate }: SidebarProps) {
  const { organisation, environment } = place;
  const openPalette = (): void => {
    onNavigate?.();
    overlay.set("palette");
  };
  return (
    <div className="flex h-full flex-col gap-3 p-3">
      <OrganisationMenu place={place} onNavigate={onNavigate} />
      <EnvironmentSwitch place={place} onNavigate={onNavigate} />
      <button
        type="button"
        onClick={openPalette}
        className={`${ROW} border border-line bg-canvas text-muted hover:text-ink`}
      >
        <Search aria-hidden className="size-4" />
        <span className="grow">{shellText.search}</span>
        <Keys keys={[COMMAND_KEY, "K"]} />
      </button>
      <nav aria-label={shellText.pages} className="grid gap-0.5">
        {navigationFor(place.role).map(({ label, icon: Icon, to }) => (
          <Link
            key={to}
            to={to}
            params={{ organisation, environment }}
            onClick={onNavigate}
            className={`${ROW} hover:bg-hover`}
            activeProps={{ className: "bg-hover font-medium" }}
            inactiveProps={{ className: "text-muted" }}
          >
            <Icon aria-hidden className="size-4" />
            {label}
          </Link>
        ))}
      </nav>
      <div className="mt-auto">
        <AccountMenu />
      </div>
    </div>
  );
}

function OrganisationMenu({ place, onNavigate }: SidebarProps) {
  const { data: me } = useSuspenseQuery(meQuery);
  const navigate = useNavigate();
  const choose = (organisation: string): void => {
    onNavigate?.();
    void navigate({
      to: "/o/$organisation/$environment/numbers",
      params: { organisation, environment: place.environment },
    });
  };
  return (
    <Menu
      trigger={
        <button type="button" className={`${ROW} h-10 hover:bg-hover`}>
          <span
            aria-hidden
            data-initial={place.name.slice(0, 1).toUpperCase()}
            className="grid size-6 shrink-0 place-items-center rounded-md bg-accent text-xs font-semibold text-accent-ink before:content-[attr(data-initial)]"
          />
          <span className="grow truncate font-semibold">
            <span className="sr-only">{shellText.organisation} </span>
            {place.name}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
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
          icon={<Building2 aria-hidden className="size-4 text-muted" />}
          onClick={() => open("/o/$organisation/$environment/identity-providers")}
        >
          {shellText.singleSignOn}
        </MenuItem>
      )}
      <MenuItem
        icon={<ShieldCheck aria-hidden className="size-4 text-muted" />}
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
      className="grid grid-cols-2 gap-1 rounded-lg border border-line bg-canvas p-0.5"
    >
      {(["live", "test"] as const).map((environment) => (
        <Link
          key={environment}
          to="/o/$organisation/$environment/numbers"
          params={{ organisation: place.organisation, environment }}
          onClick={onNavigate}
          aria-current={environment === place.environment ? "true" : undefined}
          className={`rounded-md py-1 text-center text-xs font-medium ${environment === place.environment ? "bg-hover text-ink" : "text-muted hover:text-ink"}`}
        >
          {sharedText.environments[environment]}
        </Link>
      ))}
    </div>
  );
}

function AccountMenu() {
  const { data: me } = useSuspenseQuery(meQuery);
  const navigate = useNavigate();
  const signOut = useSignOut();
  return (
    <Menu
      trigger={
        <button type="button" className={`${ROW} h-11 hover:bg-hover`}>
          <CircleUserRound aria-hidden className="size-5 shrink-0 text-muted" />
          <span className="grid min-w-0 grow leading-tight">
            <span className="truncate font-medium">
              <span className="sr-only">{shellText.account} </span>
              {me.caller.name}
            </span>
            <span className="truncate text-xs text-muted">{me.caller.email}</span>
          </span>
        </button>
      }
    >
      <MenuChoices<Theme>
        label={shellText.theme}
        value={theme.use()}
        onChange={setTheme}
        choices={[
          { value: "system", label: shellText.themes.system },
          { value: "light", label: shellText.themes.light },
          { value: "dark", label: shellText.themes.dark },
        ]}
      />
      <MenuLine />
      <MenuItem
        icon={<ShieldCheck aria-hidden className="size-4 text-muted" />}
        onClick={() => void navigate({ to: "/account/security" })}
      >
        {shellText.security}
      </MenuItem>
      <MenuItem
        icon={<Keyboard aria-hidden className="size-4 text-muted" />}
        onClick={() => overlay.set("shortcuts")}
      >
        {shellText.shortcuts}
      </MenuItem>
      <MenuItem
        icon={<BookOpen aria-hidden className="size-4 text-muted" />}
        onClick={() => void window.open("/docs", "_blank", "noopener")}
      >
        {shellText.apiDocumentation}
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden className="size-4 text-muted" />} onClick={() => signOut.mutate()}>
        {sharedText.signOut}
      </MenuItem>
    </Menu>
  );
}
