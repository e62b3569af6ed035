import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, FlaskConical, Hash, Radio, Wrench } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { sharedText } from "../components/shared-text.ts";
import { meQuery, withSession } from "../session/session.ts";
import { HOME, navigationFor, type PagePath } from "./navigation.ts";
import { PaletteDialog, type PaletteGroup, THEME_COMMANDS } from "./PaletteDialog.tsx";
import { shellText } from "./shell-text.ts";
import type { OpenPlace } from "./use-place.ts";

const NUMBERS_SHOWN = 6;

/** Finds pages and organisations by name, and numbers by digits or label. */
export function CommandPalette({ place }: { place: OpenPlace }) {
  const [text, setText] = useState("");
  return (
    <PaletteDialog
      title={shellText.palette}
      placeholder={shellText.palettePlaceholder}
      text={text}
      onType={setText}
      commands={useCommands(place)}
      results={useFoundNumbers(place, text.trim())}
    />
  );
}

function useCommands({ organisation, environment, role }: OpenPlace): PaletteGroup[] {
  const { data: me } = useSuspenseQuery(meQuery);
  const navigate = useNavigate();
  const other = environment === "live" ? "test" : "live";
  const go = (to: PagePath, params: { organisation: string; environment: string }) => () =>
    void navigate({ to, params });
  const pages = navigationFor(role)
    .flatMap(({ entries }) => entries)
    .map(({ label, icon, to }) => ({
      label,
      icon,
      run: go(to, { organisation, environment }),
    }));
  const organisations = me.memberships
    .filter((one) => one.organisation.id !== organisation)
    .map((one) => ({
      label: shellText.goTo(one.organisation.name),
      icon: Building2,
      run: go(HOME.to, { organisation: one.organisation.id, environment }),
    }));
  const switched = {
    label: shellText.goToEnvironment(other),
    icon: other === "test" ? FlaskConical : Radio,
    run: go(HOME.to, { organisation, environment: other }),
  };
  const operatorConsole = {
    label: shellText.operatorConsole,
    icon: Wrench,
    run: () => void navigate({ to: "/operator" }),
  };
  return [
    { heading: shellText.pages, items: pages },
    { heading: shellText.switchTo, items: [switched, ...organisations, operatorConsole] },
    THEME_COMMANDS,
  ];
}

/** Results of the service's search. */
function useFoundNumbers(place: OpenPlace, text: string): PaletteGroup[] {
  const navigate = useNavigate();
  const { organisation, environment, client } = place;
  const q = useDeferredValue(text);
  const { data } = useQuery({
    queryKey: [organisation, environment, "palette", q],
    queryFn: ({ signal }) => withSession(() => client.numbers.list({ q, limit: NUMBERS_SHOWN }, { signal })),
    enabled: q.length > 1,
    placeholderData: (before) => before,
  });
  if (q.length < 2 || !data) return [];
  const items = data.data.map(({ id, e164, label }) => ({
    label: e164,
    icon: Hash,
    note: label,
    run: () =>
      void navigate({
        to: "/o/$organisation/$environment/numbers/$number",
        params: { organisation, environment, number: id },
      }),
  }));
  return [{ heading: sharedText.numbers, items }];
}
