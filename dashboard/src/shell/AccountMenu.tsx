import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { BookOpen, Building2, ChevronsUpDown, Keyboard, LogOut, ShieldCheck, Wrench } from "lucide-react";
import { Avatar } from "../components/Avatar.tsx";
import { type Density, density, setDensity } from "../components/density.ts";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../components/Menu.tsx";
import { sharedText } from "../components/shared-text.ts";
import { meQuery } from "../session/session.ts";
import { useSignOut } from "../session/use-sign-out.ts";
import { shellText } from "./shell-text.ts";
import { overlay } from "./shortcuts.ts";
import { setTheme, type Theme, theme } from "./theme.ts";

/** Theme, security, and the way between the organisation's pages and the operator's. */
export function AccountMenu({ isOperator = false }: { isOperator?: boolean }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const signOut = useSignOut();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-11 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover"
        >
          <Avatar kind="session" name={me.caller.name} />
          <span className="grid min-w-0 grow leading-tight">
            <span className="truncate font-medium">
              <span className="sr-only">{shellText.account} </span>
              {me.caller.name}
            </span>
            <span className="truncate text-xs text-ink-2">{me.caller.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-3" />
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
      <MenuChoices<Density>
        label={shellText.density}
        value={density.use()}
        onChange={setDensity}
        choices={[
          { value: "comfortable", label: shellText.densities.comfortable },
          { value: "compact", label: shellText.densities.compact },
        ]}
      />
      <MenuLine />
      <AccountLinks isOperator={isOperator} />
      <MenuLine />
      <MenuItem icon={<LogOut aria-hidden className="size-4 text-ink-2" />} onClick={() => signOut.mutate()}>
        {sharedText.signOut}
      </MenuItem>
    </Menu>
  );
}

function AccountLinks({ isOperator }: { isOperator: boolean }) {
  const navigate = useNavigate();
  return (
    <>
      <MenuItem
        icon={<ShieldCheck aria-hidden className="size-4 text-ink-2" />}
        onClick={() => void navigate({ to: "/account/security" })}
      >
        {shellText.security}
      </MenuItem>
      {isOperator ? (
        <MenuItem
          icon={<Building2 aria-hidden className="size-4 text-ink-2" />}
          onClick={() => void navigate({ to: "/" })}
        >
          {shellText.organisationDashboard}
        </MenuItem>
      ) : (
        <MenuItem
          icon={<Wrench aria-hidden className="size-4 text-ink-2" />}
          onClick={() => void navigate({ to: "/operator" })}
        >
          {shellText.operatorConsole}
        </MenuItem>
      )}
      {!isOperator && (
        <MenuItem
          icon={<Keyboard aria-hidden className="size-4 text-ink-2" />}
          onClick={() => overlay.set("shortcuts")}
        >
          {shellText.shortcuts}
        </MenuItem>
      )}
      <MenuItem
        icon={<BookOpen aria-hidden className="size-4 text-ink-2" />}
        onClick={() => void window.open("/docs", "_blank", "noopener")}
      >
        {shellText.apiDocumentation}
      </MenuItem>
    </>
  );
}
