import type { PoolImport } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../components/Button.tsx";
import { CountryField } from "../components/CountryField.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { rowsOf } from "../components/paging.ts";
import { ProgressBar } from "../components/ProgressBar.tsx";
import { Section } from "../components/Section.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { withSession } from "../session/session.ts";
import { loadFile, type PoolFile, readPoolFile } from "./pool-file.ts";
import { switchGroupsList } from "./switches-list.ts";
import { operatorText } from "./operator-text.ts";

/** Import of numbers and ranges, with a dry run first. */
export function PoolImportForm({ poolKey }: { poolKey: readonly unknown[] }) {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [group, setGroup] = useState("");
  const load = useLoad(poolKey);
  // Another file or country invalidates the dry run.
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      load.reset();
    };
  const tried = load.data?.report.dry_run ? load.data.report : undefined;
  return (
    <Section title={operatorText.pool.import}>
      <form
        className="grid gap-4 rounded-lg border border-line bg-surface p-4"
        onSubmit={(event) => {
          event.preventDefault();
          load.mutate({ text, country, group, isDryRun: !tried });
        }}
      >
        <FileField onChange={change(setText)} />
        <div className="flex flex-wrap gap-3">
          <CountryField
            className="w-56"
            hint={operatorText.pool.countryHint}
            anyLabel={operatorText.pool.anyCountry}
            value={country}
            onChange={({ target }) => change(setCountry)(target.value)}
          />
          <GroupField value={group} onChange={change(setGroup)} />
        </div>
        {load.isPending && load.variables && (
          <ProgressBar label={operatorText.pool.lines} done={load.done} total={load.total} />
        )}
        {load.error && <FailureNotice error={load.error} />}
        {load.data && <Outcome {...load.data} />}
        <div className="flex flex-wrap items-center justify-end gap-3">
          <p className="grow text-xs text-ink-2">
            {tried ? operatorText.pool.notImported : operatorText.pool.previewHint}
          </p>
          <Button
            type="submit"
            look="primary"
            isPending={load.isPending}
            disabled={text.trim() === "" || tried?.added === 0}
          >
            {tried ? operatorText.pool.importCount(tried.added) : operatorText.pool.preview}
          </Button>
        </div>
      </form>
    </Section>
  );
}

interface Wanted {
  text: string;
  country: string;
  group: string;
  isDryRun: boolean;
}

function useLoad(poolKey: readonly unknown[]) {
  const queries = useQueryClient();
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const mutation = useMutation({
    mutationFn: async ({ text, country, group, isDryRun }: Wanted) => {
      const file = readPoolFile(text);
      setDone(0);
      setTotal(file.lines.length);
      const how = { country: country || undefined, group_id: group || undefined, dry_run: isDryRun };
      return { file, report: await withSession(() => loadFile(file, how, setDone)) };
    },
    meta: { isShownInPlace: true },
    onSuccess: ({ report }) =>
      report.dry_run ? undefined : queries.invalidateQueries({ queryKey: poolKey }),
  });
  return { ...mutation, done, total };
}

function FileField({ onChange }: { onChange(text: string): void }) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {operatorText.pool.file}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv,text/plain"
        aria-describedby={`${id}-note`}
        onChange={({ target }) => void target.files?.[0]?.text().then(onChange)}
        className="text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:text-xs file:font-medium file:text-ink"
      />
      <p id={`${id}-note`} className="text-xs text-ink-2">
        {operatorText.pool.fileHint}
      </p>
    </div>
  );
}

function GroupField({ value, onChange }: { value: string; onChange(id: string): void }) {
  const groups = rowsOf(useInfiniteQuery(switchGroupsList).data).filter(
    ({ environment }) => environment === "live",
  );
  return (
    <SelectField
      className="w-56"
      label={operatorText.pool.switchGroup}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{operatorText.switches.defaultGroup}</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** Limits the list of faults. */
const SHOWN_FAULTS = 20;

function Outcome({
  file,
  report: { dry_run, added, skipped, faults },
}: {
  file: PoolFile;
  report: PoolImport;
}) {
  const rest = faults.length - SHOWN_FAULTS;
  return (
    <div className="grid gap-2">
      <p role="status" className="text-sm font-medium">
        {dry_run ? operatorText.pool.wouldAdd(added, skipped) : operatorText.pool.added(added, skipped)}
        {faults.length > 0 && operatorText.pool.invalid(faults.length)}.
      </p>
      {faults.length > 0 && (
        <ul className="grid gap-1 text-xs text-bad">
          {faults.slice(0, SHOWN_FAULTS).map(({ entry, detail }) => (
            <li key={entry} className="break-words">
              {operatorText.pool.lineFault(file.lines[entry]!.line, detail)}
            </li>
          ))}
          {rest > 0 && <li>{operatorText.pool.moreFaults(rest)}</li>}
        </ul>
      )}
    </div>
  );
}
