import type { PhoneNumber } from "@dialplane/sdk";
import { CopiedFact, Fact, Facts } from "../components/Facts.tsx";
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
      <Facts>
        <Fact name={facts.state}>{wordFor(status)}</Fact>
        <Fact name={facts.heldSince}>{dayOf(acquired_at)}</Fact>
        {country && <Fact name={facts.country}>{countryName(country)}</Fact>}
        <Fact name={facts.type}>{wordFor(type)}</Fact>
        <Fact name={facts.source}>{numberPageText.sources[source] ?? wordFor(source)}</Fact>
        <CopiedFact name={facts.id} value={id} copyLabel={numberPageText.copyId} />
      </Facts>
    </section>
  );
}
