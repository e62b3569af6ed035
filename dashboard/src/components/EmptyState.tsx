import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Reason for an empty page, and the next step. */
export function EmptyState({
  icon: Icon,
  title,
  isPage = false,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  /** If true, the title is the page's heading. */
  isPage?: boolean;
  children: ReactNode;
  action?: ReactNode;
}) {
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className="mx-auto grid max-w-sm justify-items-center gap-2 px-4 py-16 text-center">
      <span className="mb-1 grid size-10 place-items-center rounded-full border border-line bg-surface text-ink-2 shadow-xs">
        <Icon aria-hidden className="size-5" />
      </span>
      <Heading className="text-sm font-semibold">{title}</Heading>
      <p className="text-sm text-ink-2">{children}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
