import type { Organisation, Switch } from "@dialplane/sdk/operator";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, Server } from "lucide-react";
import { useState } from "react";
import { rowsOf } from "../components/paging.ts";
import { meQuery } from "../session/session.ts";
import { HOME } from "../shell/navigation.ts";
import { PaletteDialog, THEME_COMMANDS } from "../shell/PaletteDialog.tsx";
import { shellText } from "../shell/shell-text.ts";
import { OPERATOR_PAGES } from "./operator-pages.ts";
import { operatorText } from "./operator-text.ts";
import { organisationsList } from "./organisations-list.ts";
import { switchesList } from "./switches-list.ts";

/** Finds pages of the console, and the switches and organisations that were listed before. */
export function OperatorPalette() {
  const [text, setText] = useState("");
  const { data: me } = useSuspenseQuery(meQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const pages = OPERATOR_PAGES.map(({ label, icon, to }) => ({
    label,
    icon,
    run: () => void navigate({ to }),
  }));
  const switches = rowsOf<Switch>(queries.getQueryData(switchesList.queryKey)).map(({ id, name }) => ({
    label: name,
    icon: Server,
    run: () => void navigate({ to: "/operator/switches/$switch", params: { switch: id } }),
  }));
  const organisations = rowsOf<Organisation>(queries.getQueryData(organisationsList.queryKey)).map(
    ({ id, name }) => ({
      label: name,
      icon: Building2,
      run: () => void navigate({ to: "/operator/organisations/$organisation", params: { organisation: id } }),
    }),
  );
  const own = me.memberships.map(({ organisation: { id, name } }) => ({
    label: shellText.goTo(name),
    icon: Building2,
    run: () => void navigate({ to: HOME.to, params: { organisation: id, environment: "live" } }),
  }));
  return (
    <PaletteDialog
      title={operatorText.palette.title}
      placeholder={operatorText.palette.placeholder}
      text={text}
      onType={setText}
      commands={[
        { heading: shellText.pages, items: pages },
        { heading: operatorText.switches.title, items: switches },
        { heading: operatorText.organisations.title, items: organisations },
        { heading: shellText.switchTo, items: own },
        THEME_COMMANDS,
      ]}
    />
  );
}
