import { Bookmark, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "../components/Button.tsx";
import { Menu, MenuItem, MenuLine } from "../components/Menu.tsx";
import { dropView, readViews, type SavedView, viewsChanged } from "./saved-views.ts";
import { whenReachable } from "../session/when-reachable.ts";
import { numbersText } from "./numbers-text.ts";

const SaveViewDialog = lazy(
  whenReachable(() => import("./SaveViewDialog.tsx").then((module) => ({ default: module.SaveViewDialog }))),
);

interface SavedViewsProps {
  organisation: string;
  /** Current view. */
  current: Omit<SavedView, "name">;
  onOpen(view: SavedView): void;
}

export function SavedViews({ organisation, current, onOpen }: SavedViewsProps) {
  viewsChanged.use();
  const [isSaving, setSaving] = useState(false);
  const views = readViews(organisation);
  const now = JSON.stringify(current.search);
  const open = views.find(({ search }) => JSON.stringify(search) === now);
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="small" icon={<Bookmark aria-hidden className="size-3.5" />}>
            {open ? open.name : numbersText.views}
          </Button>
        }
      >
        {views.map((view) => (
          <MenuItem key={view.name} onClick={() => onOpen(view)}>
            <span className="max-w-60 truncate">{view.name}</span>
          </MenuItem>
        ))}
        {views.length > 0 && <MenuLine />}
        <MenuItem icon={<Plus aria-hidden className="size-4 text-muted" />} onClick={() => setSaving(true)}>
          {numbersText.saveViewItem}
        </MenuItem>
        {open && (
          <MenuItem
            icon={<Trash2 aria-hidden className="size-4 text-muted" />}
            onClick={() => dropView(organisation, open.name)}
          >
            <span className="max-w-60 truncate">{numbersText.deleteView(open.name)}</span>
          </MenuItem>
        )}
      </Menu>
      <Suspense>
        {isSaving && (
          <SaveViewDialog organisation={organisation} current={current} onClose={() => setSaving(false)} />
        )}
      </Suspense>
    </>
  );
}
