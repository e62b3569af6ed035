import type { PhoneNumber } from "@dialplane/sdk";
import type { ReactNode } from "react";
import { CopyButton } from "../components/CopyButton.tsx";
import { countryName } from "../components/countries.ts";
import { dayOf } from "../components/dates.ts";
import { wordFor } from "../components/shared-text.ts";
import { numberPageText } from "./number-page-text.ts";

const { facts } = numberPageText;

/** Facts about the number, next to the page. */
export function NumberFacts({ number }: { number: PhoneNumber }) {
  const { status, acquired_at, country, type, source, id } = number;
  return (
    <section aria-label={numberPageText.number} className="grid gap-2.5">
      <h3 className="text-xs font-name text-ink-3">{numberPageText.number}</h3>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact name={facts.state}>{wordFor(status)}</Fact>
        <Fact name={facts.heldSince}>{dayOf(acquired_at)}</Fact>
        {country && <Fact name={facts.country}>{countryName(country)}</Fact>}
        <Fact name={facts.type}>{wordFor(type)}</Fact>
        <Fact name={facts.source}>{numberPageText.sources[source] ?? wordFor(source)}</Fact>
        <Fact name={facts.id}>
          <span className="inline-flex max-w-full items-center gap-1">
            <code className="truncate font-mono text-xs">{id}</code>
            <CopyButton text={id} label={numberPageText.copyId} />
          </span>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </>
  );
}
