import { Dialog } from "../components/Dialog.tsx";
import { Keys } from "../components/Keys.tsx";
import { overlay, SHORTCUTS } from "./shortcuts.ts";
import { shellText } from "./shell-text.ts";

export function ShortcutSheet() {
  return (
    <Dialog
      isOpen={overlay.use() === "shortcuts"}
      onClose={() => overlay.set(undefined)}
      title={shellText.shortcuts}
    >
      <dl className="divide-y divide-line">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 py-2">
            <dt>{does}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
