import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { ReturnedFocus } from "./ReturnedFocus.tsx";
import { sharedText } from "./shared-text.ts";

export interface PlainDialogProps {
  isOpen: boolean;
  onClose(): void;
  title: string;
  description?: ReactNode;
  children: ReactNode;
  size?: "small" | "large";
  /** Under everything else. */
  below?: ReactNode;
}

/** Modal dialog. Escape and the close button close it. */
export function PlainDialog(props: PlainDialogProps) {
  const { isOpen, onClose, title, description, children, size = "small", below } = props;
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          className={`pops fixed top-[12vh] left-1/2 z-50 max-h-[80vh] w-[calc(100vw-2rem)] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-xl outline-none ${size === "small" ? "max-w-md" : "max-w-2xl"}`}
        >
          <ReturnedFocus />
          <Base.Title className="pr-8 text-base font-semibold">{title}</Base.Title>
          {description && (
            <Base.Description className="mt-1 text-sm text-ink-2">{description}</Base.Description>
          )}
          <div className="mt-4">{children}</div>
          {below && <div className="mt-4 -mb-2 -ml-2">{below}</div>}
          {/* Last, so that the keyboard comes first to what the dialog is for. */}
          <Base.Close
            className="absolute top-4 right-4 grid size-7 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink"
            aria-label={sharedText.close}
          >
            <X aria-hidden className="size-4" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
