import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";

/** Long enough not to ask for every letter, short enough not to be noticed. */
const SETTLE_MS = 80;

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** Says what was typed when the typing pauses; follows the value when it changes from outside. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === told.current) return;
    const timer = setTimeout(() => {
      told.current = typed;
      onChange(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <span className="relative block w-full sm:w-64">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 text-sm placeholder:text-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:-outline-offset-1"
      />
    </span>
  );
}
