import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ShieldX } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../components/Button.tsx";
import { EmptyState } from "../components/EmptyState.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Page } from "../components/Page.tsx";
import { withSession } from "../session/session.ts";
import { type OpenPlace, useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { CsvFault } from "./csv-lines.ts";
import { plansOf } from "./import-plan.ts";
import { applyImport, type DryRun, type Outcomes, planImport } from "./import-run.ts";
import { ImportField } from "./ImportField.tsx";
import { ImportRows } from "./ImportRows.tsx";
import { importsText } from "./imports-text.ts";
import { sharedText } from "../components/shared-text.ts";

/** CSV import: read, preview, apply. */
export function ImportPage() {
  useTitle(importsText.title);
  const place = useOpenPlace();
  return (
    <Page
      title={importsText.heading}
      says={importsText.about}
      back={{ label: sharedText.numbers, to: "/o/$organisation/$environment/numbers" }}
    >
      {place.role === "member" ? (
        <EmptyState icon={ShieldX} title={importsText.denied}>
          {importsText.deniedHint(place.name)}
        </EmptyState>
      ) : (
        <Import place={place} />
      )}
    </Page>
  );
}

function Import({ place }: { place: OpenPlace }) {
  const [text, setText] = useState("");
  const plan = useMutation({
    mutationFn: (csv: string) => withSession(() => planImport(place.client, csv)),
    meta: { isShownInPlace: true },
  });
  if (plan.data) return <Planned place={place} run={plan.data} onBack={() => plan.reset()} />;
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        plan.mutate(text);
      }}
    >
      <ImportField text={text} onChange={setText} />
      {plan.error &&
        (plan.error instanceof CsvFault ? (
          <p role="alert" className="rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
            {plan.error.message}
          </p>
        ) : (
          <FailureNotice error={plan.error} />
        ))}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p className="grow text-xs text-ink-2">{importsText.previewHint}</p>
        <Button type="submit" look="primary" isPending={plan.isPending} disabled={text.trim() === ""}>
          {importsText.preview}
        </Button>
      </div>
    </form>
  );
}

interface PlannedProps {
  place: OpenPlace;
  run: DryRun;
  onBack(): void;
}

function Planned({ place, run, onBack }: PlannedProps) {
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  // A ref, because an import that continues after the session ended runs before the next render.
  const known = useRef(outcomes);
  const tell = (told: Outcomes): void => {
    known.current = told;
    setOutcomes(told);
  };
  const apply = useMutation({
    mutationFn: () => withSession(() => applyImport(place.client, run, { known: known.current, tell })),
    meta: { isShownInPlace: true },
    onSuccess: () => queries.invalidateQueries({ queryKey: [place.organisation, place.environment] }),
  });
  const changing = run.lines.filter(({ wants }) => Object.keys(wants).length > 0).length;
  const faulty = run.lines.filter(({ fault }) => fault).length;
  const isBegun = !apply.isIdle;
  return (
    <>
      <section
        aria-label={importsText.plan}
        className="grid gap-3 rounded-lg border border-line bg-surface p-4"
      >
        <p role="status" className="text-base font-medium">
          {apply.isSuccess ? importsText.done : importsText.changing(changing, run.lines.length)}
          {faulty > 0 && importsText.invalid(faulty)}
        </p>
        <p className="text-sm text-ink-2">
          {plansOf(run.lines).length > 0 && importsText.staleHint} {importsText.plansHint}
        </p>
        {apply.error && <FailureNotice error={apply.error} />}
        {!apply.isSuccess && (
          <div className="flex flex-wrap gap-2">
            <Button
              look="primary"
              isPending={apply.isPending}
              disabled={changing === 0}
              onClick={() => apply.mutate()}
            >
              {apply.isError ? importsText.continue : importsText.change(sharedText.countNumbers(changing))}
            </Button>
            {!isBegun && <Button onClick={onBack}>{importsText.back}</Button>}
          </div>
        )}
        {apply.isSuccess && (
          <div>
            <Button onClick={onBack}>{importsText.another}</Button>
          </div>
        )}
      </section>
      <ImportRows place={place} run={run} outcomes={outcomes} />
    </>
  );
}
