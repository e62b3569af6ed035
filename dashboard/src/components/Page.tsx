import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { AsCode, type CodeOf } from "../as-code/AsCode.tsx";
import type { PagePath } from "../shell/navigation.ts";
import { useOpenPlace } from "../shell/use-place.ts";

interface PageProps {
  title: string;
  /** Purpose of the page, in a sentence. */
  says?: ReactNode;
  aside?: ReactNode;
  /** Main call of the page, as a code sample. */
  asCode?: CodeOf;
  back?: { label: string; to: PagePath };
  children: ReactNode;
}

/** Scrolling page of an organisation, with title, purpose and actions. */
export function Page({ title, says, aside, asCode, back, children }: PageProps) {
  const { organisation, environment } = useOpenPlace();
  return (
    <div className="min-h-0 grow overflow-y-auto">
      <div className="mx-auto grid max-w-5xl grid-cols-1 gap-6 px-4 py-5">
        {back && (
          <div>
            <Link
              to={back.to}
              params={{ organisation, environment }}
              className="inline-flex items-center gap-1 rounded text-sm text-muted hover:text-ink"
            >
              <ChevronLeft aria-hidden className="size-4" />
              {back.label}
            </Link>
          </div>
        )}
        <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
          <div className="grid min-w-0 max-w-2xl grow basis-64 gap-1">
            <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
            {says && <p className="text-sm text-muted">{says}</p>}
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {asCode && <AsCode call={asCode} />}
            {aside}
          </div>
        </header>
        {children}
      </div>
    </div>
  );
}
