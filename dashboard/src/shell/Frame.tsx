import { Dialog } from "@base-ui/react/dialog";
import { Link } from "@tanstack/react-router";
import { CloudOff, type LucideIcon, Menu as MenuIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { reach } from "../session/client.ts";
import { shellText } from "./shell-text.ts";

interface FramePage {
  label: string;
  icon: LucideIcon;
  to: string;
  params?: Record<string, string>;
}

interface FrameProps {
  /** Content of the sidebar, and of the drawer on narrow screens. `onNavigate` closes the drawer. */
  sidebar(onNavigate?: () => void): ReactNode;
  /** Pages of the bottom bar on narrow screens. */
  firstPages: readonly FramePage[];
  /** Above every page. */
  strips?: ReactNode;
  children: ReactNode;
}

/** Sidebar and page, or page and bottom bar on narrow screens. */
export function Frame({ sidebar, firstPages, strips, children }: FrameProps) {
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-60 rounded-md bg-accent-fill px-3 py-2 text-sm font-medium text-accent-ink focus:top-2"
      >
        {shellText.skip}
      </a>
      <aside className="hidden w-56 shrink-0 md:block">{sidebar()}</aside>
      <main
        id="content"
        tabIndex={-1}
        className="flex min-h-0 min-w-0 grow flex-col overflow-hidden border-line bg-surface outline-none md:mt-2 md:rounded-tl-lg md:border-t md:border-l"
      >
        {strips}
        <SilenceStrip />
        {children}
      </main>
      <BottomBar {...{ sidebar, firstPages }} />
    </div>
  );
}

const BOTTOM_BUTTON = "grid min-w-0 flex-1 place-content-center justify-items-center gap-0.5";

function BottomBar({ sidebar, firstPages }: Pick<FrameProps, "sidebar" | "firstPages">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <nav
      aria-label={shellText.firstPages}
      className="flex h-15 shrink-0 border-t border-line bg-surface text-2xs font-medium md:hidden"
    >
      {firstPages.map(({ label, icon: Icon, to, params = {} }) => (
        <Link
          key={to}
          to={to}
          params={params}
          className={BOTTOM_BUTTON}
          activeOptions={{ exact: to === "/operator" }}
          activeProps={{ className: "text-ink" }}
          inactiveProps={{ className: "text-ink-3" }}
        >
          <Icon aria-hidden className="size-5" />
          {label}
        </Link>
      ))}
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger className={`${BOTTOM_BUTTON} text-ink-3`} aria-label={shellText.openNavigation}>
          <MenuIcon aria-hidden className="size-5" />
          {shellText.more}
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
          <Dialog.Popup className="fixed inset-y-0 left-0 z-50 w-72 border-r border-line bg-canvas shadow-xl transition-transform outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
            <Dialog.Title className="sr-only">{shellText.navigation}</Dialog.Title>
            {sidebar(() => setOpen(false))}
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </nav>
  );
}

function SilenceStrip() {
  if (reach.use() === "answers") return null;
  return (
    <p
      role="status"
      className="flex items-center gap-2 border-b border-bad/40 bg-bad-soft px-4 py-1.5 text-xs text-bad"
    >
      <CloudOff aria-hidden className="size-3.5 shrink-0" />
      {shellText.unreachableStrip}
    </p>
  );
}
