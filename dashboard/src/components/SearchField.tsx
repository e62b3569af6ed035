import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";

/** Debounce: one request per pause in typing, too short to notice. */
const SETTLE_MS = 80;

interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** Reports the input when typing pauses. Follows external changes of the value. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const reported = useRef(value);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === reported.current) return;
    const timer = setTimeout(() => {
      reported.current = typed;
      onChange(typed);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <span className="relative block w-full sm:w-64">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-ink-2"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="h-7 w-full rounded-md border border-line-strong bg-raised pointer-coarse:h-11 pr-2 pl-8 text-sm placeholder:text-ink-2 focus-visible:border-accent focus-visible:outline-1 focus-visible:-outline-offset-1"
      />
    </span>
  );
}
