import { Link } from "@tanstack/react-router";
import { ShieldAlert, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../components/Button.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { useTitle } from "../shell/use-title.ts";
import { isNotOperator, lacksSecondFactor } from "./operator-list.ts";
import { operatorText } from "./operator-text.ts";

interface OperatorPageProps {
  title: string;
  says?: string;
  aside?: ReactNode;
  /** Page above this one. */
  back?: ReactNode;
  freshness?: ReactNode;
  /** If false, the page has its own heading below. */
  isHeading?: boolean;
  /** Error of its list. A user without operator rights sees it in place of the page. */
  error?: unknown;
  children: ReactNode;
}

/** Page of the installation, with title, purpose and actions. */
export function OperatorPage({
  title,
  says,
  aside,
  back,
  freshness,
  isHeading = true,
  error,
  children,
}: OperatorPageProps) {
  useTitle(title);
  if (isNotOperator(error))
    return (
      <EmptyState isPage icon={ShieldX} title={operatorText.operatorsOnly}>
        {operatorText.operatorsOnlyHint}
      </EmptyState>
    );
  if (lacksSecondFactor(error))
    return (
      <EmptyState
        isPage
        icon={ShieldAlert}
        title={operatorText.needsSecondFactor}
        action={
          <Link to="/second-factor" search={{ next: location.pathname }} className={buttonClass("primary")}>
            {operatorText.addSecondFactor}
          </Link>
        }
      >
        {operatorText.needsSecondFactorHint}
      </EmptyState>
    );
  return (
    <>
      <PageBar title={title} back={back} isHeading={isHeading} freshness={freshness}>
        {aside}
      </PageBar>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 content-start gap-6 px-4 py-6 md:px-8">
          {says && <p className="max-w-2xl text-ink-2">{says}</p>}
          {children}
        </div>
      </div>
    </>
  );
}
