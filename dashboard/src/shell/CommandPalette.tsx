import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, FlaskConical, Hash, type LucideIcon, Moon, Radio } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { ReturnedFocus } from "../components/ReturnedFocus.tsx";
import { sharedText } from "../components/shared-text.ts";
import { meQuery, withSession } from "../session/session.ts";
import { HOME, navigationFor, type PagePath } from "./navigation.ts";
import { shellText } from "./shell-text.ts";
import { overlay } from "./shortcuts.ts";
import { setTheme, THEMES } from "./theme.ts";
import type { OpenPlace } from "./use-place.ts";

const NUMBERS_SHOWN = 6;

interface Command {
  label: string;
  icon: LucideIcon;
  note?: string | null;
  run(): void;
}

interface Group {
  heading: string;
  items: Command[];
}

/** Finds pages and organisations by name, and numbers by digits or label. */
export function CommandPalette({ place }: { place: OpenPlace }) {
  const [text, setText] = useState("");
  const numbers = useFoundNumbers(place, text.trim());
  const commands = useCommands(place);
  const close = (): void => overlay.set(undefined);
  const found = commands
    .map((group) => ({ ...group, items: group.items.filter((item) => isNamed(item, text)) }))
    .concat(numbers)
    .filter(({ items }) => items.length > 0);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-xl outline-none">
          <ReturnedFocus />
          <Dialog.Title className="sr-only">{shellText.palette}</Dialog.Title>
          <Autocomplete.Root
            inline
            open
            items={found}
            filteredItems={found}
            autoHighlight="always"
            keepHighlight
            value={text}
            // Choosing a command would put its label into the input.
            onValueChange={(value, { reason }) => reason !== "item-press" && setText(value)}
          >
            <Autocomplete.Input
              autoFocus
              aria-label={shellText.palette}
              placeholder={shellText.palettePlaceholder}
              className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-ink-2"
            />
            <div className="max-h-[50vh] overflow-y-auto">
              <Autocomplete.Empty>
                <p className="px-3 py-8 text-center text-sm text-ink-2">{shellText.paletteEmpty}</p>
              </Autocomplete.Empty>
              <Autocomplete.List className="p-1.5 empty:p-0">
                {(group: Group) => (
                  <Autocomplete.Group key={group.heading} items={group.items}>
                    <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-ink-2">
                      {group.heading}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(command: Command) => (
                        <CommandItem key={command.label} command={command} onDone={close} />
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function CommandItem({ command, onDone }: { command: Command; onDone(): void }) {
  const { icon: Icon, label, note, run } = command;
  return (
    <Autocomplete.Item
      value={command}
      onClick={() => {
        onDone();
        run();
      }}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm tabular-nums select-none data-highlighted:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-2" />
      {label}
      {note && <span className="truncate text-ink-2">{note}</span>}
    </Autocomplete.Item>
  );
}

/** Whether the label contains each word of the text, in any order. */
function isNamed({ label }: Command, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => label.toLowerCase().includes(word));
}

function useCommands({ organisation, environment, role }: OpenPlace): Group[] {
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
  const themes = THEMES.map((name) => ({
    label: shellText.themeOf(shellText.themes[name]),
    icon: Moon,
    run: () => setTheme(name),
  }));
  return [
    { heading: shellText.pages, items: pages },
    { heading: shellText.switchTo, items: [switched, ...organisations] },
    { heading: shellText.theme, items: themes },
  ];
}

/** Results of the service's search. */
function useFoundNumbers(place: OpenPlace, text: string): Group[] {
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
