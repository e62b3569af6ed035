import { useId } from "react";
import { INPUT_CLASS } from "../components/TextField.tsx";
import { importsText } from "./imports-text.ts";

/** A file or pasted table, and the meaning of its columns. */
export function ImportField({ text, onChange }: { text: string; onChange(text: string): void }) {
  const id = useId();
  return (
    <div className="grid gap-5 lg:grid-cols-[1fr_20rem]">
      <div className="grid content-start gap-3">
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-file`} className="text-sm font-medium">
            {importsText.file}
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
            {importsText.table}
          </label>
          <textarea
            id={`${id}-text`}
            value={text}
            onChange={({ target }) => onChange(target.value)}
            placeholder={importsText.example}
            rows={10}
            spellCheck={false}
            className={`${INPUT_CLASS} h-auto min-h-48 py-2 font-mono text-xs`}
          />
        </div>
      </div>
      <div className="grid content-start gap-2 text-sm">
        <h2 className="font-medium">{importsText.columns}</h2>
        <dl className="grid gap-1.5">
          {importsText.columnHints.map(([name, says]) => (
            <div key={name}>
              <dt className="font-mono text-xs">{name}</dt>
              <dd className="text-xs text-ink-2">{says}</dd>
            </div>
          ))}
        </dl>
        <p className="text-xs text-ink-2">{importsText.otherColumns}</p>
      </div>
    </div>
  );
}
