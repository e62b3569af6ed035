import { useId } from "react";
import { INPUT_CLASS } from "../components/TextField.tsx";

const EXAMPLE = `number,label,tags,routing,release_lock
+12025550100,Reception,berlin;vip,sip:desk@pbx.example.com,true
+12025550101,Fax,,unrouted,`;

const COLUMNS = [
  ["number, e164 or id", "which number; the only one that must be there"],
  ["label", "empty takes it off"],
  ["tags", "with semicolons between; empty takes all off"],
  ["routing", "a SIP address, an https address, +…, a connection's name, or unrouted; empty leaves it"],
  ["connection", "a connection's name or id, instead of routing; empty leaves it"],
  ["release_lock", "true or false; empty leaves it"],
] as const;

/** A file or what was copied out of a spreadsheet, and what its columns mean. */
export function ImportField({ text, onChange }: { text: string; onChange(text: string): void }) {
  const id = useId();
  return (
    <div className="grid gap-5 lg:grid-cols-[1fr_20rem]">
      <div className="grid content-start gap-3">
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-file`} className="text-sm font-medium">
            A CSV file
          </label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".csv,text/csv,text/plain"
            onChange={({ target }) => void target.files?.[0]?.text().then(onChange)}
            className="text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:text-xs file:font-medium file:text-ink"
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-text`} className="text-sm font-medium">
            Or the table itself
          </label>
          <textarea
            id={`${id}-text`}
            value={text}
            onChange={({ target }) => onChange(target.value)}
            placeholder={EXAMPLE}
            rows={10}
            spellCheck={false}
            className={`${INPUT_CLASS} h-auto min-h-48 py-2 font-mono text-xs`}
          />
        </div>
      </div>
      <div className="grid content-start gap-2 text-sm">
        <h2 className="font-medium">Columns</h2>
        <dl className="grid gap-1.5">
          {COLUMNS.map(([name, says]) => (
            <div key={name}>
              <dt className="font-mono text-xs">{name}</dt>
              <dd className="text-xs text-muted">{says}</dd>
            </div>
          ))}
        </dl>
        <p className="text-xs text-muted">
          Other columns, such as those of Save as CSV, are left alone. What is left out is not touched.
        </p>
      </div>
    </div>
  );
}
