import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AsCode, type CodeOf } from "../as-code/AsCode.tsx";
import type { PagePath } from "../shell/navigation.ts";
import { useOpenPlace } from "../shell/use-place.ts";
import { PageBar, type PageBarProps } from "./PageBar.tsx";

interface PageProps extends Omit<PageBarProps, "title" | "back" | "children"> {
  title: string;
  /** Purpose of the page, in a sentence. */
  says?: ReactNode;
  aside?: ReactNode;
  back?: { label: string; to: PagePath };
  /** Main call of the page, as a code sample. */
  asCode?: CodeOf;
  children: ReactNode;
}

/** Scrolling page of an organisation, with title, purpose and actions. */
export function Page({ says, aside, asCode, back, children, ...bar }: PageProps) {
  return (
    <>
      <PageBar {...bar} back={back && <PageLink {...back} />}>
        {asCode && <AsCode call={asCode} />}
        {aside}
      </PageBar>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-6 px-4 py-6 md:px-8">
          {says && <p className="max-w-2xl text-sm text-ink-2">{says}</p>}
          {children}
        </div>
      </div>
    </>
  );
}

/** Link to a page of the same organisation. */
export function PageLink({ label, to }: { label: string; to: PagePath }) {
  const { organisation, environment } = useOpenPlace();
  return (
    <Link to={to} params={{ organisation, environment }}>
      {label}
    </Link>
  );
}
