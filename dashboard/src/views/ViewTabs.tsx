import type { View } from "@dialplane/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Plus } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Button } from "../components/Button.tsx";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { tellDone } from "../components/Toaster.tsx";
import { withSession } from "../session/session.ts";
import { whenReachable } from "../session/when-reachable.ts";
import type { OpenPlace } from "../shell/use-place.ts";
import { type ViewPage, viewsQuery } from "./views-query.ts";
import { viewsText } from "./views-text.ts";

const SaveViewDialog = lazy(
  whenReachable(() => import("./SaveViewDialog.tsx").then((module) => ({ default: module.SaveViewDialog }))),
);

/** A view that the page always has. */
export interface BuiltInView {
  name: string;
  count?: number | undefined;
  /** Query string of the page. */
  query: string;
}

interface ViewTabsProps {
  place: OpenPlace;
  page: ViewPage;
  /** The first is the page without filters. */
  builtIn: readonly BuiltInView[];
  /** Query string of what is shown now. */
  current: string;
  /** If false, the saved views wait, so that the rows come first. */
  isReady?: boolean;
  onOpen(query: string): void;
}

/** Built-in and saved filters of a page. */
export function ViewTabs({ place, page, builtIn, current, isReady = true, onOpen }: ViewTabsProps) {
  const [isSaving, setSaving] = useState(false);
  const saved = useQuery({ ...viewsQuery(place, page), enabled: isReady }).data?.data ?? [];
  const isKnown = [...builtIn, ...saved].some(({ query }) => query === current);
  return (
    <div className="flex items-center gap-2 border-b border-line px-4 md:px-6">
      <nav aria-label={viewsText.label} className="-mb-px flex min-w-0 grow gap-5 overflow-x-auto">
        {builtIn.map(({ name, count, query }) => (
          <Tab key={name} isOpen={query === current} onOpen={() => onOpen(query)} count={count}>
            {name}
          </Tab>
        ))}
        {saved.map((view) => (
          <span key={view.id} className="flex items-center">
            <Tab isOpen={view.query === current} onOpen={() => onOpen(view.query)}>
              {view.name}
            </Tab>
            {view.query === current && <ViewMenu {...{ place, page, view }} onOpen={onOpen} />}
          </span>
        ))}
      </nav>
      {!isKnown && (
        <Button
          look="quiet"
          size="small"
          icon={<Plus aria-hidden className="size-3.5" />}
          onClick={() => setSaving(true)}
        >
          {viewsText.save}
        </Button>
      )}
      <Suspense>
        {isSaving && (
          <SaveViewDialog place={place} page={page} query={current} onClose={() => setSaving(false)} />
        )}
      </Suspense>
    </div>
  );
}

interface TabProps {
  isOpen: boolean;
  count?: number | undefined;
  onOpen(): void;
  children: ReactNode;
}

function Tab({ isOpen, count, onOpen, children }: TabProps) {
  return (
    <button
      type="button"
      aria-current={isOpen ? "page" : undefined}
      onClick={onOpen}
      className="flex h-9.5 items-center gap-1.5 border-b-2 border-transparent font-medium whitespace-nowrap text-ink-2 -outline-offset-2 hover:text-ink aria-[current=page]:border-ink aria-[current=page]:text-ink pointer-coarse:h-11"
    >
      {children}
      {count !== undefined && (
        <span className="text-xs font-normal text-ink-3 tabular-nums">{count.toLocaleString()}</span>
      )}
    </button>
  );
}

interface ViewMenuProps {
  place: OpenPlace;
  page: ViewPage;
  view: View;
  onOpen(query: string): void;
}

function ViewMenu({ place, page, view, onOpen }: ViewMenuProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => withSession(() => place.client.views.delete(view.id)),
    onSuccess: async () => {
      tellDone(viewsText.deleted(view.name));
      onOpen("");
      await queries.invalidateQueries({ queryKey: viewsQuery(place, page).queryKey });
    },
  });
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label={viewsText.menu(view.name)}
          className="ml-1 grid size-6 place-items-center rounded text-ink-3 hover:bg-hover hover:text-ink"
        >
          <Ellipsis aria-hidden className="size-3.5" />
        </button>
      }
    >
      <MenuItem onClick={() => remove.mutate()}>{viewsText.delete}</MenuItem>
    </Menu>
  );
}
