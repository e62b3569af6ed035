import { Dialog } from "@base-ui/react/dialog";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Building2, FlaskConical, Hash, Moon, Radio } from "lucide-react";
import { type ReactNode, useDeferredValue, useState } from "react";
import { ReturnedFocus } from "../components/ReturnedFocus.tsx";
import { meQuery, withSession } from "../session/session.ts";
import { NAVIGATION, navigationFor } from "./navigation.ts";
import { overlay } from "./shortcuts.ts";
import { setTheme, THEMES } from "./theme.ts";
import type { OpenPlace } from "./use-place.ts";
import { shellText } from "./shell-text.ts";
import { sharedText } from "../components/shared-text.ts";

const NUMBERS_SHOWN = 6;

/** Finds pages and organisations by name, and numbers by digits or label. */
export function CommandPalette({ place }: { place: OpenPlace }) {
  const [text, setText] = useState("");
  const close = (): void => overlay.set(undefined);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-xl outline-none">
          <ReturnedFocus />
          <Dialog.Title className="sr-only">{shellText.palette}</Dialog.Title>
          <Command label={shellText.palette} loop>
            <Command.Input
              autoFocus
              value={text}
              onValueChange={setText}
              placeholder={shellText.palettePlaceholder}
              className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-sm text-muted">
                {shellText.paletteEmpty}
              </Command.Empty>
              <FoundNumbers place={place} text={text} onDone={close} />
              <Commands place={place} onDone={close} />
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ place, onDone }: { place: OpenPlace; onDone(): void }) {
  const { data: me } = useSuspenseQuery(meQuery);
  const navigate = useNavigate();
  const { organisation, environment } = place;
  const other = environment === "live" ? "test" : "live";
  const go = (
    to: (typeof NAVIGATION)[number]["to"],
    params: { organisation: string; environment: string },
  ): void => {
    onDone();
    void navigate({ to, params });
  };
  return (
    <>
      <Group heading={shellText.pages}>
        {navigationFor(place.role).map(({ label, icon: Icon, to }) => (
          <Item key={to} icon={<Icon />} onSelect={() => go(to, { organisation, environment })}>
            {label}
          </Item>
        ))}
      </Group>
      <Group heading={shellText.switchTo}>
        <Item
          icon={other === "test" ? <FlaskConical /> : <Radio />}
          onSelect={() => go(NAVIGATION[0]!.to, { organisation, environment: other })}
        >
          {shellText.goToEnvironment(other)}
        </Item>
        {me.memberships
          .filter((one) => one.organisation.id !== organisation)
          .map((one) => (
            <Item
              key={one.organisation.id}
              icon={<Building2 />}
              onSelect={() => go(NAVIGATION[0]!.to, { organisation: one.organisation.id, environment })}
            >
              {shellText.goTo(one.organisation.name)}
            </Item>
          ))}
      </Group>
      <Group heading={shellText.theme}>
        {THEMES.map((name) => (
          <Item
            key={name}
            icon={<Moon />}
            onSelect={() => {
              onDone();
              setTheme(name);
            }}
          >
            {shellText.themeOf(shellText.themes[name])}
          </Item>
        ))}
      </Group>
    </>
  );
}

/** Results of the service's search. They bypass the palette's own filter. */
function FoundNumbers({ place, text, onDone }: { place: OpenPlace; text: string; onDone(): void }) {
  const navigate = useNavigate();
  const q = useDeferredValue(text.trim());
  const found = useQuery({
    queryKey: [place.organisation, place.environment, "palette", q],
    queryFn: ({ signal }) =>
      withSession(() => place.client.numbers.list({ q, limit: NUMBERS_SHOWN }, { signal })),
    enabled: q.length > 1,
    placeholderData: (before) => before,
  });
  if (q.length < 2 || !found.data?.data.length) return null;
  return (
    <Group heading={sharedText.numbers}>
      {found.data.data.map(({ id, e164, label }) => (
        <Item
          key={id}
          icon={<Hash />}
          keywords={[text]}
          value={`${e164} ${label ?? ""} ${text}`}
          onSelect={() => {
            onDone();
            const { organisation, environment } = place;
            void navigate({
              to: "/o/$organisation/$environment/numbers/$number",
              params: { organisation, environment, number: id },
            });
          }}
        >
          <span className="tabular-nums">{e164}</span>
          {label && <span className="truncate text-muted">{label}</span>}
        </Item>
      ))}
    </Group>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="**:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:pt-2 **:[[cmdk-group-heading]]:pb-1 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon: ReactNode;
  onSelect(): void;
  children: ReactNode;
  value?: string;
  keywords?: string[];
}

function Item({ icon, children, ...rest }: ItemProps) {
  return (
    <Command.Item
      {...rest}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm select-none data-[selected=true]:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      {children}
    </Command.Item>
  );
}
