import { Link } from "@tanstack/react-router";
import { ShieldAlert, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { useTitle } from "../shell/use-title.ts";
import { isNotOperator, lacksSecondFactor } from "./operator-list.ts";
import { operatorText } from "./operator-text.ts";

interface OperatorPageProps {
  title: string;
  says: string;
  aside?: ReactNode;
  /** Error of its list. A user without operator rights sees it in place of the page. */
  error?: unknown;
  children: ReactNode;
}

/** Page of the installation, with title, purpose and actions. */
export function OperatorPage({ title, says, aside, error, children }: OperatorPageProps) {
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
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="grid min-w-0 max-w-2xl grow basis-64 gap-1">
          <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
          <p className="text-sm text-muted">{says}</p>
        </div>
        {aside}
      </header>
      {children}
    </>
  );
}
