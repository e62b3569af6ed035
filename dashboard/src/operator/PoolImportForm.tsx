import type { PoolImport } from "@dialplane/sdk/operator";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { rowsOf } from "../components/paging.ts";
import { ProgressBar } from "../components/ProgressBar.tsx";
import { Section } from "../components/Section.tsx";
import { SelectField } from "../components/SelectField.tsx";
import { TextField } from "../components/TextField.tsx";
import { withSession } from "../session/session.ts";
import { loadFile, type PoolFile, readPoolFile } from "./pool-file.ts";
import { switchGroupsList } from "./switches-list.ts";

/** A file of numbers and ranges: tried first, then loaded. */
export function PoolImportForm({ poolKey }: { poolKey: readonly unknown[] }) {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [group, setGroup] = useState("");
  const load = useLoad(poolKey);
  // Another file or another country: what was found out no longer counts.
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value): void => {
      set(value);
      load.reset();
    };
  const tried = load.data?.report.dry_run ? load.data.report : undefined;
  return (
    <Section title="Load numbers">
      <form
        className="grid gap-4 rounded-lg border border-line bg-surface p-4"
        onSubmit={(event) => {
          event.preventDefault();
          load.mutate({ text, country, group, isDryRun: !tried });
        }}
      >
        <FileField onChange={change(setText)} />
        <div className="flex flex-wrap gap-3">
          <TextField
            className="w-56"
            label="Country"
            hint="Of numbers without a plus."
            maxLength={2}
            placeholder="DE"
            value={country}
            onChange={({ target }) => change(setCountry)(target.value.toUpperCase())}
          />
          <GroupField value={group} onChange={change(setGroup)} />
        </div>
        {load.isPending && load.variables && (
          <ProgressBar label="Lines" done={load.done} total={load.total} />
        )}
        {load.error && <FailureNotice error={load.error} />}
        {load.data && <Outcome {...load.data} />}
        <div className="flex flex-wrap items-center justify-end gap-3">
          <p className="grow text-xs text-muted">
            {tried
              ? "Nothing has been loaded yet."
              : "This changes nothing: it only tells what would happen."}
          </p>
          <Button
            type="submit"
            look="primary"
            isPending={load.isPending}
            disabled={text.trim() === "" || tried?.added === 0}
          >
            {tried ? `Load ${tried.added.toLocaleString()} numbers` : "Show what would happen"}
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
        A CSV file
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv,text/plain"
        aria-describedby={`${id}-note`}
        onChange={({ target }) => void target.files?.[0]?.text().then(onChange)}
        className="text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:text-xs file:font-medium file:text-ink"
      />
      <p id={`${id}-note`} className="text-xs text-muted">
        Columns: number; to, where it is the first of a range; type, where the numbering plan does not know
        it. What is in the pool already is skipped.
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
      label="Group of switches"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">The default one</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** The first of them say what is wrong with the file. */
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
        {added.toLocaleString()} numbers {dry_run ? "would be added" : "are added"},{" "}
        {skipped.toLocaleString()} {dry_run ? "are" : "were"} there already
        {faults.length > 0 &&
          `, ${faults.length.toLocaleString()} ${faults.length === 1 ? "line is" : "lines are"} not possible`}
        .
      </p>
      {faults.length > 0 && (
        <ul className="grid gap-1 text-xs text-bad">
          {faults.slice(0, SHOWN_FAULTS).map(({ entry, detail }) => (
            <li key={entry} className="break-words">
              Line {file.lines[entry]!.line}: {detail}
            </li>
          ))}
          {rest > 0 && <li>and {rest.toLocaleString()} more</li>}
        </ul>
      )}
    </div>
  );
}
