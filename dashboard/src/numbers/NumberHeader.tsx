import type { PhoneNumber as Number, Routing } from "@dialplane/sdk";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { countryName } from "../components/countries.ts";
import { PhoneNumber } from "../components/PhoneNumber.tsx";
import { wordFor } from "../components/shared-text.ts";
import { StatusBadge } from "../components/StatusBadge.tsx";
import { numberPageText } from "./number-page-text.ts";
import { RoutingStatus } from "./RoutingStatus.tsx";

interface NumberHeaderProps {
  number: Number;
  /** `undefined` while it loads, and for users who cannot see it. */
  routing: Routing | undefined;
  /** Actions. */
  children: ReactNode;
}

/** Number, routing status, label and tags. */
export function NumberHeader({ number, routing, children }: NumberHeaderProps) {
  const { e164, label, country, type, tags } = number;
  const place = [country && countryName(country), wordFor(type).toLowerCase()].filter(Boolean).join(", ");
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <h1 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-2xl font-title tracking-tight max-sm:text-lg">
          <PhoneNumber e164={e164} />
          <CopyButton text={e164} label={numberPageText.copyNumber} />
          {routing && <Status routing={routing} />}
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
          {label && <span className="font-name break-words text-ink">{label}</span>}
          <span>{place}</span>
          {number.status !== "active" && <span>{wordFor(number.status)}</span>}
          {tags.map((tag) => (
            <span key={tag} className="rounded-sm border border-line-2 px-1.5 text-xs leading-4.5">
              {tag}
            </span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </header>
  );
}

/** A drift is shown until it has stayed away for ten minutes, also while the last reading matches. */
function Status({ routing: { status, flapping, drift } }: { routing: Routing }) {
  if (flapping && drift)
    return (
      <StatusBadge tone="warn" icon={TriangleAlert}>
        {numberPageText.flapping(drift.switch)}
      </StatusBadge>
    );
  if (status === "drifted" && drift)
    return (
      <StatusBadge tone="warn" icon={TriangleAlert}>
        {numberPageText.drifting(drift.switch)}
      </StatusBadge>
    );
  return <RoutingStatus status={status} />;
}
