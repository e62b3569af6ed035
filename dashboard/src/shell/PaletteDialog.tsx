import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { type LucideIcon, Moon } from "lucide-react";
import { ReturnedFocus } from "../components/ReturnedFocus.tsx";
import { shellText } from "./shell-text.ts";
import { overlay } from "./shortcuts.ts";
import { setTheme, THEMES } from "./theme.ts";

export interface PaletteCommand {
  label: string;
  icon: LucideIcon;
  note?: string | null;
  run(): void;
}

export interface PaletteGroup {
  heading: string;
  items: PaletteCommand[];
}

export const THEME_COMMANDS: PaletteGroup = {
  heading: shellText.theme,
  items: THEMES.map((name) => ({
    label: shellText.themeOf(shellText.themes[name]),
    icon: Moon,
    run: () => setTheme(name),
  })),
};

interface PaletteDialogProps {
  title: string;
  placeholder: string;
  text: string;
  onType(text: string): void;
  /** Listed if they contain each word of the text. */
  commands: readonly PaletteGroup[];
  /** Results of a search, which are all listed. */
  results?: readonly PaletteGroup[];
}

/** Finds commands by their words. */
export function PaletteDialog({
  title,
  placeholder,
  text,
  onType,
  commands,
  results = [],
}: PaletteDialogProps) {
  const close = (): void => overlay.set(undefined);
  const found = commands
    .map((group) => ({ ...group, items: group.items.filter((item) => isNamed(item, text)) }))
    .concat(results)
    .filter(({ items }) => items.length > 0);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-raised shadow-xl outline-none">
          <ReturnedFocus />
          <Dialog.Title className="sr-only">{title}</Dialog.Title>
          <Autocomplete.Root
            inline
            open
            items={found}
            filteredItems={found}
            autoHighlight="always"
            keepHighlight
            value={text}
            // Choosing a command would put its label into the input.
            onValueChange={(value, { reason }) => reason !== "item-press" && onType(value)}
          >
            <PaletteList title={title} placeholder={placeholder} onDone={close} />
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface PaletteListProps {
  title: string;
  placeholder: string;
  onDone(): void;
}

function PaletteList({ title, placeholder, onDone }: PaletteListProps) {
  return (
    <>
      <Autocomplete.Input
        autoFocus
        aria-label={title}
        placeholder={placeholder}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-sm outline-none placeholder:text-ink-2"
      />
      <div className="max-h-[50vh] overflow-y-auto">
        <Autocomplete.Empty>
          <p className="px-3 py-8 text-center text-sm text-ink-2">{shellText.paletteEmpty}</p>
        </Autocomplete.Empty>
        <Autocomplete.List className="p-1.5 empty:p-0">
          {(group: PaletteGroup) => (
            <Autocomplete.Group key={group.heading} items={group.items}>
              <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-xs font-medium text-ink-2">
                {group.heading}
              </Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(command: PaletteCommand) => (
                  <CommandItem key={command.label} command={command} onDone={onDone} />
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </div>
    </>
  );
}

function CommandItem({ command, onDone }: { command: PaletteCommand; onDone(): void }) {
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
function isNamed({ label }: PaletteCommand, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => label.toLowerCase().includes(word));
}
